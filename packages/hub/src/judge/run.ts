/** HU16: a judge that keeps running: it works when something was pushed, and checks at intervals. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { StoreError } from '@dagline/store'
import { openHubDatabase } from '../db/database.js'
import { type Listener, PUSHED } from '../db/listen.js'
import { connectSync, type SyncConnection } from '../db/sync-connection.js'
import { createEvent } from '../model/event.js'
import { type Judged, openJudge } from './judge.js'
import { dropFiles } from './removal.js'
import { keepUp } from './upkeep.js'

/** What a running judge needs. */
interface JudgeOptions {
  readonly database: string
  readonly signal?: AbortSignal
  readonly onJudged?: (judged: Judged) => void
  /** Receives what went wrong; the judge tries again. */
  readonly onFailure?: (failure: Error) => void
  /** The time in milliseconds, for what is kept for some days only. */
  readonly now?: () => number
}

/** Milliseconds after which it checks even if nothing was announced, and before it tries again. */
const LOOK_EVERY = 15_000
const TRY_AGAIN = 1000
/** Milliseconds between two checks for sessions whose time is over. */
const KEEP_UP_EVERY = 86_400_000

/** Judges until the signal aborts. The thread blocks while PostgreSQL works, and should do nothing else. */
export async function runJudge(options: JudgeOptions): Promise<void> {
  const { signal, onFailure } = options
  while (signal?.aborted !== true)
    try {
      await judgeWhileConnected(options)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      onFailure?.(error)
      await new Promise(resolve => setTimeout(resolve, TRY_AGAIN))
    }
}

/** Removes what is due, and judges all that is there now. Returns how many persons had something new. */
export async function judgeOnce(
  options: Pick<JudgeOptions, 'database' | 'onJudged' | 'onFailure' | 'now'>,
): Promise<number> {
  const database = openHubDatabase(options.database, 1)
  const connection = connectSync(options.database)
  try {
    await tryKeepUp({ database, drop: async files => dropFiles(connection, files) }, options)
    return await judgeAll(openJudge(connection), options)
  } finally {
    connection.close()
    await database.close()
  }
}

/** A removal that fails does not keep anything from being judged. */
async function tryKeepUp(
  remover: Parameters<typeof keepUp>[0],
  { now = Date.now, onFailure }: Pick<JudgeOptions, 'now' | 'onFailure'>,
): Promise<void> {
  try {
    await keepUp(remover, now())
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    onFailure?.(error)
  }
}

async function judgeAll(
  judge: ReturnType<typeof openJudge>,
  { onJudged, signal }: Pick<JudgeOptions, 'onJudged' | 'signal'>,
): Promise<number> {
  for (let count = 0; ; count++) {
    const judged = signal?.aborted === true ? null : await judge.next()
    if (judged === null) return count
    onJudged?.(judged)
  }
}

async function judgeWhileConnected(options: JudgeOptions): Promise<void> {
  const { now = Date.now, signal } = options
  // One connection listens, and the other one asks.
  const database = openHubDatabase(options.database, 2)
  const pushed = createEvent(signal)
  let listener: Listener | null = null
  let connection: SyncConnection | null = null
  let due = Number.NEGATIVE_INFINITY
  try {
    const own = connectSync(options.database)
    connection = own
    listener = await database.listen(PUSHED, pushed.set)
    const judge = openJudge(own, options.onFailure)
    while (signal?.aborted !== true) {
      if (now() >= due) {
        due = now() + KEEP_UP_EVERY
        await tryKeepUp({ database, drop: async files => dropFiles(own, files) }, options)
      }
      await judgeAll(judge, options)
      await pushed.wait(LOOK_EVERY)
    }
  } finally {
    pushed.close()
    await listener?.close()
    connection?.close()
    await database.close()
  }
}

/** Marks the data of our thread: the module is part of a bundle that may run in threads of others. */
const THREAD = 'dagline-judge'

/** Starts a judge in a thread of its own. */
export function startJudge(
  database: string,
  onFailure: (message: string) => void,
): { readonly stop: () => Promise<void> } {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { name: THREAD, database },
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  })
  thread.on('message', (message: string) => onFailure(message))
  thread.on('error', error => onFailure(String(error)))
  return { stop: async () => void (await thread.terminate()) }
}

if (!isMainThread && workerData?.name === THREAD) {
  await runJudge({
    database: String(workerData.database),
    onFailure: ({ message }) => parentPort?.postMessage(message),
  })
}
