/** The names in a text, with white space between them: long lists are easier to read so. */
export function namesIn(text: string): readonly string[] {
  return text.match(/\S+/g) ?? []
}

/** Items by a key: groups in the order of their first items, each in its own order. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) pushTo(groups, keyOf(item), item)
  return groups
}

/** The sum of a figure of all items. */
export function sumOf<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((sum, item) => sum + figure(item), 0)
}

/** The sum of the known costs; null where none is known. */
export function sumCosts(costs: readonly (number | null)[]): number | null {
  const known = costs.filter(cost => cost !== null)
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}

/** Adds an item to the group of its key. */
export function pushTo<T, K>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}

/** A value that is made when it is first asked for, and kept. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Plain code unit order: the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
