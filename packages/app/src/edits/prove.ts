/**
 * The proof of a long edit in a worker: it reads the new file while this one still writes it. Rows go through
 * the file itself, so that what is proved is what stands on the disk.
 */
import { existsSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type EditPlan, proofOf, type Reread, type Rereading, startRereading } from '@dagline/core/edit'
import { type Prover, type Proving, proveHere, type RowLocation, readRows, StoreError } from '@dagline/store'
import { startWorker, workerCount } from '../workers/pool.js'
import type { Channel } from '../workers/protocol.js'

/** Below this many rows a second process costs more than it brings. */
const WORTH_A_WORKER = 50_000

/** Two processes share the memory: the engine of the worker should not let garbage gather. */
const TIDY = ['--heap-growing-percent=30']
/** Milliseconds that it waits for further rows. */
const PAUSE = 2

/** What a worker reads. */
export interface ProveInput extends Pick<EditPlan, 'session' | 'copies'> {
  readonly path: string
}

/** Proves a plan: the rows of a long one in a worker, where there is a core for it. */
export const prove: Prover = (plan, path) => {
  const isLong = plan.rows.file.length >= WORTH_A_WORKER && workerCount(1) > 0
  return isLong ? proveInWorker(plan, path) : proveHere(plan, path)
}

function proveInWorker(plan: EditPlan, path: string): Proving {
  collectGarbage()
  const { session, copies } = plan
  const worker = startWorker('prove', { flags: TIDY, hasSpool: true, endedEarly })
  const { result, send } = worker.run({ path, session, copies })
  return {
    // It reads them from the file.
    row: () => {},
    end: async bytes => {
      send(bytes)
      return proofOf(plan, await result)
    },
    close: worker.close,
  }
}

/** The graph that the plan was made from is garbage by now, and the worker is about to make one that is as large. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}

function endedEarly(code: number | null): StoreError {
  const why = `the process that reads the result again ended early (${code ?? 'killed'})`
  return new StoreError('damaged', `Nothing was written, because ${why}: try again.`)
}

/** The task of a worker: reads a file that is being written. Its input is the number of bytes that there will be. */
export async function rereadFile(
  { path, session, copies }: ProveInput,
  { inputs }: Channel,
): Promise<Reread> {
  let bytes = Number.POSITIVE_INFINITY
  const listen = async (): Promise<void> => {
    for await (const value of inputs) bytes = Number(value)
  }
  void listen()
  const reading = startRereading({ session, copies })
  await follow(path, reading, () => bytes)
  return reading.end(bytes)
}

/** Reads rows as they come, until there are as many bytes as there will be. */
async function follow(path: string, { row }: Rereading, bytes: () => number): Promise<void> {
  let from: RowLocation = { offset: 0, row: 1 }
  while (from.offset < bytes()) {
    const { next } = existsSync(path) ? readRows(path, ({ text }) => row(text), { from }) : { next: from }
    // What is to come is heard in between.
    await (next.offset > from.offset ? setImmediate() : setTimeout(PAUSE))
    from = next
  }
}
