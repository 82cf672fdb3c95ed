/** L3: from a chain to what is sent: whole messages with the results of their calls, less what is never sent. */
import { isConversation } from './conversation.js'
import { unitOf } from './facts.js'
import { createNodeList, type Positions, positionsIn } from './positions.js'
import { cutWhereResumed } from './resumed-cut.js'
import { partsIn } from './sent-parts.js'
import { resultsFollowing } from './sent-results.js'
import type { FileRecord, State } from './state.js'
import * as t from './table.js'
import { resultFor, toolId, toolsOf } from './tool-book.js'
import { isEarly, sendsNotices } from './versions.js'

/** The conversation of a file as it is about to be sent. */
export interface Sending {
  readonly state: State
  readonly file: FileRecord
  readonly chain: readonly number[]
  /** The files that the chain passes through: a conversation may have begun in another one. */
  readonly files: ReadonlySet<number>
  /** Position on the chain, counted from the leaf; a smaller one is nearer to the end. */
  readonly positions: Positions
  readonly lastUnit: number
  /** The row of the newest process end before the last prompt: what stands above was loaded from the file. */
  readonly loadedUpTo: number
  /** No message is cut where it was resumed. */
  readonly isWhole: boolean
}

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
  const sending: Sending = { ...how, state, file, chain, positions, lastUnit: unitOf(state, leaf) }
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
  const whole = isLast ? all : all.filter(part => !isUnanswered(state, part))
  const { parts, isBare } = cutWhereResumed(sending, whole)
  if (!isLast && parts.every(part => isDroppedThought(state, part))) return []
  const results = resultsFollowing(sending, message, parts)
  return [...parts, ...(isBare ? results.filter(result => sending.positions.has(result)) : results)]
}

/** D4: a message of thinking only is not sent later. 2.0.x did send it. */
function isDroppedThought(state: State, part: number): boolean {
  return t.marked(state.table, part, t.ThinkingOnly) && !isEarly(state, part)
}

/** D3: a call that never got a result is not sent again, once the conversation has gone on. */
function isUnanswered(state: State, part: number): boolean {
  const tools = toolsOf(state, part)
  return tools.length > 0 && tools.every(tool => isOpen(state, part, tool))
}

/** The described form of a sidechain call has no tool id to answer to: its own uuid stands in. */
function isOpen(state: State, part: number, tool: number): boolean {
  return resultFor(state, tool, part) === t.none && toolId(state, tool) !== t.idOf(state.table, part)
}
