/**
 * Bringing an index up to date in a worker, again and again, while this process goes on answering. The worker lives as long
 * as there is something to do now and then, and ends with the process that started it.
 */
import type { UnreadPath } from '@dagline/core/protocol'
import type { SyncProgress } from '@dagline/store'
import { silentHost } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { bundledCommand } from '../workers/entry.js'
import { startWorker, type WorkerOptions, type WorkerProcess } from '../workers/pool.js'
import type { Channel } from '../workers/protocol.js'
import { syncRoots } from './open.js'

/** What to keep up to date. */
export interface SyncInput {
  readonly index: string
  /** What to read; the roots where it is empty. */
  readonly paths: readonly string[]
  readonly roots: readonly string[]
}

/** What could not be read. */
export type SyncOutput = readonly UnreadPath[]

interface Syncer {
  /** Brings the index up to date, one at a time, and returns what could not be read. */
  readonly sync: (input: SyncInput, tell: (progress: SyncProgress) => void) => Promise<SyncOutput>
  readonly close: () => void
}

/** A worker that had nothing to do for so many milliseconds ends. */
const IDLE = 60_000

const OPTIONS: WorkerOptions = {
  isKept: true,
  endedEarly: code =>
    new UserError(
      `The process that reads the sessions ended early (${code ?? 'killed'}); it is started again with the next change.`,
    ),
}

/** The message about a damaged index, between reports of progress. */
interface DamageNote {
  readonly message: string
}

/**
 * Syncs in a worker, which starts at once; in this process where it was not started from a bundle. `note` receives the message about an index
 * that was damaged.
 */
export function createSyncer(note: (message: string) => void): Syncer {
  let worker: WorkerProcess<SyncInput, SyncOutput> | null =
    bundledCommand() === null ? null : startWorker('sync', OPTIONS)
  let timer: NodeJS.Timeout | null = null
  const close = (): void => {
    if (timer !== null) clearTimeout(timer)
    worker?.close()
    worker = null
  }
  return {
    close,
    sync: async (input, tell) => {
      const hear = (part: unknown): void => {
        const news = part as SyncProgress | DamageNote
        if ('message' in news) note(news.message)
        else tell(news)
      }
      if (bundledCommand() === null) return await syncIndex(input, { post: hear })
      if (timer !== null) clearTimeout(timer)
      if (worker?.isAlive() !== true) worker = startWorker('sync', OPTIONS)
      try {
        return await worker.run(input, hear).result
      } finally {
        timer = setTimeout(close, IDLE)
        timer.unref()
      }
    },
  }
}

/** The task of a worker: brings an index up to date, and posts its progress. */
export async function syncIndex(
  { index, paths, roots }: SyncInput,
  { post }: Pick<Channel, 'post'>,
): Promise<SyncOutput> {
  const host = silentHost(roots)
  await syncRoots(host, { index, paths, tell: post, noteDamage: message => post({ message }) })
  return [...host.unread.values()].map(({ path, message }) => ({ path, message }))
}
