/** B12: a session store for the Agent SDK that keeps sessions in the archive. */
import { createHash, type Hash } from 'node:crypto'
import { resolve, sep } from 'node:path'
import { placer } from '@dagline/core/files'
import { type ArchiveWriter, archivePath, openArchiveWriter } from '../archive/archive.js'
import { type Mirror, type MirroredFile, type MirroredState, mirrorOn } from '../archive/mirror.js'
import { realRoot } from '../archive/only.js'
import { defaultRoots } from '../files/folders.js'
import { fromFileName, type SessionKey, sessionFolder, toFileName, transcriptPath } from './keys.js'
import { type FolderSessionStore, type SessionStoreOptions, summariesOf } from './session-store.js'
import {
  addStored,
  isMetadata,
  noRows,
  notStored,
  type SessionStoreEntry,
  type StoredRows,
} from './stored-rows.js'
import { entriesIn } from './transcript-file.js'

/** How a store in the archive is made. */
export interface ArchiveStoreOptions extends SessionStoreOptions {
  /** The archive's file; that of `dagline archive` unless given. */
  readonly archive?: string
  /** The projects root that sessions are kept below, as if Claude Code had written them there; the usual one unless given. */
  readonly root?: string
}

/** A `SessionStore` of the Agent SDK in the archive. */
export interface ArchiveSessionStore extends FolderSessionStore {
  /** Closes the archive. The store opens it again when it is used again. */
  close(): void
}

/**
 * A store for the Agent SDK that keeps sessions in dagline's archive. dagline reads them as sessions that are in the archive
 * only; sessions that were archived from disk can be loaded and continued. Nothing is opened yet.
 *
 *   const sessionStore = createArchiveStore()
 *   for await (const message of query({ prompt, options: { sessionStore } })) ...
 */
export function createArchiveStore(options: ArchiveStoreOptions = {}): ArchiveSessionStore {
  const { archive = archivePath(), foldSessionSummary: fold } = options
  const root = realRoot(resolve(options.root ?? defaultRoots()[0] ?? ''))
  const files = new OpenFiles(archive, root)
  // Each function is asynchronous as the SDK wants it; the archive answers at once, in the order of the calls.
  const load = async (key: SessionKey): Promise<SessionStoreEntry[] | null> => files.load(key)
  const listSessions: FolderSessionStore['listSessions'] = async projectKey => files.sessions(projectKey)
  return {
    append: async (key, entries) => files.append(key, entries),
    load,
    listSessions,
    delete: async key => files.remove(key),
    listSubkeys: async key => files.subkeys(key),
    ...(fold === undefined ? {} : { listSessionSummaries: summariesOf({ load, listSessions }, fold) }),
    close: () => files.close(),
  }
}

/** What is known of a transcript: its bytes up to some number. */
interface Known {
  version: number
  bytes: number
  rows: StoredRows
  hash: Hash
  /** Whether it ends within a row: a crash of Claude Code cut it off, before it was archived. */
  isTorn: boolean
}

/** Transcripts of which it stays known what they hold. */
const MOST_KNOWN = 100

class OpenFiles {
  private readonly known = new Map<string, Known>()
  private readonly path: string
  private readonly root: string
  private open: { readonly archive: ArchiveWriter; readonly mirror: Mirror } | null = null

  constructor(path: string, root: string) {
    this.path = path
    this.root = root
  }

  append(key: SessionKey, entries: readonly SessionStoreEntry[]): void {
    const file = fileOf(this.root, key)
    const known = this.known.get(file.path)
    // After a failure it is read again: nothing of what was noted was written.
    this.known.delete(file.path)
    const mirror = this.mirror()
    const now = mirror.change(() => appendTo(mirror, file, entries, known))
    this.known.set(file.path, now)
    const [oldest] = this.known.keys()
    if (this.known.size > MOST_KNOWN && oldest !== undefined) this.known.delete(oldest)
  }

  load(key: SessionKey): SessionStoreEntry[] | null {
    const state = this.mirror().at(fileOf(this.root, key))
    return state === null ? null : [...entriesIn(this.mirror().bytesFrom(state, 0))]
  }

  sessions(projectKey: string): { sessionId: string; mtime: number }[] {
    return this.below(toFileName(projectKey) + sep).flatMap(({ path, mtime }) => {
      const sessionId = path.includes(sep) ? null : nameOf(path)
      return sessionId === null ? [] : [{ sessionId, mtime: Math.floor(mtime) }]
    })
  }

  subkeys(key: { projectKey: string; sessionId: string }): string[] {
    return this.below(folderOf(key)).flatMap(({ path }) => {
      const [last = '', ...above] = path.split(sep).reverse()
      const parts = [...above.reverse().map(fromFileName), nameOf(last)]
      return parts.some(part => part === null) ? [] : [parts.join('/')]
    })
  }

  remove(key: SessionKey): void {
    const { path } = fileOf(this.root, key)
    const folder = folderOf(key)
    const below = key.subpath === undefined ? this.below(folder).map(file => folder + file.path) : []
    this.mirror().remove(this.root, [path, metadataPath(path), ...below])
    this.known.clear()
  }

  /** The files below a folder, by their paths in it. */
  private below(folder: string): readonly { readonly path: string; readonly mtime: number }[] {
    const found = this.mirror().list(this.root, folder)
    return found.map(({ path, mtime }) => ({ path: path.slice(folder.length), mtime }))
  }

  close(): void {
    this.open?.archive.close()
    this.open = null
    this.known.clear()
  }

  private mirror(): Mirror {
    if (this.open === null) {
      const archive = openArchiveWriter(this.path)
      this.open = { archive, mirror: mirrorOn(archive.db) }
    }
    return this.open.mirror
  }
}

const ENDING = '.jsonl'

/** The name that a transcript stands for; null for another file. */
function nameOf(fileName: string): string | null {
  return fileName.endsWith(ENDING) ? fromFileName(fileName.slice(0, -ENDING.length)) : null
}

function metadataPath(path: string): string {
  return path.replace(/\.jsonl$/, '.meta.json')
}

/** The folder of a session's subagents, with a separator at the end. */
function folderOf({ projectKey, sessionId }: SessionKey): string {
  return sessionFolder({ projectKey, sessionId }).replaceAll('/', sep) + sep
}

/** The file of a key, as discovery would have found it on disk. */
function fileOf(root: string, key: SessionKey): MirroredFile {
  const { projectKey, sessionId } = key
  const path = transcriptPath(key)
  const { what } = placer(new Set([transcriptPath({ projectKey, sessionId }), path]))(path)
  return { root, path: path.replaceAll('/', sep), kind: what, session: sessionId }
}

/** Appends what is not stored yet. Returns what is known of the file then. */
function appendTo(
  mirror: Mirror,
  file: MirroredFile,
  entries: readonly SessionStoreEntry[],
  before: Known | undefined,
): Known {
  const known = knownNow(mirror, file, before)
  const fresh = notStored(known.rows, entries)
  if (fresh.length === 0) return known
  const rows = Buffer.from(fresh.map(entry => `${JSON.stringify(entry)}\n`).join(''))
  // A row that a crash cut off stays a row of its own.
  const bytes = known.isTorn ? Buffer.concat([Buffer.from('\n'), rows]) : rows
  known.hash.update(bytes)
  const state = mirror.append(file, bytes, known.hash.copy().digest())
  for (const entry of entriesIn(rows)) addStored(known.rows, entry)
  const metadata = fresh.findLast(isMetadata)
  if (metadata !== undefined) replaceMetadata(mirror, file, metadata)
  return Object.assign(known, { version: state.id, bytes: state.bytes, isTorn: false })
}

/** Reads what was written since, by this process or another one. Another version is another file. */
function knownNow(mirror: Mirror, file: MirroredFile, before: Known | undefined): Known {
  const state = mirror.at(file)
  const isSame = before !== undefined && before.version === state?.id && before.bytes <= state.bytes
  const known = isSame
    ? before
    : { version: -1, bytes: 0, rows: noRows(), hash: createHash('sha256'), isTorn: false }
  return state === null ? known : readOn(mirror, state, known)
}

const NEWLINE = 0x0a

function readOn(mirror: Mirror, state: MirroredState, known: Known): Known {
  const more = mirror.bytesFrom(state, known.bytes)
  for (const entry of entriesIn(more)) addStored(known.rows, entry)
  known.hash.update(more)
  const isTorn = more.length === 0 ? known.isTorn : more.at(-1) !== NEWLINE
  return Object.assign(known, { version: state.id, bytes: state.bytes, isTorn })
}

/** The sidecar, for readers of the layout of Claude Code. */
function replaceMetadata(
  mirror: Mirror,
  { root, path, session }: MirroredFile,
  { type: _, ...fields }: SessionStoreEntry,
): void {
  const sidecar = { root, path: metadataPath(path), kind: 'meta', session }
  mirror.replace(sidecar, Buffer.from(JSON.stringify(fields)))
}
