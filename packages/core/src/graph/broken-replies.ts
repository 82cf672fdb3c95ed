/** L7, L16: replies that broke off, calls without a result, and messages of thinking only. */

import { callAnswered } from './facts.js'
import { partsIn } from './message-parts.js'
import { isWritten } from './moment.js'
import { repeatsRequest } from './request-size.js'
import { isInMemory, isLoaded, isOfLastTurn, messageAt, nextOnChain, type Sending } from './sending.js'
import { forgetsNotices, isConversation, isEarly, isOldest, thoughtsOf } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { resultFor, resultsOf, toolId, toolsOf } from './tools.js'
import { isWrittenBehindSummary } from './unsent.js'

/**
 * L16: a reply that broke off, also behind a call that had run: the process asked again for the same, and the other reply of this turn
 * takes its place. Only the length of the request tells that it carried neither the first one nor its results.
 */
export function isReplaced(sending: Sending, parts: readonly number[]): boolean {
  const last = parts.findLast(part => sending.positions.has(part))
  if (last === undefined || !isOfLastTurn(sending, last)) return false
  const next = replyBehind(sending, last)
  if (next === t.none || isAnsweredBehind(sending, parts, next)) return false
  return repeatsRequest(sending.state, next, last)
}

/** Whether the calls of a reply of 1.x were run together with those of the reply behind it: both are sent (walk of 1.0.24). */
function isAnsweredBehind({ state, positions }: Sending, parts: readonly number[], next: number): boolean {
  const at = positions.get(next)
  if (at === undefined || !isOldest(state, next)) return false
  const results = parts.flatMap(part => toolsOf(state, part)).flatMap(tool => resultsOf(state, tool))
  return results.some(result => (positions.get(result) ?? -1) > at)
}

/** Whether a result answers a call of a reply that broke off. */
export function isOfReplaced(sending: Sending, node: number): boolean {
  if (t.byte(sending.state.table.says, node) !== t.SaysResult || !isOfLastTurn(sending, node)) return false
  const call = callAnswered(sending.state, node)
  return call !== t.none && isReplaced(sending, [call])
}

/** The reply that follows a part of an answer, its calls and their results, in the same turn; or none. */
function replyBehind({ state: { table }, chain, moment, positions }: Sending, part: number): number {
  const message = t.int(table.message, part)
  for (let i = (positions.get(part) ?? chain.length) + 1; i < chain.length; i++) {
    const next = chain[i] ?? t.none
    if (!isConversation(table, next) || t.byte(table.says, next) === t.SaysResult) continue
    if (t.byte(table.kind, next) !== t.Assistant) return t.none
    if (t.int(table.message, next) !== message) return next
  }
  return moment.answer
}

/**
 * A reply that broke off behind a call, and another one in the same turn: from the next turn on, the process that asked
 * again sends the call, too. One that has loaded the file does not (walks of 2.1.75 and 2.1.90 that lost connections).
 */
export function isAskedAgain(sending: Sending, parts: readonly number[]): boolean {
  const next = replyAgain(sending, parts)
  return next !== t.none && (!isEarly(sending.state, next) || isInMemory(sending, next))
}

/** The reply of the same process and turn that follows one which broke off, once another turn has begun; or none. */
function replyAgain(sending: Sending, parts: readonly number[]): number {
  const { table } = sending.state
  const last = parts.findLast(part => sending.positions.has(part))
  if (last === undefined || isLoaded(sending, last) || isOfLastTurn(sending, last)) return t.none
  const next = nextOnChain(sending, last)
  if (next === t.none || t.marked(table, next, t.Synthetic)) return t.none
  return t.byte(table.kind, next) === t.Assistant ? next : t.none
}

/**
 * L14: whether it depends on the process what is sent of an entry of 1.x or 2.0.x, which do not mark where one ends: a
 * reply that broke off behind a call, a notice, or a command to compact.
 */
export function dependsOnProcess(sending: Sending, node: number): boolean {
  const { state } = sending
  if (isLoaded(sending, node)) return false
  if (isThought(state, node) && thoughtsOf(state, node) === 'sent-unless-loaded') return true
  if (!isEarly(state, node)) return false
  if (t.marked(state.table, node, t.ApiError)) return forgetsNotices(state, node)
  if (isWrittenBehindSummary(sending, node)) return true
  const message = messageAt(state.table, node)
  if (message === t.none || sending.moment.sendsOpenCalls) return false
  const parts = partsIn(sending, message)
  return parts.some(part => isUnanswered(sending, part)) && replyAgain(sending, parts) !== t.none
}

export function isThought({ table }: State, part: number): boolean {
  return t.marked(table, part, t.ThinkingOnly)
}

/**
 * L7: whether the process drops a message of which only thinking is sent. Releases that look for such messages when they load a
 * file see them whole, before they cut one for `--resume-session-at` (walks of 2.1.31).
 */
export function dropsThoughts(sending: Sending, parts: readonly number[]): boolean {
  const { state } = sending
  const thoughts = thoughtsOf(state, parts[0] ?? t.none)
  if (thoughts !== 'sent-unless-loaded') return thoughts === 'dropped'
  const last = parts.findLast(part => sending.positions.has(part)) ?? t.none
  if (!isLoaded(sending, last)) return false
  return parts.every(part => isThought(state, part)) || isLoaded(sending, nextOnChain(sending, last))
}

/** L7: a call that never got a result is not sent again, once the conversation has gone on. */
export function isUnanswered(sending: Sending, part: number): boolean {
  if (t.int(sending.state.table.tool, part) === t.none) return false
  const tools = toolsOf(sending.state, part)
  return tools.length > 0 && tools.every(tool => isOpen(sending, part, tool))
}

/** The described form of a sidechain call has no tool id to answer to: its own uuid stands in. */
function isOpen({ state, moment, positions }: Sending, part: number, tool: number): boolean {
  const result = resultFor(state, tool, part)
  const isThere = (node: number): boolean => isWritten(state.table, moment, node) || positions.has(node)
  const isAnswered = result !== t.none && isThere(result)
  return !isAnswered && toolId(state, tool) !== t.idOf(state.table, part)
}
