/**
 * F: which nodes with several children are real forks. The rungs are asked in order, strong evidence (ids) before
 * shapes, shapes before time; the first that applies wins. What survives them all is a rewind, or two writers.
 */
import { rootsKey } from '../facts.js'
import { compareWritten } from '../order.js'
import type { State } from '../state.js'
import * as t from '../table.js'
import {
  continuation,
  isRecordingShape,
  leftWithinMessage,
  recordingShape,
  resumedEvidence,
} from './continuation.js'
import { countNoun, type ForkContext, makeFork, placingOrder, type Rung, type Verdict } from './fork.js'
import {
  begunAgain,
  deadEnd,
  isBegunAgain,
  parallel,
  passthrough,
  replay,
  structural,
  structuralResult,
} from './inline.js'
import {
  type ChildRung,
  companion,
  isCaveatList,
  isStubInstead,
  retry,
  stubInstead,
  takenBack,
} from './unanswered.js'

/** The rungs about a fork as a whole. */
const shapes: readonly Rung[] = [
  replay,
  parallel,
  structural,
  structuralResult,
  deadEnd,
  passthrough,
  continuation,
]
/** The rungs about single children that are not branches: what is left after them decides. */
const leftovers: readonly ChildRung[] = [companion, retry, takenBack]

/** The verdict about a node of the tree of lines; null where it has fewer than two children. */
export function verdictAt(state: State, parent: number): Verdict | null {
  const first = t.int(state.table.first, parent)
  const copies = state.replays.get(parent) ?? []
  const single = first === t.none || t.int(state.table.next, first) === t.none
  if (single && (copies.length === 0 || first === t.none)) return null
  const children = t.childrenOf(state.table, parent).sort((a, b) => compareWritten(state, a, b))
  return judge(makeFork(state, parent, children, copies))
}

/** The verdict about the parallel roots of a domain; null where there is no more than one. */
export function verdictAtRoots(state: State, domain: number): Verdict | null {
  const roots = openRoots(state, domain)
  const copies = state.replays.get(rootsKey(domain)) ?? []
  if (roots.length + copies.length < 2) return null
  const fork = makeFork(state, t.none, roots, copies)
  return lacksLinks(state, domain) ? unlinked(fork) : judge(fork)
}

/** Roots that begin a conversation: orphans and nodes attached elsewhere do not compete. */
function openRoots(state: State, domain: number): readonly number[] {
  const { table } = state
  const roots = state.domains.list[domain]?.roots ?? []
  return roots.filter(root => table.parentIds[root] === null && t.int(table.up, root) === t.none)
}

/** A file in which no entry has a parent was never linked; then rows stand in for links. */
function lacksLinks(state: State, domain: number): boolean {
  const roots = state.domains.list[domain]?.roots ?? []
  return roots.length > 1 && roots.every(root => t.int(state.table.first, root) === t.none)
}

function unlinked(fork: ForkContext): Verdict {
  const byTime = [...fork.children].sort(
    (a, b) =>
      t.real(fork.state.table.time, a) - t.real(fork.state.table.time, b) || compareWritten(fork.state, a, b),
  )
  return {
    kind: 'continuation',
    rule: 'F6',
    inline: byTime,
    branches: [],
    copies: fork.copies,
    evidence: () => 'no entry of the conversation has a parent: they follow each other by time',
  }
}

/** Asks the rungs. */
export function judge(fork: ForkContext): Verdict {
  const left = leftWithinMessage(fork)
  if (left.length > 0) return rewound(fork, () => resumedEvidence(left))
  const shape = shapes.find(rung => rung.applies(fork))
  if (shape !== undefined) return stitched(fork, shape)
  if (isCaveatList(fork)) return stitched(fork, companion)
  if (isStubInstead(fork)) return stitched(fork, stubInstead)
  const heads = fork.rest.filter(child => !leftovers.some(rung => rung.isAbout(fork, child)))
  if (heads.length <= 1) {
    const rung = leftovers.find(candidate => candidate.applies(fork))
    if (rung !== undefined) return stitched(fork, rung)
  }
  if (isBegunAgain(fork, heads)) return stitched(fork, begunAgain)
  if (isRecordingShape(fork, heads)) return stitched(fork, recordingShape)
  return rewound(
    fork,
    () =>
      `${countNoun(heads.length, 'child')} each continue the conversation: the user rewound to this entry`,
  )
}

/** All children stay on the line. */
function stitched(fork: ForkContext, rung: Pick<Rung, 'rule' | 'kind' | 'evidence' | 'order'>): Verdict {
  return {
    kind: rung.kind,
    rule: rung.rule,
    inline: rung.order?.(fork) ?? placingOrder(fork.state, fork.children),
    branches: [],
    copies: fork.copies,
    evidence: () => rung.evidence(fork),
  }
}

/** F12: each head starts a branch, and so does a prompt that was taken back or failed; all else stays on the line. */
function rewound(fork: ForkContext, evidence: () => string): Verdict {
  const branches = fork.rest.filter(child => !companion.isAbout(fork, child))
  const away = new Set(branches)
  const inline = fork.children.filter(child => !away.has(child))
  return {
    kind: 'rewind',
    rule: 'F12',
    inline: placingOrder(fork.state, inline),
    branches,
    copies: fork.copies,
    evidence,
  }
}
