/**
 * How long things took, in a form that can be added up: sums, and counts by size. Eight sizes double a duration, so that
 * a median read off them is right to a twentieth, however many durations went in.
 */

import { addFields, addLists } from './rows.js'

/** Durations, added up. Times in milliseconds. */
export interface Durations {
  readonly count: number
  readonly total: number
  readonly longest: number
  /** How many durations are of each size; each is a twelfth above the one before. */
  readonly sizes: readonly number[]
}

const stepsPerDoubling = 8

/** No durations. */
export const noDurations: Durations = { count: 0, total: 0, longest: 0, sizes: [] }

/** Sums up durations in milliseconds; those that are unknown or negative are left out. */
export function sumDurations(times: Iterable<number>): Durations {
  const sizes: number[] = []
  const sum = { count: 0, total: 0, longest: 0, sizes }
  for (const time of times) {
    if (!(time >= 0)) continue
    sum.count++
    sum.total += time
    sum.longest = Math.max(sum.longest, time)
    const size = sizeOf(time)
    while (sizes.length <= size) sizes.push(0)
    sizes[size] = (sizes[size] ?? 0) + 1
  }
  return sum
}

function sizeOf(time: number): number {
  return time < 1 ? 0 : 1 + Math.floor(stepsPerDoubling * Math.log2(time))
}

/** Both together. */
export function addDurations(a: Durations, b: Durations): Durations {
  return {
    ...addFields(a, b),
    longest: Math.max(a.longest, b.longest),
    sizes: addLists(a.sizes, b.sizes),
  }
}

/** The duration that a share (0.5: half) of all stays below, in milliseconds, to a twentieth; null where there is none. */
export function quantileOf({ count, longest, sizes }: Durations, share: number): number | null {
  if (count === 0) return null
  if (count === 1) return longest
  const wanted = Math.ceil(share * count)
  let seen = 0
  for (const [size, here] of sizes.entries()) {
    seen += here
    if (seen >= wanted) return Math.min(longest, middleOf(size))
  }
  return longest
}

function middleOf(size: number): number {
  return size === 0 ? 0 : Math.round(2 ** ((size - 0.5) / stepsPerDoubling))
}
