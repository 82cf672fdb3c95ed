/**
 * Work on whole projects. Each is a pure function of a place that gives plain data, so a crew of threads can share
 * the projects: the largest first, each thread takes the next when it is done. The main thread works along.
 */
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Console } from '../console.js'
import { describeProject } from './facts.js'
import { listSessions } from './overview.js'
import type { Place } from './places.js'
import { type Meter, meterOf } from './project.js'
import { summarise } from './summary.js'

/** The tasks by name: a name can be handed to another thread, a function cannot. */
interface Tasks {
  readonly summarise: typeof summarise
  readonly listSessions: typeof listSessions
  readonly describeProject: typeof describeProject
}

const tasks: Tasks = { summarise, listSessions, describeProject }

export type TaskName = keyof Tasks
export type TaskResult<N extends TaskName> = ReturnType<Tasks[N]>

/** Below this many bytes a second thread costs more than it brings. */
const WORTH_A_CREW = 16 * 1024 * 1024
const MOST_HANDS = 8

/** Runs a task over all places; the results are in their order. */
export async function runTask<N extends TaskName>(
  name: N,
  places: readonly Place[],
  console: Console,
): Promise<readonly TaskResult<N>[]> {
  const meter = meterOf(console)
  const results: TaskResult<N>[] = []
  const order = bySize(places)
  const taken = new Int32Array(new SharedArrayBuffer(4))
  const helpers = startHelpers(
    name,
    order.map(index => places[index]),
    taken,
  )
  for (let turn = take(taken); turn < order.length; turn = take(taken)) {
    const index = order[turn] ?? -1
    const place = places[index]
    if (place !== undefined) results[index] = perform(name, place, meter)
  }
  for (const helper of helpers)
    for (const { turn, result } of await helper) results[order[turn] ?? -1] = result
  meter.done()
  return results
}

/** The numbers of the places, the largest first: the last one to be done is then a small one. */
function bySize(places: readonly Place[]): readonly number[] {
  return places.map((_, index) => index).sort((a, b) => sizeOf(places[b]) - sizeOf(places[a]))
}

function sizeOf(place: Place | undefined): number {
  return place?.project.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0
}

/** The next turn nobody has taken. */
function take(taken: Int32Array): number {
  return Atomics.add(taken, 0, 1)
}

function perform<N extends TaskName>(name: N, place: Place, meter?: Meter): TaskResult<N> {
  const task: (at: Place, with_?: Meter) => unknown = tasks[name]
  return task(place, meter) as TaskResult<N>
}

/** What a helping thread is told, and what it answers: the turns it took. */
interface Order {
  readonly crew: true
  readonly name: TaskName
  readonly places: readonly (Place | undefined)[]
  readonly taken: Int32Array
}

interface Done<N extends TaskName> {
  readonly turn: number
  readonly result: TaskResult<N>
}

function startHelpers<N extends TaskName>(
  name: N,
  places: Order['places'],
  taken: Int32Array,
): readonly Promise<readonly Done<N>[]>[] {
  const size = places.reduce((sum, place) => sum + sizeOf(place), 0)
  // Only the bundled command is a file that a thread can be started from.
  if (size < WORTH_A_CREW || !import.meta.url.endsWith('.js')) return []
  const hands = Math.min(availableParallelism(), MOST_HANDS, places.length)
  const order: Order = { crew: true, name, places, taken }
  return Array.from({ length: hands - 1 }, () => startHelper<N>(order))
}

function startHelper<N extends TaskName>(order: Order): Promise<readonly Done<N>[]> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: order,
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** Whether this thread was started to help. */
export function isHelper(): boolean {
  return !isMainThread && (workerData as Partial<Order> | null)?.crew === true
}

/** Helps: takes turns until there are none left, then answers with all results. */
export function help(): void {
  const { name, places, taken } = workerData as Order
  const done: Done<TaskName>[] = []
  for (let turn = take(taken); turn < places.length; turn = take(taken)) {
    const place = places[turn]
    if (place !== undefined) done.push({ turn, result: perform(name, place) })
  }
  parentPort?.postMessage(done)
}
