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

interface Lane<Input, Output> {
  readonly run: (input: Input, options?: LaneOptions) => Promise<Output>
  readonly close: () => void
}

/** A worker that had nothing to do for so many milliseconds ends. */
const IDLE = 5 * 60_000

/** One worker for one task. `note` receives what it posts on the way. */
export function createLane<N extends keyof Tasks>(
  task: N,
  endedEarly: WorkerOptions['endedEarly'],
  note: (part: unknown) => void,
): Lane<Input<N>, Output<N>> {
  return createLaneOf(() => startWorker(task, { isKept: true, endedEarly }), endedEarly, note)
}

/** The lane of a worker that is kept. */
export function createLaneOf<Input, Output>(
  startKept: () => WorkerProcess<Input, Output>,
  endedEarly: WorkerOptions['endedEarly'],
  note: (part: unknown) => void,
): Lane<Input, Output> {
  let worker: WorkerProcess<Input, Output> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  const close = (): void => {
    if (timer !== null) clearTimeout(timer)
    worker?.close()
    worker = null
  }
  const begin = (): WorkerProcess<Input, Output> => {
    worker = startKept()
    return worker
  }
  const ask = async (input: Input): Promise<Output> => {
    const kept = worker?.isAlive() === true ? worker : null
    const asked = kept ?? begin()
    try {
      return await asked.run(input, note).result
    } catch (error) {
      // One that was kept may have ended before it heard the question: a new one is asked, unless this lane was closed.
      const hasEnded = asked === kept && asked === worker && !asked.isAlive()
      if (!hasEnded) throw error
      return await begin().run(input, note).result
    }
  }
  const start = async (input: Input, { signal, endsBySignal }: LaneOptions): Promise<Output> => {
    if (signal?.aborted === true) throw endedEarly(null)
    if (timer !== null) clearTimeout(timer)
    if (endsBySignal === true) signal?.addEventListener('abort', close, { once: true })
    try {
      return await ask(input)
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
