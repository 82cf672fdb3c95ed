/**
 * Reading for the index in other processes: they parse and judge, this one writes. What is to be read is dealt out batch
 * by batch, so that all of them end at the same time: this process takes one whenever nothing waits to be written.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import {
  type Batch,
  type BatchWord,
  batchesOf,
  hearWord,
  type Reader,
  readBatch,
  readHere,
  type Sink,
} from '@dagline/store'
import { UserError } from '../user-error.js'
import { bundledCommand, HELP_INDEXING } from './entry.js'
import { openSpool, type SpoolPlace, SpoolWriter, takeWord } from './spool.js'

/** Below this many bytes a second process costs more than it brings. */
const WORTH_A_CREW = 24 * 1024 * 1024
const MOST_HANDS = 3

/**
 * Every core has a process of its own, and all of them share the memory: objects get little room. Code is not compiled a
 * third time: a helper is done before that pays.
 */
const SMALL = [
  '--single-threaded',
  '--no-turbofan',
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--heap-growing-percent=40',
]
/** The same for this process, as far as it can still be said. */
const SMALL_HERE = '--semi-space-growth-factor=1 --heap-growing-percent=20'

/** Where a helper finds the spool among its open files. */
const SPOOL = 4

/** What a helper says: what it read, or that it wants more to do. */
type Word = BatchWord | 'more'
/** How it says it: in the spool, or where the word is too large for that, as it is. */
type Message = { readonly place: SpoolPlace } | { readonly word: Word }

/** Batches that a helper has: while it reads one, the next is on its way. */
const AHEAD = 2

/** Reads with helpers where it is worth it. */
export const readWithCrew: Reader = async (jobs, sink) => {
  const total = jobs.reduce((sum, job) => sum + job.bytes, 0)
  const batches = batchesOf(jobs)
  const hands = Math.min(availableParallelism() - 1, MOST_HANDS, batches.length)
  if (hands < 1 || total < WORTH_A_CREW || bundledCommand() === null) return readHere(jobs, sink)
  setFlagsFromString(SMALL_HERE)
  const helpers = Array.from({ length: hands }, () => runHelper(batches, sink))
  // The smallest here: this process has to write what the others read.
  for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
    await readHere(
      batch.map(([, work]) => work),
      renumbered(sink, batch),
    )
  }
  await Promise.all(helpers)
}

function renumbered(sink: Sink, batch: Batch): Sink {
  const numberOf = (job: number): number => batch[job]?.[0] ?? -1
  return {
    ...sink,
    stretch: (job, stretch, rows) => sink.stretch(numberOf(job), stretch, rows),
    end: (job, end) => sink.end(numberOf(job), end),
  }
}

async function runHelper(batches: Batch[], sink: Sink): Promise<void> {
  const spool = openSpool()
  const child = fork(bundledCommand() ?? '', [HELP_INDEXING], {
    serialization: 'advanced',
    execArgv: SMALL,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', spool],
  })
  try {
    await listen(child, spool, batches, sink)
  } finally {
    if (child.connected) child.disconnect()
    closeSync(spool)
  }
}

/** Hears the helper out, and gives it more to do until there is none. */
function listen(child: ChildProcess, spool: number, batches: Batch[], sink: Sink): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let has = 0
    let isTold = false
    const give = (most: number): void => {
      for (; has < most && batches.length > 0; has++) child.send(batches.shift() ?? [])
      if (batches.length > 0 || isTold) return
      isTold = true
      child.send('last')
    }
    child.on('message', (message: Message) => {
      try {
        const word = 'word' in message ? message.word : takeWord<Word>(spool, message.place)
        if ('place' in message) child.send(message.place.takes)
        if (word === 'more') {
          has--
          give(AHEAD)
        } else hearWord(word, sink)
        if (has === 0 || sink.isStopped()) resolve()
      } catch (error) {
        reject(error)
      }
    })
    child.once('error', reject)
    child.once('exit', code => {
      if (code !== 0) reject(new UserError(endedEarly(code)))
    })
    // After the last word: whatever it still had to do is not done.
    child.once('disconnect', () => reject(new UserError(endedEarly(child.exitCode))))
    // One for each helper, before any has two.
    give(1)
    if (has === 0) resolve()
  })
}

function endedEarly(code: number | null): string {
  return `A process that helps with reading ended early (${code ?? 'killed'}): run it again; what was read is kept.`
}

/** Helps: reads batch after batch. Ends when whoever asked is gone, which may be before it began. */
export function helpIndexing(): void {
  if (process.connected !== true) return
  const spool = new SpoolWriter(SPOOL)
  for (const gone of ['disconnect', 'error']) process.once(gone, () => process.exit())
  let work = Promise.resolve()
  process.on('message', (message: Batch | number | 'last') => {
    if (typeof message === 'number') spool.taken(message)
    else if (message === 'last') work = work.then(() => leave(spool))
    else work = work.then(() => help(message, spool))
  })
}

/** Its memory is wanted while what it read last is judged. */
async function leave(spool: SpoolWriter): Promise<void> {
  await spool.drain()
  process.disconnect()
}

async function help(batch: Batch, spool: SpoolWriter): Promise<void> {
  for (const word of readBatch(batch)) await say(spool, word)
  // Not in the spool: nobody has to wait until it is heard.
  process.send?.({ word: 'more' } satisfies Message)
}

async function say(spool: SpoolWriter, word: Word): Promise<void> {
  const place = await spool.put(word)
  const message: Message = place === null ? { word } : { place }
  process.send?.(message)
  // What the other end has taken is heard here.
  await setImmediate()
}
