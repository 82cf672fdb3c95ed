/** Entries of a chain that a request does not carry, whatever they are a part of: L7, L13, L17, C1. */

import type { Moment } from './moment.js'
import { isInMemory, isLoaded, isOfLastTurn, type Sending } from './sending.js'
import { forgetsNotices, isConversation, isOldest, sendsNotices } from './sightings.js'
import * as t from './table.js'

/** Whether an entry of the chain is not sent, whatever it is a part of. */
export function isUnsent(sending: Sending, node: number): boolean {
  if (isUnsentNotice(sending, node) || isLost(sending, node)) return true
  return isOvertaken(sending, node) || isCompactedCommand(sending, node)
}

/**
 * L17: whether an entry came after the prompt that stands below it: a stop hook and what was typed had started two turns at once. The
 * requests of the later turn carry the conversation as it was when it began (recording random-2.0.1/81).
 */
function isOvertaken({ overtakenFrom, positions, turn }: Sending, node: number): boolean {
  const at = positions.get(node) ?? turn
  return at >= overtakenFrom && at < turn
}

/**
 * The position of the first of the entries above the prompt of a turn that came after it, and before the end of the turn; that of the
 * prompt for none. A turn that was copied there is older than all above it.
 */
export function overtakenFrom(
  table: t.Table,
  chain: readonly number[],
  turn: number,
  { time: asked }: Moment,
): number {
  const prompt = chain[turn] ?? t.none
  const last = chain.at(-1)
  const end = last === undefined || last === prompt ? asked : t.real(table.time, last)
  if (t.byte(table.says, prompt) !== t.SaysPrompt) return turn
  let first = turn
  for (let at = turn - 1; at >= 0; at--) {
    const node = chain[at] ?? t.none
    if (!isConversation(table, node)) continue
    const time = t.real(table.time, node)
    if (!(time > t.real(table.time, prompt) && time < end) || !isRowBefore(table, node, prompt)) break
    first = at
  }
  return first
}

function isRowBefore({ file, row }: t.Table, a: number, b: number): boolean {
  return t.int(file, a) === t.int(file, b) && t.int(row, a) < t.int(row, b)
}

/** Notices of failed requests are not sent, but by old releases from the next turn on. */
function isUnsentNotice(sending: Sending, node: number): boolean {
  const { state, leaf } = sending
  if (!t.marked(state.table, node, t.ApiError)) return false
  if (node === leaf || !sendsNotices(state, node) || isOfLastTurn(sending, node)) return true
  return forgetsNotices(state, node) && isInMemory(sending, node)
}

/**
 * C1: 1.x writes what was typed to compact behind the summary, with the time at which it was typed: the process that
 * compacted does not send it, one that has loaded the file does (walks of 1.0.128).
 */
function isCompactedCommand(sending: Sending, node: number): boolean {
  return isWrittenBehindSummary(sending, node) && isInMemory(sending, node)
}

export function isWrittenBehindSummary({ state, chain }: Sending, node: number): boolean {
  const { table } = state
  const says = t.byte(table.says, node)
  if (says !== t.SaysCaveat && says !== t.SaysCommand) return false
  const first = chain[0] ?? t.none
  if (!isOldest(state, node) || !t.marked(table, first, t.Boundary)) return false
  return t.real(table.time, node) < t.real(table.time, first)
}

/** L13: whether an entry stands above a progress row, and a process of 2.1.8 has loaded both. */
export function isLost({ lostUpTo, positions }: Sending, node: number): boolean {
  return lostUpTo > 0 && (positions.get(node) ?? 0) < lostUpTo
}

/** The position on the chain before which a process of 2.1.8 has lost all that it loaded; 0 where nothing was lost. */
export function lostUpTo(
  sending: Pick<Sending, 'chain' | 'file' | 'loadedUpTo' | 'moment' | 'state'>,
): number {
  const { state, chain, moment } = sending
  if (!moment.losesProgress) return 0
  const isProgress = (node: number): boolean => t.byte(state.table.kind, node) === t.Progress
  return chain.findLastIndex(node => isProgress(node) && isLoaded(sending, node)) + 1
}
