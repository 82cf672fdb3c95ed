/**
 * I10: which files are read together by one thread. Files that link to each other should be: then they are judged where their
 * rows are in memory, once. Files of one session do, and so do copies of a session, in whatever project: they begin at the
 * same time.
 */
import { join } from 'node:path'
import { groupBy } from '@dagline/core/model'
import type { ReadJob } from '../db/facts.js'
import { withFile } from '../files/source.js'
import { DisjointSets } from './disjoint-sets.js'

/** Files that may link to each other, each with the number of its job. */
export type Batch = readonly (readonly [job: number, work: ReadJob])[]

/**
 * A project larger than this is read in several batches: the rows of a batch are in memory until it is judged, and a project
 * that has nearly everything would keep one thread busy.
 */
const LARGE = 1024 * 1024
/** Copies that have more bytes than this are read apart: one thread would be busy with them for too long. */
const MOST_ALIKE = 64 * 1024 * 1024

/** When a file begins; null where it does not say. */
type StartOf = (job: ReadJob) => string | null

/**
 * Batches of the jobs from a number on. Files of one session follow each other and stay together, and so do sessions that
 * begin at the same time; all others are in batches of their project. The first half of the bytes keeps the order of the
 * jobs; of the rest the largest batch comes first, so that all threads end at the same time.
 */
export function batchesOf(
  jobs: readonly ReadJob[],
  { from = 0, large = LARGE, startOf = () => null }: Partial<BatchOptions> = {},
): Batch[] {
  const given = [...jobs.entries()].slice(from)
  const alike = findAlike(given, startOf)
  const open = new Map<string, { batch: (readonly [number, ReadJob])[]; bytes: number }>()
  const batches: Batch[] = []
  for (const [index, job] of given) {
    const name = alike.get(unitOf(job))
    const known = open.get(name ?? job.project)
    const before = known?.batch.at(-1)?.[1].facts.session
    const isFull = known !== undefined && known.bytes >= large && before !== job.facts.session
    const into = known === undefined || (isFull && name === undefined) ? { batch: [], bytes: 0 } : known
    if (into !== known) batches.push(into.batch)
    open.set(name ?? job.project, into)
    into.batch.push([index, job])
    into.bytes += job.bytes
  }
  const middle = halfOf(batches)
  return [...batches.slice(0, middle), ...batches.slice(middle).sort((a, b) => sizeOf(b) - sizeOf(a))]
}

/** Below this many bytes judging files twice costs less than looking at the start of each. */
const WORTH_LOOKING = 16 * 1024 * 1024

/** The same for files that are read after the newest sessions: copies are found by a look at the files. */
export function batchesOfRest(jobs: readonly ReadJob[], from: number): Batch[] {
  const isWorth = sizeOf([...jobs.entries()].slice(from)) > WORTH_LOOKING
  return batchesOf(jobs, isWorth ? { from, startOf: firstTimeIn } : { from })
}

interface BatchOptions {
  readonly from: number
  /** Bytes after which the batch of a project is full. */
  readonly large: number
  readonly startOf: StartOf
}

function unitOf({ project, path, facts: { session } }: ReadJob): string {
  return `${project}\n${session ?? path}`
}

/** A name for each session that begins like another one, the same for all that do. */
function findAlike(given: Batch, startOf: StartOf): ReadonlyMap<string, string> {
  const units = [...groupBy(given, ([, job]) => unitOf(job)).entries()]
  const names = new Map<string, string>()
  for (const set of beginningAlike(units, startOf)) {
    const alike = set.flatMap(at => units[at]?.[1] ?? [])
    if (sizeOf(alike) > MOST_ALIKE) continue
    for (const [, job] of alike) names.set(unitOf(job), `\n${set[0]}`)
  }
  return names
}

/** Which of some units have a file that begins at the same time, as lists of their places. */
function beginningAlike(
  units: readonly (readonly [string, Batch])[],
  startOf: StartOf,
): readonly (readonly number[])[] {
  const sets = new DisjointSets()
  const firstWith = new Map<string, number>()
  for (const [at, [, files]] of units.length < 2 ? [] : units.entries()) {
    for (const [, job] of files) {
      const start = startOf(job)
      const first = start === null ? undefined : firstWith.get(start)
      if (first !== undefined && first !== at) sets.join(first, at)
      else if (start !== null) firstWith.set(start, at)
    }
  }
  return sets.lists()
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

/** The first time is in the first rows; only a long summary or prompt comes before it. */
const START = 16 * 1024
const TIME = '"timestamp":"'

/** The first time in a file that is read from its start; null where its first bytes have none. */
export function firstTimeIn({ root, path, archive, from }: ReadJob): string | null {
  if (archive !== null || from !== null) return null
  try {
    const buffer = Buffer.allocUnsafe(START)
    const length = withFile(join(root, path), file => file.read(buffer, 0, START, 0))
    const at = buffer.subarray(0, length).indexOf(TIME, 0, 'latin1') + TIME.length
    return at < TIME.length ? null : buffer.toString('latin1', at, at + '2026-01-01T00:00:00.000Z'.length)
  } catch {
    // Reading it says what is the matter.
    return null
  }
}
