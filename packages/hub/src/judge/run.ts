/** HU16: a judge that stays: it works when something was pushed, and looks around once in a while. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { StoreError } from '@dagline/store'
import { openHubDatabase } from '../db/database.js'
import { connectSync } from '../db/sync-connection.js'
import { PUSHED } from '../raw/commit.js'
import { type Judged, openJudge } from './judge.js'
import { type DroppedFiles, dropFiles } from './removal.js'
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

/** Milliseconds after which it looks even if nothing was announced, and before it tries again. */
const LOOK_EVERY = 15_000
const TRY_AGAIN = 1000
/** Milliseconds after which sessions are looked for whose time is over. */
const KEEP_UP_EVERY = 86_400_000

/** Judges until it is told to stop. This thread sleeps while PostgreSQL works: it should do nothing else. */
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

/** What cannot be removed keeps nothing from being judged. */
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
  const { now = Date.now } = options
  // One connection listens, and the other one asks.
  const database = openHubDatabase(options.database, 2)
  const connection = connectSync(options.database)
  const drop = async (files: DroppedFiles): Promise<void> => dropFiles(connection, files)
  let due = Number.NEGATIVE_INFINITY
  try {
    const bell = await listen(database, options.signal)
    const judge = openJudge(connection, options.onFailure)
    while (options.signal?.aborted !== true) {
      if (now() >= due) {
        due = now() + KEEP_UP_EVERY
        await tryKeepUp({ database, drop }, options)
      }
      await judgeAll(judge, options)
      await bell.wait()
    }
    bell.close()
  } finally {
    connection.close()
    await database.close()
  }
}

interface Bell {
  /** Ends when something was pushed since the last wait, the connection broke, or it is time to look. */
  readonly wait: () => Promise<void>
  readonly close: () => void
}

async function listen({ pool }: ReturnType<typeof openHubDatabase>, signal?: AbortSignal): Promise<Bell> {
  let [isRung, isBroken] = [false, false]
  let wake: (() => void) | null = null
  const ring = (): void => {
    isRung = true
    wake?.()
  }
  const client = await pool.connect().catch((error: unknown) => {
    throw new StoreError('unreachable', `The database does not answer: ${String(error)}`, error)
  })
  const fail = (): void => {
    isBroken = true
    ring()
  }
  client.on('notification', ring)
  client.on('error', fail)
  client.on('end', fail)
  signal?.addEventListener('abort', ring)
  await client.query(`LISTEN ${PUSHED}`)
  return {
    wait: async () => {
      if (!isRung)
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, LOOK_EVERY)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = null
      isRung = false
      if (isBroken) throw new StoreError('unreachable', 'The connection to the database has ended.')
    },
    close: () => client.release(true),
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
