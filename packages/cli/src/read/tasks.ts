/** Work on whole projects, one by one. */
import type { Console } from '../console.js'
import type { Place } from './places.js'
import { type Meter, meterOf } from './project.js'

/** A pure function of a place that reads it and gives plain data: it can be done anywhere. */
export type Task<T> = (place: Place, meter: Meter) => T

/** Runs a task over all places; the results are in their order. */
export async function runTask<T>(
  task: Task<T>,
  places: readonly Place[],
  console: Console,
): Promise<readonly T[]> {
  const meter = meterOf(console)
  const results = places.map(place => task(place, meter))
  meter.done()
  return results
}
