/** Reading in batches: files that may link to each other, read and judged by one process for another. */
import type { Chunk, ReadingEnd, ReadJob } from '../db/facts.js'
import type { GroupVerdict } from './judge.js'
import { Precomputation } from './precompute.js'
import { readFacts, readPart } from './read.js'
import type { Reader, ReadSink } from './sync.js'

/** Files that may link to each other, each with the number of its job. */
export type Batch = readonly (readonly [job: number, work: ReadJob])[]

/** What the reader of a batch sends: some rows of a file, the end of a file, or a precomputed verdict. */
export type BatchMessage =
  | { readonly job: number; readonly chunk: Chunk }
  | { readonly job: number; readonly end: ReadingEnd }
  | { readonly verdict: GroupVerdict }

/** A project larger than this is read in several batches: one that has nearly everything would keep one process busy. */
const LARGE = 4 * 1024 * 1024

/**
 * Batches of the jobs from a number on, each of one project; files of one session follow each other and stay together. The
 * first half of the bytes keeps the order of the jobs; of the rest the largest batch comes first, so that all processes end at
 * the same time.
 */
export function batchesOf(jobs: readonly ReadJob[], from = 0, large: number = LARGE): Batch[] {
  const open = new Map<string, { batch: (readonly [number, ReadJob])[]; bytes: number }>()
  const batches: Batch[] = []
  for (const [index, job] of jobs.entries()) {
    if (index < from) continue
    const known = open.get(job.project)
    const before = known?.batch.at(-1)?.[1].facts.session
    const isFull = known !== undefined && known.bytes >= large && before !== job.facts.session
    const into = known === undefined || isFull ? { batch: [], bytes: 0 } : known
    if (into !== known) batches.push(into.batch)
    open.set(job.project, into)
    into.batch.push([index, job])
    into.bytes += job.bytes
  }
  const middle = halfOf(batches)
  return [...batches.slice(0, middle), ...batches.slice(middle).sort((a, b) => sizeOf(b) - sizeOf(a))]
}

/** How many batches hold the first half of the bytes. */
function halfOf(batches: readonly Batch[]): number {
  const half = batches.reduce((sum, batch) => sum + sizeOf(batch), 0) / 2
  let [count, bytes] = [0, 0]
  for (const batch of batches) {
    bytes += sizeOf(batch)
    if (bytes > half) break
    count++
  }
  return count
}

function sizeOf(batch: Batch): number {
  return batch.reduce((sum, [, { bytes }]) => sum + bytes, 0)
}

/** Bytes that are read before they are sent. */
const PART = 256 * 1024

/** Reads a batch. Precomputed verdicts come before the last end, because the group is judged then. */
export function* readBatch(batch: Batch): Generator<BatchMessage> {
  const precomputation = new Precomputation()
  for (const [index, [job, work]] of batch.entries()) {
    const end = yield* readFile(job, work, precomputation)
    precomputation.endFile(work, end)
    if (index === batch.length - 1) for (const verdict of precomputation.verdicts()) yield { verdict }
    yield { job, end }
  }
}

function* readFile(
  job: number,
  work: ReadJob,
  precomputation: Precomputation,
): Generator<BatchMessage, ReadingEnd> {
  for (let next = work; ; ) {
    const chunks: Chunk[] = []
    const part = readPart(
      next,
      (chunk, rows) => {
        chunks.push(chunk)
        precomputation.addChunk(work, chunk, rows)
      },
      PART,
    )
    for (const chunk of chunks) yield { job, chunk }
    if (!('next' in part)) return part
    next = part.next
  }
}

/** Reads in this process. */
export const readHere: Reader = async (jobs, sink) => {
  const newest = batchesOf(jobs.slice(0, sink.first))
  for (const batch of [...newest, ...batchesOf(jobs, sink.first)]) await readBatchHere(batch, sink, pause)
}

/** Interrupts are handled between files. */
function pause(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** Reads a batch in this process. `between` is awaited after each file. */
export async function readBatchHere(
  batch: Batch,
  sink: ReadSink,
  between: () => Promise<void>,
): Promise<void> {
  const precomputation = new Precomputation()
  for (const [index, [job, work]] of batch.entries()) {
    if (sink.isStopped()) return
    const end = readFacts(work, (chunk, rows) => {
      precomputation.addChunk(work, chunk, rows)
      sink.chunk(job, chunk)
    })
    precomputation.endFile(work, end)
    if (index === batch.length - 1) for (const verdict of precomputation.verdicts()) sink.verdict(verdict)
    sink.end(job, end)
    await between()
  }
}

/** Passes a message on to the sync. */
export function receiveMessage(message: BatchMessage, sink: ReadSink): void {
  if ('verdict' in message) sink.verdict(message.verdict)
  else if ('chunk' in message) sink.chunk(message.job, message.chunk)
  else sink.end(message.job, message.end)
}
