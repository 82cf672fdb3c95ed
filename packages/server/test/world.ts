/** A server on a real port, over files in a temporary folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openLive, type Sync } from '@dagline/app'
import type { UnreadPath } from '@dagline/core/protocol'
import { discover, isReadFailure, openIndex, syncRoot } from '@dagline/store'
import { expandShape, inProject, type ShapeFiles } from '@dagline/testkit'
import { onTestFinished } from 'vitest'
import { act } from '../../app/src/act.js'
import { examineAll } from '../../app/src/health/examiner.js'
import { type RunningServer, startServer } from '../src/server.js'

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes files below a folder, by their paths. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Writes the files of a shape into a project folder. */
export function writeShape(root: string, text: string): ShapeFiles {
  const shape = expandShape(text)
  for (const file of inProject([...shape.files, ...shape.metas])) writeFiles(root, { [file.path]: file.text })
  return shape
}

/** Brings an index up to date in this process. */
export function syncHere(index: string, roots: readonly string[]): Sync {
  return async tell => {
    const open = openIndex(index)
    const unread: UnreadPath[] = []
    try {
      for (const found of discover(roots)) {
        const { failed } = await syncRoot(open, found, { onProgress: tell })
        const failures = [...found.diagnostics, ...failed].filter(isReadFailure)
        unread.push(...failures.map(({ file, message }) => ({ path: join(found.root, file), message })))
      }
      return unread
    } finally {
      open.close()
    }
  }
}

export interface World {
  readonly server: RunningServer
  readonly root: string
  readonly index: string
  readonly ask: (path: string, options?: AskOptions) => Promise<Answer>
  /** The value of a reply; fails where it is a refusal. */
  readonly value: <T>(path: string) => Promise<T>
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: string
  /** Without the token. */
  readonly isStranger?: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface WorldOptions {
  readonly isReady?: boolean
  readonly page?: string
  readonly labels?: string
  readonly token?: string
  readonly port?: number
  /** Whether the page may do anything. */
  readonly hasActions?: boolean
  readonly isReadOnly?: boolean
  /** Examines the sessions for the page of health, in this process. */
  readonly isExamined?: boolean
}

/** Serves a folder. `isReady` waits until the index is up to date. */
export async function serveFolder(root: string, options: WorldOptions = {}): Promise<World> {
  const index = join(temporaryFolder(), 'index.db')
  const sync = syncHere(index, [root])
  if (options.isReady !== false) await sync(() => {})
  const server = await startServer({
    history: openLive({
      index,
      roots: [root],
      isSample: false,
      labels: options.labels ?? null,
      sync,
      act: options.hasActions === true ? (request, dryRun) => act({ roots: [root], request, dryRun }) : null,
      examine: options.isExamined === true ? () => examineAll({ index, paths: [], roots: [root] }) : null,
    }),
    isReadOnly: options.isReadOnly ?? false,
    page: options.page ?? join(root, 'no-page'),
    ...(options.token === undefined ? {} : { token: options.token }),
    ...(options.port === undefined ? {} : { port: options.port }),
    report: error => {
      throw error
    },
  })
  onTestFinished(() => server.close())
  const ask = (path: string, how: AskOptions = {}): Promise<Answer> => askServer(server, path, how)
  return {
    server,
    root,
    index,
    ask,
    value: async path => {
      const { body } = await ask(path)
      const reply = JSON.parse(body)
      if (reply.ok !== true) throw new Error(`${path}: ${body}`)
      return reply.value
    },
  }
}

/** One request, byte for byte as it is given: nothing is normalised on the way. */
export function askServer(
  { port, token }: RunningServer,
  path: string,
  options: AskOptions,
): Promise<Answer> {
  const known = options.isStranger === true ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers: { ...known, ...options.headers },
        agent: false,
      },
      answer => {
        let body = ''
        answer.setEncoding('utf8')
        answer.on('data', piece => {
          body += piece
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      },
    )
    asking.once('error', reject)
    asking.end(options.body)
  })
}
