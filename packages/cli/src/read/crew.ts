/**
 * Reading for the index in other processes: they parse, this one writes. Writing takes about as long as parsing, so on
 * two cores one process reads and this one never waits for it but at the start, when it reads some files itself.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Reader,
  type ReadingEnd,
  type ReadJob,
  readHere,
  readPart,
  type Sink,
  type Stretch,
} from '@dagline/store'

/** Below this many bytes a second process costs more than it brings. */
const WORTH_A_CREW = 24 * 1024 * 1024
const MOST_HANDS = 3
/** What this process reads while the others start. */
const HEAD_START = 4 * 1024 * 1024

const HELP = '--help-indexing'

/** What a helper says: a part of a file, or that it is read. `job` counts within its own order. */
type Word =
  | { readonly job: number; readonly stretch: Stretch }
  | { readonly job: number; readonly end: ReadingEnd }

/** Reads with helpers where it is worth it. `sizes` are the bytes of each job. */
export function crewReader(sizes: (job: ReadJob) => number): Reader {
  return async (jobs, sink) => {
    const total = jobs.reduce((sum, job) => sum + sizes(job), 0)
    const hands = Math.min(availableParallelism() - 1, MOST_HANDS)
    if (hands < 1 || total < WORTH_A_CREW || !import.meta.url.endsWith('.js')) return readHere(jobs, sink)
    const [own, shares] = deal(jobs, sizes, hands)
    const helpers = shares.map(share => startHelper(jobs, share, sink))
    await readHere(
      own.flatMap(index => jobs[index] ?? []),
      renumbered(sink, own),
    )
    await Promise.all(helpers)
  }
}

/** The first files for this process, the others dealt out by size. */
function deal(
  jobs: readonly ReadJob[],
  sizes: (job: ReadJob) => number,
  hands: number,
): readonly [own: readonly number[], shares: readonly (readonly number[])[]] {
  const own: number[] = []
  const shares = Array.from({ length: hands }, () => ({ bytes: 0, jobs: [] as number[] }))
  let head = 0
  for (const [index, job] of jobs.entries()) {
    const size = sizes(job)
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

async function startHelper(jobs: readonly ReadJob[], share: readonly number[], sink: Sink): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), [HELP], {
    serialization: 'advanced',
    execArgv: ['--single-threaded', '--max-semi-space-size=16'],
  })
  const mine = renumbered(sink, share)
  try {
    await new Promise<void>((resolve, reject) => {
      let left = share.length
      child.on('message', (word: Word) => {
        try {
          if ('stretch' in word) mine.stretch(word.job, word.stretch, null)
          else {
            mine.end(word.job, word.end)
            left--
            if (left === 0 || sink.isStopped()) resolve()
          }
        } catch (error) {
          reject(error)
        }
      })
      child.once('error', reject)
      child.once('exit', code => reject(new Error(`a helping process ended early (${code})`)))
      child.send(share.map(index => jobs[index]))
    })
  } finally {
    end(child)
  }
}

function end(child: ChildProcess): void {
  if (child.connected) child.disconnect()
}

/** Whether this process was started to help with an index. */
export function isIndexHelper(): boolean {
  return process.argv[2] === HELP && process.send !== undefined
}

/** Helps: takes one order, reads, ends. Ends too when whoever asked is gone. */
export function helpIndexing(): void {
  process.once('disconnect', () => process.exit())
  process.once('message', (jobs: readonly ReadJob[]) => {
    void readJobs(jobs)
  })
}

/** Bytes that are read before they are said. */
const PART = 2 * 1024 * 1024
/** Characters that may wait to be taken: the two processes need not wait for each other at every word. */
const MOST_WAITING = 32 * 1024 * 1024

async function readJobs(jobs: readonly ReadJob[]): Promise<void> {
  const mouth = new Mouth()
  for (const [job, work] of jobs.entries()) {
    let part: ReturnType<typeof readPart> = { next: work }
    while ('next' in part) {
      part = readPart(part.next, stretch => mouth.say({ job, stretch }, sizeOf(stretch)), PART)
      await mouth.rest()
    }
    mouth.say({ job, end: part }, 0)
  }
}

function sizeOf({ rows, texts }: Stretch): number {
  return texts.reduce((sum, [, , , , , , text]) => sum + text.length, rows.length)
}

/** Says words without waiting until they are heard, but for so many at a time. */
class Mouth {
  private waiting = 0
  private wake: () => void = () => {}

  say(word: Word, size: number): void {
    this.waiting += size
    process.send?.(word, () => {
      this.waiting -= size
      this.wake()
    })
  }

  /** Lets what was said go out. */
  async rest(): Promise<void> {
    await setImmediate()
    while (this.waiting > MOST_WAITING) {
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
  }
}
