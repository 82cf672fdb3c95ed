/** Every node with several children in its conversation, with its verdict: the list others rely on. */

import { lazily } from '../model/group.js'
import { originalOf } from './copies.js'
import { entriesIn } from './file-record.js'
import { type ForkKind, type ForkRule, makeFork, type Verdict } from './forks/fork.js'
import { judge, verdictAt, verdictAtRoots } from './forks/ladder.js'
import { attachedTogether, childrenIn, type SharedFork, sharedForks } from './forks/shared.js'
import { lastConversationRows, twoWritersEvidence } from './forks/two-writers.js'
import { compareWritten, filesInOrder } from './order.js'
import { isPlaced } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** A node with several children, or several roots of one conversation, and the verdict on it. */
export interface Fork {
  /** Null where the fork is between the roots of a conversation. */
  readonly at: number | null
  /** The conversation it belongs to, by `Domain.index`. */
  readonly domain: number
  readonly kind: ForkKind
  readonly rule: ForkRule
  /** All children, in the order of writing. */
  readonly children: readonly number[]
  /** The children that begin a branch of their own; the others stay on the line. */
  readonly branches: readonly number[]
  /** The children that repeat another one under a new uuid. */
  readonly copies: readonly number[]
  /** Why, in one sentence. */
  readonly evidence: string
}

/** Whether a fork makes branches: by a rewind, or because two processes wrote. */
export function isRewind({ kind }: Pick<Fork, 'kind'>): boolean {
  return kind === 'rewind' || kind === 'two-writers'
}

/** All forks, by file and row; those between roots come first. */
export function findForks(state: State): readonly Fork[] {
  const rows = lazily(() => lastConversationRows(state))
  const forks = [...rootForks(state, rows), ...nodeForks(state, rows)]
  return [...forks, ...repeatedForks(state, forks)]
}

/**
 * Nodes with several children in a file that repeats them, where the file of the original has them elsewhere or not at
 * all: a fork after a compaction hangs kept entries on others. Rewinds into shared history are listed already.
 */
function repeatedForks(state: State, listed: readonly Fork[]): readonly Fork[] {
  const known = childrenListed(listed)
  return filesInOrder(state).flatMap(file => {
    if (!file.shares) return []
    return [...childrenIn(state, file.index)].flatMap(([parent, children]) => {
      const at = parent === t.none ? t.none : originalOf(state.table, t.int(state.table.owner, parent))
      const nodes = [
        ...new Set(children.map(child => originalOf(state.table, t.int(state.table.owner, child)))),
      ]
      if (at === t.none || nodes.length < 2 || nodes.every(node => known.get(at)?.has(node) === true))
        return []
      return [goesOnBeside(state, { at, domain: t.int(state.table.domain, parent) }, nodes)]
    })
  })
}

function childrenListed(forks: readonly Fork[]): ReadonlyMap<number | null, ReadonlySet<number>> {
  const listed = new Map<number | null, Set<number>>()
  for (const { at, children } of forks) {
    const known = listed.get(at) ?? new Set()
    for (const child of children) known.add(child)
    listed.set(at, known)
  }
  return listed
}

/** F6: the copy goes on beside what it repeats; it is not a rewind. */
function goesOnBeside(state: State, location: ForkLocation, children: readonly number[]): Fork {
  const { kind, rule, copies, evidence } = judge(makeFork(state, location.at ?? t.none, children, []))
  const isBranch = kind === 'rewind'
  const why = 'a copied session goes on beside entries that it repeats: not a rewind'
  return {
    ...location,
    kind: isBranch ? 'continuation' : kind,
    rule: isBranch ? 'F6' : rule,
    children,
    branches: [],
    copies,
    evidence: isBranch ? why : evidence(),
  }
}

type LastRows = () => Int32Array
type ForkLocation = Pick<Fork, 'at' | 'domain'>

function rootForks(state: State, rows: LastRows): readonly Fork[] {
  const forks: Fork[] = []
  for (const { index } of state.domains.list) {
    const verdict = verdictAtRoots(state, index)
    if (verdict !== null) forks.push(describe(state, { at: null, domain: index }, verdict, rows))
    const rewound = sharedForks(state, index)
    for (const shared of rewound) forks.push(rewoundIn(index, shared))
    const known = new Set(rewound.map(({ at }) => at))
    for (const { at, own } of attachedTogether(state, index)) {
      if (known.has(at)) continue
      forks.push(describe(state, { at, domain: index }, judge(makeFork(state, at, own, [])), rows))
    }
  }
  return forks
}

/** F12: a copied session in which the user rewound to before the copy ended. */
function rewoundIn(domain: number, { at, children, own }: SharedFork): Fork {
  const evidence =
    'a prompt of this session hangs beside one it repeats from another: the user rewound into shared history'
  return { at, domain, kind: 'rewind', rule: 'F12', children, branches: own, copies: [], evidence }
}

function nodeForks(state: State, rows: LastRows): readonly Fork[] {
  const { table } = state
  const forks: Fork[] = []
  for (const file of filesInOrder(state)) {
    for (const node of entriesIn(file)) {
      if (!isPlaced(state, node)) continue
      const verdict = verdictAt(state, node)
      if (verdict !== null)
        forks.push(describe(state, { at: node, domain: t.int(table.domain, node) }, verdict, rows))
    }
  }
  return forks
}

function describe(state: State, { at, domain }: ForkLocation, verdict: Verdict, rows: LastRows): Fork {
  const children = [...verdict.inline, ...verdict.branches, ...verdict.copies]
  children.sort((a, b) => compareWritten(state, a, b))
  const { branches, copies } = verdict
  // F11 is asked last: it decides only between branches that are real already.
  const evidence = verdict.kind === 'rewind' ? twoWritersEvidence(state, branches, rows()) : null
  if (evidence !== null)
    return { at, domain, kind: 'two-writers', rule: 'F11', children, branches, copies, evidence }
  const { kind, rule } = verdict
  return {
    at,
    domain,
    kind,
    rule,
    children,
    branches,
    copies,
    // Made when asked for: most evidence is never read.
    get evidence() {
      return verdict.evidence()
    },
  }
}
