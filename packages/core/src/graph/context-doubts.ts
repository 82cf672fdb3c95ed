/** L14: signs in a transcript that it does not tell what a request carried. */
import type { Answer } from './answers.js'
import type { OpenFile } from './file-record.js'
import { usageOf } from './messages.js'
import { answerBefore, mayBeStart } from './processes.js'
import { fileOf, isAnswer, isConversation, isEarly, isOldest, marksNoEnds, startsTurn } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** Whether an answer is of a release that leaves no mark where a process begins or ends. */
export function isUnmarked({ state, file, first, moment }: Answer): boolean {
  return marksNoEnds(state, first) && !((file.lastPrompts[0] ?? moment.row) < moment.row)
}

/**
 * Whether an entry that begins a turn follows the end of the turn before on a chain (L9), though it hangs on a row that was
 * written late. A process that has loaded the file would not have sent that end.
 */
export function followsRest(table: t.Table, above: number, node: number): boolean {
  const parent = t.int(table.parent, node)
  if (parent === t.none || parent === above || above === t.none) return false
  return isConversation(table, above) && !isConversation(table, parent)
}

/** Whether the end of a turn is on a chain by L9, and another process may have begun since. */
export function mayLoseRest(state: State, file: OpenFile, chain: readonly number[]): boolean {
  const { table } = state
  const above = (at: number): number => chain[at - 1] ?? t.none
  const first = chain.findIndex((node, at) => startsTurn(table, node) && followsRest(table, above(at), node))
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
  const before = promptSize(state, answerBefore(state, node))
  return before > nearlyFull && promptSize(state, node) < before / 2
}

/** Tokens from which on 1.x may compact by itself: the window has 200,000. */
const nearlyFull = 100_000

/** The tokens of the request behind an answer; 0 where they are not known. */
function promptSize({ table, messages }: State, node: number): number {
  const usage = usageOf(messages, t.int(table.message, node))
  return usage === null ? 0 : usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
}
