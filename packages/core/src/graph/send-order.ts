/** L3, L10: from a chain to what is sent: whole messages with the results of their calls, less what is never sent. */

import { isConversation, isEarly, sendsNotices, startsTurn } from './entries.js'
import { unitOf } from './facts.js'
import type { FileRecord } from './file-record.js'
import { createNodeList, positionsIn } from './positions.js'
import { cutWhereResumed } from './resumed-cut.js'
import { isLoaded, nextOnChain, partsIn, type Sending } from './sent-parts.js'
import { resultsFollowing } from './sent-results.js'
import type { State } from './state.js'
import * as t from './table.js'
import { resultFor, toolId, toolsOf } from './tool-index.js'

/** From the chain to what is sent: whole messages with their results, in order. */
export function sendingOrder(
  state: State,
  file: FileRecord,
  chain: readonly number[],
  how: { readonly leaf: number } & Pick<Sending, 'loadedUpTo' | 'files' | 'isWhole'>,
): readonly number[] {
  const { table } = state
  const positions = positionsIn(chain, table.size)
  const { leaf } = how
  const turn = chain.findIndex(node => startsTurn(table, node))
  const sending: Sending = { ...how, state, file, chain, positions, turn, lastUnit: unitOf(state, leaf) }
  const sent = createNodeList(chain.length, table.size)
  const whole = new Set<number>()
  for (let i = chain.length - 1; i >= 0; i--) {
    const node = chain[i] ?? t.none
    if (!isConversation(table, node) || isUnsentNotice(state, node, leaf)) continue
    const message = t.byte(table.kind, node) === t.Assistant ? t.int(table.message, node) : t.none
    if (message === t.none) sent.add(node)
    else if (!whole.has(message)) for (const part of sentUnit(sending, message)) sent.add(part)
    whole.add(message)
  }
  return sent.list
}

/** Notices of failed requests are not sent, but by old releases. */
function isUnsentNotice(state: State, node: number, leaf: number): boolean {
  return t.marked(state.table, node, t.ApiError) && (node === leaf || !sendsNotices(state, node))
}

/** A message as it is sent: its parts by their chain, then the results of their calls. */
function sentUnit(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const isLast = message === sending.lastUnit
  const all = partsIn(sending, message)
  const isOpen = isLast || isAskedAgain(sending, all)
  const whole = isOpen ? all : all.filter(part => !isUnanswered(state, part))
  const { parts, isBare } = cutWhereResumed(sending, whole)
  if (!isLast && parts.every(part => isDroppedThought(state, part))) return []
  const results = resultsFollowing(sending, message, parts)
  return [...parts, ...(isBare ? results.filter(result => sending.positions.has(result)) : results)]
}

/**
 * A reply that broke off behind a call, and another one in the same turn: from the next turn on, the process that asked
 * again sends the call, too. One that has loaded the file does not (walks of 2.1.75 and 2.1.90 that lost connections).
 */
function isAskedAgain(sending: Sending, parts: readonly number[]): boolean {
  const { table } = sending.state
  const last = parts.findLast(part => sending.positions.has(part))
  if (last === undefined || isLoaded(sending, last)) return false
  if ((sending.positions.get(last) ?? 0) < sending.turn) return false
  const next = nextOnChain(sending, last)
  return next !== t.none && t.byte(table.kind, next) === t.Assistant && !t.marked(table, next, t.Synthetic)
}

/** L7: a message of thinking only is not sent later. 2.0.x did send it. */
function isDroppedThought(state: State, part: number): boolean {
  return t.marked(state.table, part, t.ThinkingOnly) && !isEarly(state, part)
}

/** L7: a call that never got a result is not sent again, once the conversation has gone on. */
function isUnanswered(state: State, part: number): boolean {
  const tools = toolsOf(state, part)
  return tools.length > 0 && tools.every(tool => isOpen(state, part, tool))
}

/** The described form of a sidechain call has no tool id to answer to: its own uuid stands in. */
function isOpen(state: State, part: number, tool: number): boolean {
  return resultFor(state, tool, part) === t.none && toolId(state, tool) !== t.idOf(state.table, part)
}
