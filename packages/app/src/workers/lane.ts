/** A worker that is kept: it starts with the first question, answers one after the other, and ends when nobody asks. */
import type { Tasks } from '../tasks.js'
import { startWorker, type WorkerOptions, type WorkerProcess } from './pool.js'

type Input<N extends keyof Tasks> = Parameters<Tasks[N]>[0]
type Output<N extends keyof Tasks> = Awaited<ReturnType<Tasks[N]>>

/** How a question is asked. */
interface LaneOptions {
  /** Once it is aborted, a question that did not begin is not asked. */
  readonly signal?: AbortSignal | undefined
  /** What goes on for long ends with its process when the signal is aborted. */
  readonly endsBySignal?: boolean
}

interface Lane<N extends keyof Tasks> {
  readonly run: (input: Input<N>, options?: LaneOptions) => Promise<Output<N>>
  readonly close: () => void
}

/** A worker that had nothing to do for so many milliseconds ends. */
const IDLE = 5 * 60_000

/** One worker for one task. `note` receives what it posts on the way. */
export function createLane<N extends keyof Tasks>(
  task: N,
  endedEarly: WorkerOptions['endedEarly'],
  note: (part: unknown) => void,
): Lane<N> {
  let worker: WorkerProcess<Input<N>, Output<N>> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  const close = (): void => {
    if (timer !== null) clearTimeout(timer)
    worker?.close()
    worker = null
  }
  const start = async (input: Input<N>, { signal, endsBySignal }: LaneOptions): Promise<Output<N>> => {
    if (signal?.aborted === true) throw endedEarly(null)
    if (timer !== null) clearTimeout(timer)
    if (worker?.isAlive() !== true) worker = startWorker(task, { isKept: true, endedEarly })
    if (endsBySignal === true) signal?.addEventListener('abort', close, { once: true })
    try {
      return await worker.run(input, note).result
    } finally {
      signal?.removeEventListener('abort', close)
      timer = setTimeout(close, IDLE).unref()
    }
  }
  return {
    run: (input, options = {}) => {
      const next = last.then(() => start(input, options))
      last = next.catch(() => {})
      return next
    },
    close,
  }
}
