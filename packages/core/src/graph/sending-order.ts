/** L3, L10: from a chain to what is sent: whole messages with the results of their calls, without what is never sent. */

import {
  dropsThoughts,
  isAskedAgain,
  isOfReplaced,
  isReplaced,
  isThought,
  isUnanswered,
} from './broken-replies.js'
import { callAnswered } from './facts.js'
import { partsIn } from './message-parts.js'
import { resultsFollowing } from './message-results.js'
import { firstPartOf } from './messages.js'
import { isWritten } from './moment.js'
import { createMarks, createNodeList } from './positions.js'
import { cutWhereResumed, forgottenParts, isForgotten } from './resumed-messages.js'
import { messageAt, nextOnChain, type Sending } from './sending.js'
import { isConversation } from './sightings.js'
import * as t from './table.js'
import { isPair, resultFor } from './tools.js'
import { isUnsent } from './unsent.js'

/** From the chain to what is sent: whole messages with their results, in order. */
export function sendingOrder(sending: Sending): readonly number[] {
  const { table, messages } = sending.state
  const { chain } = sending
  const sent = createNodeList(chain.length, table.size)
  const whole = createMarks(chain.length, messages.firstPart.length)
  for (const node of chain) {
    const message = messageAt(table, node)
    if (message !== t.none && whole.has(message)) continue
    const nodes = sentAt(sending, node)
    if (nodes === null) continue
    for (const each of nodes) sent.add(each)
    if (message !== t.none) whole.add(message)
  }
  return sent.list
}

/**
 * What is sent where an entry stands on the chain: it alone, or the whole message that it is the first part of. Null for
 * entries that are never sent.
 */
export function sentAt(sending: Sending, node: number): readonly number[] | null {
  const { state } = sending
  if (!isConversation(state.table, node) || isUnsent(sending, node)) return null
  const message = messageAt(state.table, node)
  if (message === t.none) return isOfReplaced(sending, node) ? null : [node]
  return plainlySent(sending, node, message) ?? sentUnit(sending, message)
}

/**
 * What is sent of a message of one entry, with no call or one that the next entry of the conversation answers: it, and
 * the result. So are nearly all, and no rule about several parts, open calls or a resume has a say. Null for others.
 */
function plainlySent(sending: Sending, node: number, message: number): readonly number[] | null {
  const { state, moment } = sending
  const { table } = state
  if (message === sending.lastUnit || moment.walksParents) return null
  if (firstPartOf(state, message) !== node || t.int(table.nextPart, node) !== t.none) return null
  if (t.marked(table, node, t.Repeated | t.ThinkingOnly) || isReplaced(sending, [node])) return null
  const tool = t.int(table.tool, node)
  if (tool === t.none) return [node]
  if (!isPair(state, tool)) return null
  const result = nextOnChain(sending, node)
  const answer = resultFor(state, tool, node)
  if (answer !== result || t.marked(table, result, t.Repeated) || !isWritten(table, moment, result))
    return null
  return [node, result]
}

/** A message as it is sent: its parts by their chain, then the results of their calls. */
function sentUnit(sending: Sending, message: number): readonly number[] {
  const { state, moment } = sending
  const isLast = message === sending.lastUnit
  const all = partsIn(sending, message)
  if (isReplaced(sending, all)) return []
  const hasOpen = !isLast && !moment.sendsOpenCalls && all.some(part => isUnanswered(sending, part))
  const whole =
    hasOpen && !isAskedAgain(sending, all) ? all.filter(part => !isUnanswered(sending, part)) : all
  const {
    parts,
    isBare,
    madeUp = t.none,
  } = isForgotten(sending, whole) ? forgottenParts(sending, whole) : cutWhereResumed(sending, whole)
  if (!isLast && parts.every(part => isThought(state, part)) && dropsThoughts(sending, all)) return []
  const results = resultsFollowing(sending, message, parts)
  if (results.length === 0) return parts
  if (!isBare) return [...parts, ...results]
  const isSent = (result: number): boolean =>
    sending.positions.has(result) || (madeUp !== t.none && callAnswered(state, result) === madeUp)
  return [...parts, ...results.filter(isSent)]
}
