/**
 * Reading for the index in other threads: they parse and judge, this one writes. What is to be read is dealt out batch by
 * batch, so that all of them end at the same time: this thread takes one whenever nothing waits to be written.
 */
import { setImmediate } from 'node:timers/promises'
import {
  type Batch,
  type BatchMessage,
  batchesOf,
  batchesOfRest,
  type Reader,
  type ReadJob,
  type ReadSink,
  readBatch,
  readBatchHere,
  readHere,
  receiveMessage,
} from '@dagline/store'
import { UserError } from '../host/user-error.js'
import { startWorker, workerCount } from '../workers/pool.js'
import type { Channel } from '../workers/protocol.js'

/** Below this many bytes a second thread costs more than it brings. */
const WORTH_WORKERS = 24 * 1024 * 1024
const MOST_WORKERS = 3

/** A worker has read a batch, and wants another one. */
const MORE = 'more'

/** Batches that a worker has: while it reads one, the next is sent. */
const PREFETCHED = 2

/** A reader with workers where it is worth it; before it starts them it says so. */
export function readWithWorkers(beforeStart: () => void): Reader {
  return async (jobs, sink) => {
    const total = jobs.slice(sink.first).reduce((sum, job) => sum + job.bytes, 0)
    const count = Math.min(workerCount(MOST_WORKERS), jobs.length - sink.first)
    if (count < 1 || total < WORTH_WORKERS) return await readHere(jobs, sink)
    beforeStart()
    await dealBatches(jobs, sink, count)
  }
}

async function dealBatches(jobs: readonly ReadJob[], given: ReadSink, count: number): Promise<void> {
  const { sink, ended } = followNewest(given)
  const queue = createQueue(batchesOf(jobs.slice(0, sink.first)))
  const workers = Array.from({ length: count }, () => readInWorker(queue, sink))
  const all = Promise.all(workers)
  // A failure is thrown below; until then it must not count as unhandled.
  all.catch(() => {})
  await setImmediate()
  // I9: all threads share the newest sessions. What comes after them takes a look at every file, which they do not wait for.
  for (let batch = queue.shift(); batch !== undefined; batch = queue.shift())
    await readBatchHere(batch, sink, setImmediate)
  await Promise.race([ended, all])
  queue.finish(sink.isStopped() ? [] : batchesOfRest(jobs, sink.first))
  // The smallest here: this thread has to write what the others read.
  for (let batch = queue.pop(); batch !== undefined; batch = queue.pop())
    await readBatchHere(batch, sink, setImmediate)
  await all
}

/** A sink, and when all of the newest sessions are in it, or the reader has stopped. */
function followNewest(sink: ReadSink): { readonly sink: ReadSink; readonly ended: Promise<void> } {
  let left = sink.first
  let done: () => void = () => {}
  const ended = new Promise<void>(resolve => {
    done = resolve
  })
  if (left === 0) done()
  const end: ReadSink['end'] = (job, reading) => {
    sink.end(job, reading)
    if (job < sink.first) left--
    if (left === 0 || sink.isStopped()) done()
  }
  return { sink: { ...sink, end }, ended }
}

/** The batches that are still to be read. */
interface BatchQueue {
  readonly shift: () => Batch | undefined
  readonly pop: () => Batch | undefined
  /** None is left, and none will come. */
  readonly isAtEnd: () => boolean
  /** Adds the last ones, and notifies the listeners. */
  readonly finish: (batches: readonly Batch[]) => void
  readonly listen: (listener: () => void) => void
}

function createQueue(batches: Batch[]): BatchQueue {
  const listeners: (() => void)[] = []
  let isWhole = false
  return {
    shift: () => batches.shift(),
    pop: () => batches.pop(),
    isAtEnd: () => isWhole && batches.length === 0,
    finish: last => {
      batches.push(...last)
      isWhole = true
      for (const listener of listeners) listener()
    },
    listen: listener => void listeners.push(listener),
  }
}

/** Gives a worker batches until there are none, and puts what it reads into the sink. */
async function readInWorker(queue: BatchQueue, sink: ReadSink): Promise<void> {
  const worker = startWorker('index', { isThread: true, endedEarly })
  let left = 0
  let isDone: () => void = () => {}
  const done = new Promise<void>(resolve => {
    isDone = resolve
  })
  const give = (most: number): void => {
    for (; left < most; left++) {
      const batch = queue.shift()
      if (batch === undefined) break
      run.send(batch)
    }
    if (!queue.isAtEnd()) return
    run.end()
    if (left === 0) isDone()
  }
  const run = worker.run(null, part => {
    if (part === MORE) {
      left--
      give(PREFETCHED)
    } else receiveMessage(part as BatchMessage, sink)
    if (sink.isStopped()) isDone()
  })
  queue.listen(() => give(1))
  // One for each worker, before any has two.
  give(1)
  try {
    await Promise.race([done, run.result])
  } finally {
    worker.close()
  }
}

function endedEarly(code: number | null): UserError {
  const what = `A thread that reads for the index ended early (${code ?? 'killed'})`
  return new UserError(`${what}: run it again; what was read is kept.`)
}

/** The task of a worker: reads batch after batch. */
export async function readBatches(_: null, { inputs, send, post }: Channel): Promise<null> {
  for await (const batch of inputs) {
    for (const word of readBatch(batch as Batch)) await send(word)
    post(MORE)
  }
  return null
}
