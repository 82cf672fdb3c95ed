/**
 * The threads that wait for the database (ADR 0033): the main thread never does. A person's requests are answered by the same
 * thread, one after the other, so that what was read for one of them is there for the next.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { DroppedFiles, MovedFiles } from '../judge/removal.js'
import { createReading, type OpenSource } from './reading.js'
import { openSources } from './sources.js'
import type { CopyRequest, ReadAnswer, Reader, ReaderPool, ReadRequest } from './wire.js'

/** Readers that can also change the index. */
export interface ReaderThreads extends ReaderPool {
  readonly drop: (files: DroppedFiles) => Promise<void>
  readonly move: (files: MovedFiles) => Promise<void>
}

type Task =
  | { readonly kind: 'ask'; readonly request: ReadRequest }
  | { readonly kind: 'copy'; readonly request: CopyRequest }
  | { readonly kind: 'changes'; readonly reader: Reader }
  | { readonly kind: 'drop'; readonly files: DroppedFiles }
  | { readonly kind: 'move'; readonly files: MovedFiles }

interface Message {
  readonly id: number
  readonly task: Task
}

interface Done {
  readonly id: number
  readonly value?: ReadAnswer | readonly string[] | null | undefined
  readonly error?: string
}

/** In place of the number of a task: an error that is a bug. */
const BUG = 0

/** Marks the data of our threads: the module is part of a bundle that may run in threads of others. */
const THREAD = 'dagline-hub-reader'

interface ThreadData {
  readonly name: typeof THREAD
  readonly url: string
}

/** Starts threads. `report` receives errors that are bugs. */
export function startReaders(url: string, count: number, report: (error: Error) => void): ReaderThreads {
  const threads = Array.from({ length: count }, () => startThread(url, report))
  const threadOf = ({ tenant, person }: Pick<Reader, 'tenant' | 'person'>): Thread => {
    const thread = threads[(tenant * 31 + person) % threads.length]
    if (thread === undefined) throw new RangeError('A hub needs at least one reader.')
    return thread
  }
  return {
    ask: async request => answerIn(await threadOf(request.reader).run({ kind: 'ask', request })),
    copy: async request => answerIn(await threadOf(request.reader).run({ kind: 'copy', request })),
    changes: async reader => {
      const value = await threadOf(reader).run({ kind: 'changes', reader })
      return Array.isArray(value) ? value : null
    },
    drop: async files => void (await threadOf(files).run({ kind: 'drop', files })),
    move: async files => void (await threadOf(files).run({ kind: 'move', files })),
    close: async () => void (await Promise.all(threads.map(({ stop }) => stop()))),
  }
}

function answerIn(value: Done['value']): ReadAnswer {
  if (value === null || value === undefined || !('status' in value))
    throw new TypeError('A reader gave no answer.')
  return value
}

interface Thread {
  readonly run: (task: Task) => Promise<Done['value']>
  readonly stop: () => Promise<unknown>
}

/** A thread that ends unexpectedly is started again; its open requests fail. */
function startThread(url: string, report: (error: Error) => void): Thread {
  const waiting = new Map<
    number,
    { resolve: (value: Done['value']) => void; reject: (error: Error) => void }
  >()
  let [last, isStopped] = [0, false]
  const start = (): Worker => {
    const data: ThreadData = { name: THREAD, url }
    const worker = new Worker(new URL(import.meta.url), {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    })
    worker.on('message', ({ id, value, error }: Done) => {
      if (id === BUG) return report(new Error(error))
      const asked = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) asked?.resolve(value)
      else asked?.reject(new Error(error))
    })
    worker.on('error', report)
    worker.on('exit', () => {
      for (const { reject } of waiting.values()) reject(new Error('A reader of the hub ended.'))
      waiting.clear()
      current = isStopped ? null : start()
    })
    return worker
  }
  let current: Worker | null = start()
  return {
    run: task =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
        current?.postMessage({ id, task } satisfies Message)
      }),
    stop: async () => {
      isStopped = true
      await current?.terminate()
    },
  }
}

/** Runs in the thread. */
function serve({ url }: ThreadData): void {
  const sources = openSources(url)
  const open: OpenSource = sources.open
  const reading = createReading(open, ({ stack, message }) =>
    parentPort?.postMessage({ id: BUG, error: stack ?? message } satisfies Done),
  )
  const work = async (task: Task): Promise<Done['value']> => {
    if (task.kind === 'ask') return await reading.answer(task.request)
    if (task.kind === 'copy') return await reading.copy(task.request)
    if (task.kind === 'changes') return reading.changes(task.reader)
    if (task.kind === 'drop') sources.drop(task.files)
    else sources.move(task.files)
    return null
  }
  let before: Promise<void> = Promise.resolve()
  parentPort?.on('message', ({ id, task }: Message) => {
    before = before.then(async () => {
      try {
        parentPort?.postMessage({ id, value: await work(task) } satisfies Done)
      } catch (error) {
        parentPort?.postMessage({
          id,
          error: error instanceof Error ? error.message : String(error),
        } satisfies Done)
      }
    })
  })
}

function isThreadData(data: unknown): data is ThreadData {
  return typeof data === 'object' && data !== null && 'name' in data && data.name === THREAD
}

if (isThreadData(workerData)) serve(workerData)
