/**
 * Rewinds into shared history. A forked session repeats its origin's entries, which the origin owns; what is new
 * hangs on them. Where a new prompt hangs beside a repeated one, the user of the fork rewound:
 *
 *     origin:  u1 a1 u2 a2             fork:  u1 a1 u2 a2        u1 a1 u2 a2 are repeated
 *                                                |-> u3 a3       u3 hangs on a1, beside u2
 */
import { groupBy } from '../../model/group.js'
import { originalOf } from '../copies.js'
import type { State } from '../state.js'
import * as t from '../table.js'
import { hasInput, isAssistant, isPrompt } from './fork.js'

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

/** Entries of a session that hang side by side on one node of another session. */
export function attachedTogether(state: State, domain: number): readonly SharedFork[] {
  const attached = (state.domains.list[domain]?.roots ?? []).filter(
    root => t.int(state.table.up, root) !== t.none,
  )
  const groups = groupBy(attached, root => t.int(state.table.up, root))
  return [...groups].flatMap(([at, own]) => (own.length < 2 ? [] : [{ at, children: own, own }]))
}

function attachedPrompts(state: State, domain: number): readonly number[] {
  const found = state.domains.list[domain]
  if (found === undefined || found.kind !== 'session') return []
  return found.roots.filter(root => t.int(state.table.up, root) !== t.none && isPrompt(state, root))
}

/** All such forks of a session. */
export function sharedForks(state: State, domain: number): readonly SharedFork[] {
  const { parent: parents } = state.table
  const prompts = attachedPrompts(state, domain).filter(root => t.int(parents, root) !== t.none)
  const groups = groupBy(prompts, root => t.int(parents, root))
  if (groups.size === 0) return []
  const repeated = repeatedChildren(state, groups)
  return [...groups].flatMap(([parent, own]) => {
    const children = [...(repeated.get(parent) ?? []), ...own]
    return children.length < 2 ? [] : [{ at: originalOf(state.table, parent), children, own }]
  })
}

/** Children of these sightings that repeat another session's entries and, in this file, led to an answer. */
function repeatedChildren(
  state: State,
  parents: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, number[]> {
  const { table } = state
  const found = new Map<number, number[]>()
  const files = new Set([...parents.keys()].map(parent => t.int(table.file, parent)))
  for (const file of files) {
    const children = childrenIn(state, file)
    for (const parent of parents.keys()) {
      const repeated = (children.get(parent) ?? []).filter(
        child => originalOf(table, child) !== child && isAnsweredIn(state, children, child),
      )
      if (repeated.length > 0)
        found.set(
          parent,
          repeated.map(child => originalOf(table, child)),
        )
    }
  }
  return found
}

/** The children of every sighting of a file, by recorded parents. */
export function childrenIn(state: State, file: number): ReadonlyMap<number, readonly number[]> {
  return groupBy(state.files[file]?.nodes ?? [], node => t.int(state.table.parent, node))
}

function isAnsweredIn(state: State, children: ReadonlyMap<number, readonly number[]>, from: number): boolean {
  if (!hasInput(state, originalOf(state.table, from))) return false
  const open = [from]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isAssistant(state, node) && !t.marked(state.table, node, t.ApiError | t.Synthetic)) return true
    for (const child of children.get(node) ?? []) open.push(child)
  }
  return false
}
