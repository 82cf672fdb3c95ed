/** Reading in batches: files that may belong together, read and judged by one process for another. */
import type { ReadingEnd, ReadJob, Stretch } from '../db/facts.js'
import type { Opinion } from './judge.js'
import { Opinions } from './opinions.js'
import { readPart } from './read.js'
import type { Sink } from './sync.js'

/** Files that may belong together, each with the number of its job. */
export type Batch = readonly (readonly [job: number, work: ReadJob])[]

/** What reading a batch says: some rows of a file, that it is read, or what it thinks of some files. */
export type BatchWord =
  | { readonly job: number; readonly stretch: Stretch }
  | { readonly job: number; readonly end: ReadingEnd }
  | { readonly opinion: Opinion }

/** A project larger than this is read in several batches: one that has nearly everything would keep one process busy. */
const LARGE = 16 * 1024 * 1024

/** Project by project, the largest batch first; files of one session, which stand together, stay together. */
export function batchesOf(jobs: readonly ReadJob[]): Batch[] {
  const open = new Map<string, { batch: (readonly [number, ReadJob])[]; bytes: number }>()
  const batches: Batch[] = []
  for (const [index, job] of jobs.entries()) {
    const known = open.get(job.project)
    const before = known?.batch.at(-1)?.[1].facts.session
    const isFull = known !== undefined && known.bytes >= LARGE && before !== job.facts.session
    const into = known === undefined || isFull ? { batch: [], bytes: 0 } : known
    if (into !== known) batches.push(into.batch)
    open.set(job.project, into)
    into.batch.push([index, job])
    into.bytes += job.bytes
  }
  return batches.sort((a, b) => sizeOf(b) - sizeOf(a))
}

function sizeOf(batch: Batch): number {
  return batch.reduce((sum, [, { bytes }]) => sum + bytes, 0)
}

/** Bytes that are read before they are said. */
const PART = 2 * 1024 * 1024

/** Reads a batch. Opinions come before the last end, since the family is judged then. */
export function* readBatch(batch: Batch): Generator<BatchWord> {
  const opinions = new Opinions()
  for (const [place, [job, work]] of batch.entries()) {
    const end = yield* readFile(job, work, opinions)
    opinions.endFile(work, end)
    if (place === batch.length - 1) for (const opinion of opinions.all()) yield { opinion }
    yield { job, end }
  }
}

function* readFile(job: number, work: ReadJob, opinions: Opinions): Generator<BatchWord, ReadingEnd> {
  for (let next = work; ; ) {
    const stretches: Stretch[] = []
    const part = readPart(
      next,
      (stretch, rows) => {
        stretches.push(stretch)
        opinions.addStretch(work, stretch, rows)
      },
      PART,
    )
    for (const stretch of stretches) yield { job, stretch }
    if (!('next' in part)) return part
    next = part.next
  }
}

/** Passes on what was said. */
export function hearWord(word: BatchWord, sink: Sink): void {
  if ('opinion' in word) sink.opinion(word.opinion)
  else if ('stretch' in word) sink.stretch(word.job, word.stretch, null)
  else sink.end(word.job, word.end)
}
