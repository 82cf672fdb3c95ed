/** Rows of tables: found by their key, added up, and put into an order that depends on nothing but the rows. */

/** Collects rows; those with the same key are added up. */
export function collectRows<T>(
  rows: Iterable<T>,
  keyOf: (row: T) => string,
  add: (a: T, b: T) => T,
): readonly T[] {
  const known = new Map<string, T>()
  for (const row of rows) {
    const before = known.get(keyOf(row))
    known.set(keyOf(row), before === undefined ? row : add(before, row))
  }
  return [...known.values()]
}

/** The most first; those with as many by key. */
export function sortRows<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  sizeOf: (row: T) => number,
): readonly T[] {
  return [...rows].sort((a, b) => sizeOf(b) - sizeOf(a) || (keyOf(a) < keyOf(b) ? -1 : 1))
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

/** Two lists of counts, place by place. */
export function addLists(a: readonly number[], b: readonly number[]): readonly number[] {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  return long.map((count, place) => count + (short[place] ?? 0))
}

/** Two records of counts, name by name, in the order of names. */
export function addCounts(a: Counts, b: Counts): Counts {
  const sums = new Map(Object.entries(a))
  for (const [name, count] of Object.entries(b)) sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries([...sums].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Counts by name. */
export type Counts = Readonly<Record<string, number>>
