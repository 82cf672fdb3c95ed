/** Reading in batches: files that may link to each other, read and judged by one process for another. */
import type { Chunk, ReadingEnd } from '../db/facts.js'
import { type Batch, batchesOf, batchesOfRest } from './batches.js'
import { byPath } from './disjoint-sets.js'
import type { GroupVerdict } from './judge.js'
import { Precomputation } from './precompute.js'
import { type OpenSource, readPart } from './read.js'
import type { Reader, ReadSink } from './sync.js'

/** What the reader of a batch sends: some rows of a file, the end of a file, or a precomputed verdict. */
export type BatchMessage =
  | { readonly job: number; readonly chunk: Chunk }
  | { readonly job: number; readonly end: ReadingEnd }
  | { readonly verdict: GroupVerdict }

/** Bytes that are read before they are sent. */
const PART = 256 * 1024

/** Reads a batch. Precomputed verdicts come before the last end, because the group is judged then. */
export function* readBatch(batch: Batch, open?: OpenSource): Generator<BatchMessage> {
  const precomputation = new Precomputation()
  for (const [index, [job, work]] of inOrder(batch).entries()) {
    const end = yield* readFile([job, work], precomputation, open)
    precomputation.endFile(work, end)
    if (index === batch.length - 1) for (const verdict of precomputation.verdicts()) yield { verdict }
    yield { job, end }
  }
}

function* readFile(
  [job, work]: Batch[number],
  precomputation: Precomputation,
  open?: OpenSource,
): Generator<BatchMessage, ReadingEnd> {
  for (let next = work; ; ) {
    const chunks: Chunk[] = []
    const part = readPart(
      next,
      (chunk, rows) => {
        chunks.push(chunk)
        precomputation.addChunk(work, chunk, rows)
      },
      // Bytes that are not on disk may take a question to a database each time.
      open === undefined ? { most: PART } : { most: Number.POSITIVE_INFINITY, open },
    )
    for (const chunk of chunks) yield { job, chunk }
    if (!('next' in part)) return part
    next = part.next
  }
}

/** By path: the order in which files are judged. */
function inOrder(batch: Batch): Batch {
  return [...batch].sort(([, a], [, b]) => byPath(a, b))
}

/** Reads in this process. */
export const readHere: Reader = readerFrom()

/** Reads in this process, files that are not on disk by their own bytes; those of the archive unless given. */
export function readerFrom(open?: OpenSource): Reader {
  const read = (batch: Batch, sink: ReadSink): Promise<void> => readBatchHere(batch, sink, pause, open)
  return async (jobs, sink) => {
    for (const batch of batchesOf(jobs.slice(0, sink.first))) await read(batch, sink)
    if (sink.isStopped()) return
    for (const batch of batchesOfRest(jobs, sink.first)) await read(batch, sink)
  }
}

/** Interrupts are handled in between. */
function pause(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** Reads a batch in this process. `between` is awaited after each message, so that what other threads have read is written. */
export async function readBatchHere(
  batch: Batch,
  sink: ReadSink,
  between: () => Promise<void>,
  open?: OpenSource,
): Promise<void> {
  if (sink.isStopped()) return
  for (const message of readBatch(batch, open)) {
    receiveMessage(message, sink)
    await between()
    if ('end' in message && sink.isStopped()) return
  }
}

/** Passes a message on to the sync. */
export function receiveMessage(message: BatchMessage, sink: ReadSink): void {
  if ('verdict' in message) sink.verdict(message.verdict)
  else if ('chunk' in message) sink.chunk(message.job, message.chunk)
  else sink.end(message.job, message.end)
}
