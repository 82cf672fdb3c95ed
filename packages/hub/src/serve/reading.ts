/**
 * HU38: the histories that requests are answered from, each opened for one person. Whatever a history asks is asked as that
 * person (`Identity`), also what it goes on with behind an answer while another person is served.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openPushed, type PushedHistory } from '@dagline/app'
import { HttpError, httpErrorOf, queryOf, ROUTES, reply, replyError } from '@dagline/server'
import type { ByteSource, IndexStore, Labels } from '@dagline/store'
import { Hono } from 'hono'
import * as z from 'zod'
import { personOf, rootOf } from '../raw/paths.js'
import { questionIn } from './questions.js'
import type { CopiedSession, CopyRequest, ForeignRead, ReadAnswer, Reader, ReadRequest } from './wire.js'

/** What a person may read, asked as that person. */
export interface ReaderSource {
  /** The roots of all persons of whom the person sees something. */
  readonly roots: () => readonly string[]
  readonly index: () => IndexStore
  /** Differs after each change of what the tenant has, and of who may see it. */
  readonly stamp: () => string
  /** HU80: names, tags and notes of the sessions that the person sees. */
  readonly labels: () => Labels
  /** The bytes of a file by its path in the index; null where the person does not see the file. */
  readonly bytes: (path: string) => ByteSource | null
  /** Files below a root that the person sees, by their paths, and all of some sessions. */
  readonly files: (root: string, which: WhichFiles) => readonly ServedFile[]
  readonly close: () => void
}

interface WhichFiles {
  readonly paths: readonly string[]
  readonly sessions: readonly string[]
}

/** The last version of a file, with what proves its bytes. */
export interface ServedFile {
  /** Below the root. */
  readonly path: string
  readonly bytes: number
  readonly mtime: number
  /** Cut into pieces by rows. */
  readonly rows: boolean
  /** The chain of its pieces, in hexadecimal (HU11). */
  readonly chain: string
  /** The hash that it had on its machine, in hexadecimal; null where it was redacted. */
  readonly sha256: string | null
  /** Placeholders that stand in it. */
  readonly placeholders: number
}

/** Opens what a person may read. */
export type OpenSource = (reader: Reader) => ReaderSource

/** Answers the requests of all persons, one after the other. */
interface Reading {
  readonly answer: (request: ReadRequest) => Promise<ReadAnswer>
  readonly copy: (request: CopyRequest) => Promise<ReadAnswer>
  /** The sessions that changed since this was called before; null where the history was opened anew meanwhile. */
  readonly changes: (reader: Reader) => readonly string[] | null
  readonly close: () => void
}

/** Histories that stay open; each keeps some graphs. */
const MOST_OPEN = 16

/** Begins without any history. `report` receives errors that are bugs. */
export function createReading(open: OpenSource, report: (error: Error) => void): Reading {
  const known = new Map<string, OpenReader>()
  const readerFor = (reader: Reader): OpenReader => {
    const key = JSON.stringify(Object.values(reader))
    const before = known.get(key)
    const isCurrent = before?.isCurrent() ?? false
    if (!isCurrent) before?.close()
    const opened = before !== undefined && isCurrent ? before : openReader(reader, open(reader), report)
    known.delete(key)
    known.set(key, opened)
    for (const [oldest, { close }] of known) {
      if (known.size <= MOST_OPEN) break
      known.delete(oldest)
      close()
    }
    return opened
  }
  return {
    answer: async ({ reader, path }) => await readerFor(reader).answer(path),
    copy: async request => await readerFor(request.reader).copy(request),
    changes: reader => readerFor(reader).changes(),
    close: () => {
      for (const { close } of known.values()) close()
      known.clear()
    },
  }
}

interface OpenReader {
  /** The persons whose sessions are shown are still the same. */
  readonly isCurrent: () => boolean
  readonly answer: (path: string) => Promise<ReadAnswer>
  readonly copy: (request: CopyRequest) => Promise<ReadAnswer>
  readonly changes: () => readonly string[] | null
  readonly close: () => void
}

function openReader(reader: Reader, source: ReaderSource, report: (error: Error) => void): OpenReader {
  const all = source.roots()
  const roots = all.filter(root => reader.owner === null || personOf(root) === reader.owner)
  let reads: ForeignRead[] = []
  let labels: Labels | null = null
  const noteRead = (how: ForeignRead['how'], session: string, root: string): void => {
    const owner = personOf(root)
    if (owner !== null && owner !== reader.person) reads.push({ how, owner, session })
  }
  const history = openPushed({
    source: { index: source.index, stamp: source.stamp, close: source.close },
    roots,
    elsewhere: source.bytes,
    personOf,
    labels: () => {
      labels ??= source.labels()
      return labels
    },
    onRead: ({ how, session, root }) => noteRead(how, session, root),
  })
  const changed = new Set<string>()
  let isCompared = false
  history.events.listen(event => {
    if (event.kind === 'changed') for (const session of event.sessions) changed.add(session)
  })
  history.start()
  let stamp = source.stamp()
  /** Drops open files when the data has changed: they keep the state of their opening. */
  const refresh = (): void => {
    const now = source.stamp()
    if (now !== stamp) {
      labels = null
      history.refresh()
    }
    stamp = now
  }
  const own = rootOf(reader.person)
  const app = appOf(history, source, { own, noteRead, report })
  const fetched = async (from: Hono, path: string): Promise<ReadAnswer> => {
    reads = []
    refresh()
    const response = await from.fetch(new Request(`http://hub${path}`))
    const body = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: [...response.headers], body, reads: unique(reads) }
  }
  return {
    isCurrent: () => source.roots().join() === all.join(),
    answer: async path => {
      if (!reader.isFigures) return await fetched(app, path)
      refresh()
      return figuresOf(history, path)
    },
    copy: async request => {
      const copies = new Hono()
      copies.get('/copy', c => reply(c, copyFiles(history, source, request, { own, noteRead })))
      answerErrors(copies, report)
      return await fetched(copies, '/copy')
    },
    changes: () => {
      labels = null
      history.refresh()
      const told = [...changed]
      changed.clear()
      const isKnown = isCompared
      isCompared = true
      return isKnown ? told : null
    },
    close: history.close,
  }
}

const FiguresQuery = z.object({
  by: z.enum(['project', 'model', 'agent']).default('project'),
  since: z.string().max(100).default(''),
  until: z.string().max(100).default(''),
})

/** HU46: sums by project, model or kind of subagent: sessions and branches would be named by what was said. */
function figuresOf(history: PushedHistory, path: string): ReadAnswer {
  const read = FiguresQuery.safeParse(Object.fromEntries(new URL(path, 'http://hub').searchParams))
  const answer = read.success
    ? { ok: true, value: history.usage(read.data) }
    : { ok: false, error: { code: 'invalid', message: 'Figures are by project, model or agent.' } }
  return {
    status: read.success ? 200 : 400,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify(answer)),
    reads: [],
  }
}

function unique(reads: readonly ForeignRead[]): readonly ForeignRead[] {
  return [...new Map(reads.map(read => [JSON.stringify(read), read])).values()]
}

interface AppOptions {
  /** The root of the reader: of several sessions of one id the reader's own is meant. */
  readonly own: string
  readonly noteRead: (how: ForeignRead['how'], session: string, root: string) => void
  readonly report: (error: Error) => void
}

/** HU64: all routes of readers, as `GET /api/home`. */
export function readingRoutes(history: PushedHistory, source: ReaderSource): readonly string[] {
  const app = appOf(history, source, { own: '', noteRead: () => {}, report: () => {} })
  return app.routes.map(({ method, path }) => `${method} ${path}`)
}

/** The routes of the viewer, and those that the command asks for files. */
function appOf(history: PushedHistory, source: ReaderSource, options: AppOptions): Hono {
  const { noteRead, report } = options
  const app = new Hono()
  for (const add of ROUTES) add(app, history, { isReadOnly: true })
  app.get('/api/hub/sessions', c => reply(c, history.sessions()))
  app.get('/api/hub/ask', async c =>
    reply(c, await history.answer(questionIn(queryOf(c, AskQuery).question))),
  )
  app.get('/api/hub/files/:session', c => reply(c, filesOf(history, source, c.req.param('session'), options)))
  app.get('/api/hub/bytes', c => {
    const bytes = bytesOf(history, source, queryOf(c, BytesQuery), noteRead)
    return c.body(bytes, 200, { 'Content-Type': 'application/octet-stream' })
  })
  app.notFound(c => replyError(c, new HttpError(404, 'no-such-thing', 'Nothing exists at this address.')))
  answerErrors(app, report)
  return app
}

function answerErrors(app: Hono, report: AppOptions['report']): void {
  app.onError((error, c) => {
    const known = httpErrorOf(error)
    if (known === null) report(error)
    return replyError(
      c,
      known ?? new HttpError(500, 'internal', 'Internal error: the log of the hub shows it.'),
    )
  })
}

/** HU63: writes the files of a session's group into a folder. Returns the path of its transcript. */
function copyFiles(
  history: PushedHistory,
  source: ReaderSource,
  { session, folder, how }: CopyRequest,
  { own, noteRead }: GroupReader,
): CopiedSession {
  // Of what is made of the copy only the session itself is given.
  const { session: id, root, files } = filesOf(history, source, session, { own, noteRead: () => {} })
  noteRead(how, id, root)
  const transcript = history.find(id).find(each => each.root === root)?.fact.file ?? null
  if (transcript === null) throw new HttpError(404, 'no-export', 'The hub has no transcript of this session.')
  for (const { path } of files) {
    const bytes = source.bytes(`${root}/${path}`)
    if (bytes === null) throw new HttpError(404, 'gone', 'A file of this session was removed meanwhile.')
    writeSource(join(folder, path), bytes)
  }
  return { session: id, path: join(folder, transcript) }
}

function writeSource(path: string, source: ByteSource): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const out = openSync(path, 'wx', 0o600)
  const part = Buffer.alloc(Math.min(MOST_BYTES, Math.max(1, source.size)))
  try {
    for (let at = 0; at < source.size; ) {
      const got = source.read(part, 0, part.length, at)
      if (got === 0) break
      writeSync(out, part, 0, got)
      at += got
    }
  } finally {
    closeSync(out)
    source.close()
  }
}

const AskQuery = z.object({ question: z.string().min(2) })

/** The files of a session's file group, as the command fetches them. */
interface GroupFiles {
  readonly session: string
  readonly root: string
  /** The transcripts of the group, and what lies beside them. */
  readonly files: readonly ServedFile[]
}

type NoteRead = AppOptions['noteRead']
/** For whom files of a group are read. */
type GroupReader = Pick<AppOptions, 'own' | 'noteRead'>

/** The files that the graph of a session is made of. Throws `HttpError` where nothing is called so, or several are. */
function filesOf(
  history: PushedHistory,
  source: ReaderSource,
  word: string,
  { own, noteRead }: GroupReader,
): GroupFiles {
  const called = history.called(word)
  const found = called.find(({ root }) => root === own) ?? called[0]
  if (found === undefined) throw new HttpError(404, 'no-session', `No session begins with ${word}.`)
  const { fact, root } = found
  const sessions = new Set([fact.session, ...found.files.flatMap(({ facts }) => facts.session ?? [])])
  const paths = found.files.map(({ path }) => path)
  // HU35: the files of all of them are given.
  for (const session of sessions) noteRead('fetch', session, root)
  return { session: fact.session, root, files: source.files(root, { paths, sessions: [...sessions] }) }
}

/** Whether a file is one of the file group of a session, or lies beside one of them. */
function isFileOf(
  source: ReaderSource,
  { root, files }: ReturnType<PushedHistory['find']>[number],
  path: string,
): boolean {
  if (files.some(file => file.path === path)) return true
  const sessions = [...new Set(files.flatMap(({ facts }) => facts.session ?? []))]
  return source.files(root, { paths: [], sessions }).some(file => file.path === path)
}

/** A part of a file that one answer holds. */
const MOST_BYTES = 8 * 1024 * 1024

const BytesQuery = z.object({
  session: z.string().min(1).max(200),
  path: z.string().min(1).max(4096),
  /** Where there are two sessions of the id, the root of the one that is meant. */
  root: z.string().max(200).optional(),
  from: z.coerce.number().int().min(0).default(0),
})

function bytesOf(
  history: PushedHistory,
  source: ReaderSource,
  { session, path, root, from }: z.infer<typeof BytesQuery>,
  noteRead: NoteRead,
): Uint8Array<ArrayBuffer> {
  const named = history.find(session).filter(each => root === undefined || each.root === root)
  const found = named.find(each => isFileOf(source, each, path))
  const file = found === undefined ? null : source.bytes(`${found.root}/${path}`)
  if (found === undefined || file === null) throw new HttpError(404, 'gone', 'There is no such file.')
  try {
    noteRead('fetch', found.fact.session, found.root)
    const bytes = new Uint8Array(Math.max(0, Math.min(MOST_BYTES, file.size - from)))
    let got = 0
    for (let more = -1; more !== 0 && got < bytes.length; got += more)
      more = file.read(bytes, got, bytes.length - got, from + got)
    return bytes.subarray(0, got)
  } finally {
    file.close()
  }
}
