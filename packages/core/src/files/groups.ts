/** G1, A10: project folders that hold files of the same session are read as one. */

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Where rows name their session: nearly always in the first bytes. */
export const SESSION_NAMED: RegExp = /"sessionId"\s*:\s*"([^"\\]{1,200})"/

/** Groups items that have a session in common, in the order of the first of each group. */
export function groupBySession<T>(
  items: readonly T[],
  sessionsOf: (item: T) => Iterable<string>,
): readonly (readonly T[])[] {
  interface Group {
    readonly items: T[]
    readonly sessions: string[]
  }
  const groupOf = new Map<string, Group>()
  const groups = new Set<Group>()
  for (const item of items) {
    // Only names that are ids: other file names may be equal by chance.
    const own = [...sessionsOf(item)].filter(session => SESSION_ID.test(session))
    const related = [...new Set(own.flatMap(session => groupOf.get(session) ?? []))]
    const joined = {
      items: [...related.flatMap(group => group.items), item],
      sessions: [...related.flatMap(group => group.sessions), ...own],
    }
    for (const group of related) groups.delete(group)
    groups.add(joined)
    for (const session of joined.sessions) groupOf.set(session, joined)
  }
  return [...groups].map(group => group.items)
}
