/**
 * The proof of a long edit in another process: it reads the new file while this one still writes it. Rows go through
 * the file itself, so that what is proved is what stands on the disk.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, existsSync, writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { serialize, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type EditPlan, proofOf, type Reread, type Rereading, startRereading } from '@dagline/core'
import { type Prover, type Proving, proveHere, type RowPlace, readRows, StoreFailure } from '@dagline/store'
import { bundledCommand, HELP_PROVING } from './entry.js'
import { openSpool, takeWord } from './spool.js'

/** Below this many rows a second process costs more than it brings. */
const WORTH_A_HELPER = 50_000

/** Where the helper finds the file for what it has read among its open files. */
const RESULT = 4
/** How it is told that the rows are copies. */
const COPIES = 'copies'
/** Two processes share the memory: the engine of the helper is not to let garbage gather. */
const TIDY = ['--heap-growing-percent=30']
/** Milliseconds that it waits for further rows. */
const PAUSE = 2

/** Proves a plan: the rows of a long one in another process, where there is a core for it. */
export const prove: Prover = (plan, path) => {
  const isLong = plan.rows.file.length >= WORTH_A_HELPER && availableParallelism() > 1
  const command = isLong ? bundledCommand() : null
  return command === null ? proveHere(plan, path) : proveBy(command, plan, path)
}

function proveBy(command: string, plan: EditPlan, path: string): Proving {
  giveBack()
  const result = openSpool()
  const child = fork(command, [HELP_PROVING, path, plan.session, plan.copies ? COPIES : ''], {
    execArgv: TIDY,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', result],
  })
  const length = heard(child)
  return {
    // It reads them from the file.
    row: () => {},
    end: async bytes => {
      // One that is gone does not hear it; that it is gone is heard below.
      child.send(bytes, () => {})
      return proofOf(plan, takeWord<Reread>(result, { at: 0, length: await length, takes: 0 }))
    },
    close: () => {
      if (child.connected) child.disconnect()
      closeSync(result)
    },
  }
}

/** The graph that the plan was made from is garbage by now, and the helper is about to make one that is as large. */
function giveBack(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}

/** How long what it has written is. */
function heard(child: ChildProcess): Promise<number> {
  const length = new Promise<number>((resolve, reject) => {
    child.once('message', (bytes: number) => resolve(bytes))
    child.on('error', reject)
    child.once('exit', code => reject(new StoreFailure('damaged', endedEarly(code))))
  })
  // Whoever waits for it hears of the failure; until then it is no unhandled one.
  length.catch(() => {})
  return length
}

function endedEarly(code: number | null): string {
  return `Nothing was written, because the process that reads the result again ended early (${code ?? 'killed'}): try again.`
}

/** Helps: reads a file that is being written. Ends when whoever asked is gone. */
export function helpProving(): void {
  if (process.connected !== true) return
  const [, , , path = '', session = '', word] = process.argv
  let bytes = Number.POSITIVE_INFINITY
  process.once('disconnect', () => process.exit())
  process.once('message', (told: number) => {
    bytes = told
  })
  const reading = startRereading({ session, copies: word === COPIES })
  void follow(path, reading, () => bytes).then(() => {
    const said = serialize(reading.end(bytes))
    writeSync(RESULT, said, 0, said.length, 0)
    process.send?.(said.length)
  })
}

/** Reads rows as they come, until there are as many bytes as there will be. */
async function follow(path: string, { row }: Rereading, bytes: () => number): Promise<void> {
  let from: RowPlace = { offset: 0, row: 1 }
  while (from.offset < bytes()) {
    const { next } = existsSync(path) ? readRows(path, ({ text }) => row(text), { from }) : { next: from }
    // What is to come is heard in between.
    await (next.offset > from.offset ? setImmediate() : setTimeout(PAUSE))
    from = next
  }
}
