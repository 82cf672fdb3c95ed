/** Cycles in a directed graph. */

interface Visit {
  readonly order: number
  low: number
  isOpen: boolean
}

/**
 * The groups of names that lead to each other, each sorted, in the order of their first names (Tarjan's strongly connected
 * components; a name that leads to itself is none). Linear, without recursion.
 */
export function cyclesIn(edges: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const targets = new Map<string, string[]>()
  for (const [from, to] of edges) targets.set(from, [...(targets.get(from) ?? []), to])
  const visits = new Map<string, Visit>()
  const open: string[] = []
  const found: string[][] = []
  const enter = (name: string): Visit => {
    const visit = { order: visits.size, low: visits.size, isOpen: true }
    visits.set(name, visit)
    open.push(name)
    return visit
  }
  for (const root of targets.keys()) {
    if (visits.has(root)) continue
    const path = [{ name: root, visit: enter(root), next: 0 }]
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const target = targets.get(step.name)?.[step.next++]
      if (target === undefined) {
        path.pop()
        const above = path.at(-1)
        if (above !== undefined) above.visit.low = Math.min(above.visit.low, step.visit.low)
        if (step.visit.low !== step.visit.order) continue
        const group = open.splice(open.indexOf(step.name))
        for (const name of group) (visits.get(name) ?? step.visit).isOpen = false
        if (group.length > 1) found.push(group.sort())
      } else {
        const known = visits.get(target)
        if (known === undefined) path.push({ name: target, visit: enter(target), next: 0 })
        else if (known.isOpen) step.visit.low = Math.min(step.visit.low, known.order)
      }
    }
  }
  return found.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
}
