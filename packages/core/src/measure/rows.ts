/** Rows of tables: found by their key, added up, and put into an order that depends on nothing but the rows. */
import { compareText } from '../model/group.js'

/** Adds up rows that are equal in some fields; the largest first, those of one size by these fields. */
export function joinRows<T extends object>(
  rows: Iterable<T>,
  keys: readonly (keyof T)[],
  size: keyof T,
  add: (a: T, b: T) => T = addFields,
): readonly T[] {
  const known = new Map<string, T>()
  for (const row of rows) {
    const key = keys.map(name => row[name] ?? '').join('\0')
    const before = known.get(key)
    known.set(key, before === undefined ? row : add(before, row))
  }
  const sorted = [...known].sort(
    ([a, one], [b, other]) => Number(other[size]) - Number(one[size]) || compareText(a, b),
  )
  return sorted.map(([, row]) => row)
}

/** Two rows with the same fields: numbers are added up, everything else is as in the first. */
export function addFields<T extends object>(a: T, b: T): T {
  const names = Object.keys(a) as (keyof T)[]
  const sums = names.map(name => {
    const [one, other] = [a[name], b[name]]
    return [name, typeof one === 'number' && typeof other === 'number' ? one + other : one]
  })
  return Object.fromEntries(sums)
}

/** Two lists of counts, position by position. */
export function addLists(a: readonly number[], b: readonly number[]): readonly number[] {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  return long.map((count, position) => count + (short[position] ?? 0))
}

/** Two records of counts, name by name, in the order of names. */
export function addCounts(a: Counts, b: Counts): Counts {
  const sums = new Map(Object.entries(a))
  for (const [name, count] of Object.entries(b)) sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries([...sums].sort(([one], [other]) => compareText(one, other)))
}

/** Counts by name. */
export type Counts = Readonly<Record<string, number>>

// How long things took, in a form that can be added up: sums, and counts by size. Eight sizes double a duration, so that
// a median read off them is right to a twentieth, however many durations went in.

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
