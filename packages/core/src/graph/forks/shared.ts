/**
 * Rewinds into shared history. A forked session repeats its origin's entries, which the origin owns; what is new
 * hangs on them. Where a new prompt hangs beside a repeated one, the user of the fork went back:
 *
 *     origin:  u1 a1 u2 a2             fork:  u1 a1 u2 a2        u1 a1 u2 a2 are repeated
 *                                                |-> u3 a3       u3 hangs on a1, beside u2
 */
import type { State } from '../state.js'
import * as t from '../table.js'
import { hasInput, isPrompt } from './fork.js'

/** A node of another session at which a session's own prompts part from what it repeats. */
export interface SharedFork {
  readonly at: number
  /** The repeated child and the session's own, in the order of writing. */
  readonly children: readonly number[]
  readonly own: readonly number[]
}

/** The roots of a session that hang on another session's nodes, without the first: each starts a branch. */
export function laterAttached(state: State, domain: number): readonly number[] {
  return attachedPrompts(state, domain).slice(1)
}

function attachedPrompts(state: State, domain: number): readonly number[] {
  const found = state.domains.list[domain]
  if (found === undefined || found.kind !== 'session') return []
  return found.roots.filter(root => t.int(state.table.up, root) !== t.none && isPrompt(state, root))
}

/** All such forks of a session. */
export function sharedForks(state: State, domain: number): readonly SharedFork[] {
  const groups = new Map<number, number[]>()
  for (const root of attachedPrompts(state, domain)) {
    const parent = t.int(state.table.parent, root)
    if (parent !== t.none) groups.set(parent, [...(groups.get(parent) ?? []), root])
  }
  if (groups.size === 0) return []
  const repeated = repeatedChildren(state, groups)
  return [...groups].flatMap(([parent, own]) => {
    const children = [...(repeated.get(parent) ?? []), ...own]
    return children.length < 2 ? [] : [{ at: t.int(state.table.owner, parent), children, own }]
  })
}

/** Children of these sightings that another session owns, and that lead to typed input. */
function repeatedChildren(
  state: State,
  parents: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, number[]> {
  const { table } = state
  const found = new Map<number, number[]>()
  const files = new Set([...parents.keys()].map(parent => t.int(table.file, parent)))
  for (const file of files) {
    for (const node of state.files[file]?.nodes ?? []) {
      const parent = t.int(table.parent, node)
      const owner = t.int(table.owner, node)
      if (!parents.has(parent) || owner === node || !hasInput(state, owner)) continue
      found.set(parent, [...(found.get(parent) ?? []), owner])
    }
  }
  return found
}
