/**
 * HU63: a session of a hub as one file. Its files are copied into a folder that only the hub can read, for as long as a worker makes
 * the file: it is made by what makes one at home, with the same search for secrets.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportInWorker, findInWorker } from '@dagline/app'
import type { Reply } from '@dagline/core/protocol'
import { download, HttpError } from '@dagline/server'
import { Hono } from 'hono'
import type { CopiedSession, CopyRequest, ForeignRead, Reader, ReaderPool } from './wire.js'

/** Files that are made at the same time: each is made by a process of its own. */
const MOST_AT_ONCE = 2

/** What answers a request for a file. */
type Download = (request: Request, options: DownloadOptions) => Promise<Response>

interface DownloadOptions {
  readonly reader: Reader
  /** Notes what is read, before it is answered. */
  readonly note: (reads: readonly ForeignRead[]) => Promise<void>
  readonly onError: Parameters<Hono['onError']>[0]
}

/** Makes files with what readers copy. */
export function createDownloads(readers: Pick<ReaderPool, 'copy'>): Download {
  const waiting = createGate(MOST_AT_ONCE)
  return async (request, { reader, note, onError }) => {
    const withCopy = <T>(
      asked: Pick<CopyRequest, 'session' | 'how'>,
      work: (copied: CopiedSession) => Promise<T>,
    ): Promise<T> =>
      waiting(() =>
        inFolder(async folder => {
          const { body, reads } = await readers.copy({ ...asked, reader, folder })
          const reply: Reply<CopiedSession> = JSON.parse(Buffer.from(body).toString('utf8'))
          if (!reply.ok) throw new HttpError(404, reply.error.code, reply.error.message)
          await note(reads)
          return await work(reply.value)
        }),
      )
    const app = new Hono()
    app.onError(onError)
    download(app, {
      findings: session => withCopy({ session, how: 'read' }, ({ path }) => findInWorker(path)),
      exportHtml: (session, options) =>
        withCopy({ session, how: 'export' }, async copied => ({
          session: copied.session,
          page: await exportInWorker({ path: copied.path, ...options }),
        })),
    })
    return await app.fetch(request)
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dagline-hub-copy-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lets so many run at the same time; the others wait for them, in their order. */
function createGate(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= most) await new Promise<void>(resolve => queue.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
