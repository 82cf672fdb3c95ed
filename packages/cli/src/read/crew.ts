/**
 * Reading for the index in other processes: they parse, this one writes. Writing takes about as long as parsing, so on
 * two cores one process reads, and this one reads only some files while the other starts.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import {
  type Reader,
  type ReadingEnd,
  type ReadJob,
  readHere,
  readPart,
  type Sink,
  type Stretch,
} from '@dagline/store'
import { Refusal } from '../console.js'
import { bundledCommand, HELP_INDEXING } from '../helping.js'
import { type SpoolPlace, SpoolWriter, takeWord } from './spool.js'

/** Below this many bytes a second process costs more than it brings. */
const WORTH_A_CREW = 24 * 1024 * 1024
const MOST_HANDS = 3
/** What this process reads while the others start. */
const HEAD_START = 4 * 1024 * 1024

/** Every core has a process of its own, and all of them share the memory: young objects get little room. */
const SMALL = ['--single-threaded', '--max-semi-space-size=8', '--heap-growing-percent=40']
/** The same for this process, as far as it can still be said. */
const SMALL_HERE = '--semi-space-growth-factor=1 --heap-growing-percent=20'

/** Where a helper finds the spool among its open files. */
const SPOOL = 4

/** What a helper says of its job: some rows of its file, or that it is read. `job` counts within its own order. */
type Word =
  | { readonly job: number; readonly stretch: Stretch }
  | { readonly job: number; readonly end: ReadingEnd }
/** How it says it: in the spool, or where the word is too large for that, as it is. */
type Message = { readonly place: SpoolPlace } | { readonly word: Word }

/** Reads with helpers where it is worth it. */
export const readWithCrew: Reader = async (jobs, sink) => {
  const total = jobs.reduce((sum, job) => sum + job.bytes, 0)

  const hands = Math.min(availableParallelism() - 1, MOST_HANDS)
  if (hands < 1 || total < WORTH_A_CREW || bundledCommand() === null) return readHere(jobs, sink)
  setFlagsFromString(SMALL_HERE)
  const [own, shares] = deal(jobs, hands)
  const helpers = shares.map(share => runHelper(jobs, share, sink))
  await readHere(
    own.flatMap(index => jobs[index] ?? []),
    renumbered(sink, own),
  )
  await Promise.all(helpers)
}

/** The first files for this process, the others dealt out by size. */
function deal(
  jobs: readonly ReadJob[],
  hands: number,
): readonly [own: readonly number[], shares: readonly (readonly number[])[]] {
  const own: number[] = []
  const shares = Array.from({ length: hands }, () => ({ bytes: 0, jobs: [] as number[] }))
  let head = 0
  for (const [index, { bytes: size }] of jobs.entries()) {
    if (head + size <= HEAD_START) {
      head += size
      own.push(index)
      continue
    }
    const least = shares.reduce((best, share) => (share.bytes < best.bytes ? share : best))
    least.bytes += size
    least.jobs.push(index)
  }
  return [own, shares.map(share => share.jobs).filter(share => share.length > 0)]
}

function renumbered(sink: Sink, numbers: readonly number[]): Sink {
  return {
    stretch: (job, stretch, rows) => sink.stretch(numbers[job] ?? -1, stretch, rows),
    end: (job, end) => sink.end(numbers[job] ?? -1, end),
    isStopped: sink.isStopped,
  }
}

async function runHelper(jobs: readonly ReadJob[], share: readonly number[], sink: Sink): Promise<void> {
  const spool = openSpool()
  const child = fork(bundledCommand() ?? '', [HELP_INDEXING], {
    serialization: 'advanced',
    execArgv: SMALL,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', spool],
  })
  try {
    await listen(child, spool, { share, sink: renumbered(sink, share), jobs })
  } finally {
    if (child.connected) child.disconnect()
    closeSync(spool)
  }
}

/** A file that nobody else can open, and that is gone when both processes are. */
function openSpool(): number {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-'))
  try {
    return openSync(join(folder, 'spool'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Order {
  readonly jobs: readonly ReadJob[]
  readonly share: readonly number[]
  readonly sink: Sink
}

/** Hears the helper out. */
function listen(child: ChildProcess, spool: number, { jobs, share, sink }: Order): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let left = share.length
    child.on('message', (message: Message) => {
      try {
        const word = 'word' in message ? message.word : takeWord<Word>(spool, message.place)
        if ('place' in message) child.send(message.place.takes)
        if ('stretch' in word) sink.stretch(word.job, word.stretch, null)
        else {
          sink.end(word.job, word.end)
          left--
        }
        if (left === 0 || sink.isStopped()) resolve()
      } catch (error) {
        reject(error)
      }
    })
    child.once('error', reject)
    child.once('exit', code => reject(new Refusal(endedEarly(code))))
    child.send(share.map(index => jobs[index]))
  })
}

function endedEarly(code: number | null): string {
  return `A process that helps with reading ended early (${code ?? 'killed'}): run it again; what was read is kept.`
}

/** Helps: takes one order, reads, ends. Ends too when whoever asked is gone, which may be before it began. */
export function helpIndexing(): void {
  if (process.connected !== true) return
  const spool = new SpoolWriter(SPOOL)
  for (const gone of ['disconnect', 'error']) process.once(gone, () => process.exit())
  process.on('message', (message: readonly ReadJob[] | number) => {
    if (typeof message === 'number') spool.taken(message)
    else void readJobs(message, spool)
  })
}

/** Bytes that are read before they are said. */
const PART = 2 * 1024 * 1024

async function readJobs(jobs: readonly ReadJob[], spool: SpoolWriter): Promise<void> {
  for (const [job, work] of jobs.entries()) {
    let part: ReturnType<typeof readPart> = { next: work }
    while ('next' in part) {
      const stretches: Stretch[] = []
      part = readPart(part.next, stretch => stretches.push(stretch), PART)
      for (const stretch of stretches) await say(spool, { job, stretch })
    }
    await say(spool, { job, end: part })
  }
  // Its memory is wanted while what it read last is judged.
  await spool.drain()
  process.disconnect()
}

async function say(spool: SpoolWriter, word: Word): Promise<void> {
  const place = await spool.put(word)
  const message: Message = place === null ? { word } : { place }
  process.send?.(message)
  // What the other end has taken is heard here.
  await setImmediate()
}
