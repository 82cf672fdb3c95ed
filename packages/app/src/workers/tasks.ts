/**
 * Work on whole projects, shared between processes. A task is a pure function of a place that gives plain data. On
 * more than one core the projects are dealt out by size, and this process works along.
 *
 * Processes, not threads: reading makes and drops large strings all the time, and two threads of one process then
 * wait for each other at the memory map (measured: two threads took as long as one; docs/PERFORMANCE.md).
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Diagnostic } from '@dagline/core'
import { describeProject } from '../graphs/facts.js'
import { type Meter, meterOf, SILENT } from '../graphs/project.js'
import { summarise } from '../graphs/summary.js'
import { examineProject } from '../health/examine.js'
import type { Host } from '../host.js'
import type { Place } from '../locate/places.js'
import { listSessions } from '../measure/sessions.js'
import { analyseProject } from '../measure/stats.js'
import { measureProject } from '../measure/usage-task.js'
import { bundledCommand, HELP_READING } from './entry.js'

/** The tasks by name: a name can be handed to another process, a function cannot. */
interface Tasks {
  readonly summarise: typeof summarise
  readonly listSessions: typeof listSessions
  readonly describeProject: typeof describeProject
  readonly measureProject: typeof measureProject
  readonly analyseProject: typeof analyseProject
  readonly examineProject: typeof examineProject
}

const tasks: Tasks = {
  summarise,
  listSessions,
  describeProject,
  measureProject,
  analyseProject,
  examineProject,
}

export type TaskName = keyof Tasks
export type TaskResult<N extends TaskName> = ReturnType<Tasks[N]>

/** Below this many bytes a second process costs more than it brings. */
const WORTH_A_CREW = 64 * 1024 * 1024
const MOST_HANDS = 4
/** What this process reads while a helper is still starting. */
const HEAD_START = 32 * 1024 * 1024
/** How long to wait until a helper has its order, which is sent while this process is not busy. */
const HANDING_OVER = 200

/** Runs a task over all places; the results are in their order. What could not be read is noted on the host. */
export async function runTask<N extends TaskName>(
  name: N,
  places: readonly Place[],
  host: Host,
): Promise<readonly TaskResult<N>[]> {
  const [own = [], ...shares] = deal(places)
  if (shares.length > 0) setFlagsFromString(LESS_COMPILING)
  const helpers = await Promise.all(
    shares.map(share =>
      startHelper(
        name,
        share.map(index => places[index]),
      ),
    ),
  )
  const meter = meterOf(host)
  const results: TaskResult<N>[] = []
  for (const index of own) {
    const place = places[index]
    if (place !== undefined) results[index] = perform(name, place, meter)
  }
  for (const [hand, { answer }] of helpers.entries()) {
    const share = shares[hand] ?? []
    const { results: done, unread } = await answer
    for (const [turn, result] of done.entries()) results[share[turn] ?? -1] = result as TaskResult<N>
    for (const [root, failures] of unread) meter.unread(root, failures)
  }
  meter.done()
  return results
}

/** The numbers of the places for each hand: the largest first, each to the hand with the least to do. */
function deal(places: readonly Place[]): readonly (readonly number[])[] {
  const sizes = places.map(({ project }) => project.files.reduce((sum, file) => sum + file.bytes, 0))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const hands = Array.from({ length: total < WORTH_A_CREW ? 1 : handCount(places) }, (_, hand) => ({
    bytes: hand === 0 ? 0 : HEAD_START,
    indices: [] as number[],
  }))
  const order = places.map((_, index) => index).sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0))
  for (const index of order) {
    const idle = hands.reduce((least, hand) => (hand.bytes < least.bytes ? hand : least))
    idle.bytes += sizes[index] ?? 0
    idle.indices.push(index)
  }
  return hands.map(({ indices }) => indices)
}

/** Only the bundled command is a file that a process can be started from. */
function handCount(places: readonly Place[]): number {
  return bundledCommand() === null ? 1 : Math.min(availableParallelism(), MOST_HANDS, places.length)
}

function perform<N extends TaskName>(name: N, place: Place, meter: Meter): TaskResult<N> {
  const task: (at: Place, telling: Meter) => unknown = tasks[name]
  return task(place, meter) as TaskResult<N>
}

/** What a helper is told. */
interface Order {
  readonly name: TaskName
  readonly places: readonly (Place | undefined)[]
}

/** What it answers. */
interface Answer {
  /** In the order of the places. */
  readonly results: readonly unknown[]
  readonly unread: readonly (readonly [root: string, failures: readonly Diagnostic[]])[]
}

interface Helper {
  readonly answer: Promise<Answer>
}

/** Every core has a process of its own: further threads of the engine would only take turns with them. */
const SINGLE = ['--single-threaded', '--no-turbofan']
/** The same for this process, as far as it can still be said: its slowest compiler runs beside the work. */
const LESS_COMPILING = '--no-turbofan'

async function startHelper(name: TaskName, places: Order['places']): Promise<Helper> {
  const child = fork(bundledCommand() ?? '', [HELP_READING], {
    serialization: 'advanced',
    execArgv: SINGLE,
  })
  const answer = new Promise<Answer>((resolve, reject) => {
    child.once('message', message => resolve(message as Answer))
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`a helping process ended early (${code})`)))
  })
  // Whoever waits for the results hears of the failure; until then it is no unhandled one.
  answer.catch(() => {})
  const order: Order = { name, places }
  const sent = new Promise<void>(resolve => child.send(order, () => resolve()))
  await Promise.race([sent, setTimeout(HANDING_OVER, undefined, { ref: false })])
  return { answer }
}

/** Helps: takes one order, answers, ends. Ends too when whoever asked is gone. */
export function help(): void {
  if (process.connected !== true) return
  process.once('disconnect', () => process.exit())
  process.once('message', message => {
    const { name, places } = message as Order
    const unread: [string, readonly Diagnostic[]][] = []
    const meter: Meter = { ...SILENT, unread: (root, failures) => unread.push([root, failures]) }
    const results = places.map(place => (place === undefined ? null : perform(name, place, meter)))
    const answer: Answer = { results, unread }
    process.send?.(answer, () => process.disconnect())
  })
}
