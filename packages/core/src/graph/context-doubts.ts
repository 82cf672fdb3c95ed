/** L14: signs in a transcript that it does not tell what a request carried. */
import { linkOf } from './adopt.js'
import { answerBefore } from './answer-before.js'
import type { Answer } from './answers.js'
import type { OpenFile } from './file-record.js'
import { mayBeStart } from './processes.js'
import { repeatsRequest, requestSize } from './request-size.js'
import { fileOf, isAnswer, isConversation, isEarly, isOldest, marksNoEnds, startsTurn } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** Whether an answer is of a release that leaves no mark where a process begins or ends. */
export function isUnmarked({ state, file, first, moment }: Answer): boolean {
  return marksNoEnds(state, first) && !((file.lastPrompts[0] ?? moment.row) < moment.row)
}

/**
 * Whether an entry that begins a turn follows the end of the turn before on a chain (L9), though it hangs on a row that was
 * written late; or is a compaction before which entries stay that it does not name (C2). A process that has loaded the file would
 * not have sent what stands above.
 */
export function followsRest(
  table: t.Table,
  [first = t.none]: readonly number[],
  above: number,
  node: number,
): boolean {
  const parent = t.int(table.parent, node)
  if (t.marked(table, node, t.Boundary)) return above !== t.none
  if (parent === t.none || parent === above || above === t.none) return false
  return isConversation(table, above) && !isConversation(table, parent) && !isKeptBehind(table, first, node)
}

/** Whether an entry is older than the boundary that a chain begins with, which names it: every process has it there. */
function isKeptBehind(table: t.Table, boundary: number, node: number): boolean {
  if (!t.marked(table, boundary, t.Boundary) || !t.marked(table, node, t.Kept)) return false
  return t.int(table.row, node) < t.int(table.row, boundary)
}

/** Whether the end of a turn is on a chain by L9, and another process may have begun since. */
export function mayLoseRest(state: State, file: OpenFile, chain: readonly number[]): boolean {
  const { table } = state
  const above = (at: number): number => chain[at - 1] ?? t.none
  const first = chain.findIndex(
    (node, at) => startsTurn(table, node) && followsRest(table, chain, above(at), node),
  )
  return first >= 0 && chain.some((node, at) => at > first && mayBeStart(state, file, node))
}

/** Whether an entry hangs on one that is in no file. Subagents of 1.x and 2.0.x are written so, in the order of rows. */
export function isGap(state: State, node: number): boolean {
  if (!state.orphans.has(node)) return false
  return !(isEarly(state, node) && fileOf(state, node).facts.kind === 'agent')
}

/**
 * Whether 1.x sent far less with the request behind an answer than with the one before, though nothing in the file tells
 * why: it had compacted the conversation, which leaves no trace there without a terminal (recording 1.0.66/s10b).
 */
export function isShrunk(state: State, node: number): boolean {
  if (!isOldest(state, node) || !isAnswer(state, node)) return false
  const before = requestSize(state, answerBefore(state, node))
  return before > nearlyFull && requestSize(state, node) < before / 2
}

/**
 * L20: whether the request behind an answer, or an earlier one of its turn, was shorter than the one before it, though nothing
 * on the way cleared anything: two turns of one process may have run at once (walks of 2.0.1 and 2.0.31).
 */
export function isShorter(state: State, node: number): boolean {
  const { table } = state
  let later = node
  let isAnswered = false
  let above = linkOf(state, node)
  for (let steps = 0; above !== t.none && steps < longTurn; steps++) {
    if (startsTurn(table, above) || clearsResults(state, above)) return false
    if (isAnswer(state, above) && t.int(table.message, above) !== t.int(table.message, later)) {
      // A call without a result broke off: it was not sent in any case.
      const isBroken = !isAnswered && t.marked(table, above, t.HasCalls)
      if (!isBroken && isShorterThan(state, later, above)) return true
      later = above
      isAnswered = false
    }
    isAnswered ||= t.byte(table.says, above) === t.SaysResult
    above = linkOf(state, above)
  }
  return false
}

function isShorterThan(state: State, later: number, earlier: number): boolean {
  const size = requestSize(state, later)
  return size > 0 && size < requestSize(state, earlier) && !repeatsRequest(state, later, earlier)
}

/** L15: a small compaction. */
function clearsResults({ table }: State, node: number): boolean {
  const entry = t.byte(table.kind, node) === t.System ? table.entries[node] : undefined
  return entry?.kind === 'system' && entry.cleared.length > 0
}

/** Entries of a turn that are looked at, at most. */
const longTurn = 256

/** Tokens from which on 1.x may compact by itself: the window has 200,000. */
const nearlyFull = 100_000
