/**
 * F14: what lies below a node, kept up to date as nodes are hung. Every fact only ever grows, so telling the
 * ancestors stops at the first one that knew already: linear over any number of nodes.
 *
 *   facts  bits: conversation here or below, below, typed input, a real answer, a failed request
 *   span   which unit all conversation here and below belongs to: none, one unit, or several (Mixed).
 *          A unit is an API message with the results of its calls; any other user entry is one by itself.
 */
import { subtypeOf } from './compactions.js'
import type { State } from './state.js'
import * as t from './table.js'
import { callFor, severalTools, toolsOf } from './tools.js'

export const Conversation = 1
/** Conversation strictly below the node. */
export const Below = 2
export const Input = 4
export const AnswerBelow = 8
export const Failure = 16

/** The span of a subtree that holds more than one unit: the conversation goes on in it. */
export const Mixed = -2
/** Units of user entries that belong to no message are numbered from here downwards. */
const ownUnits = -10

/** Adds what a node is by itself to what children, hung before it, have told already. */
export function addOwnFacts(state: State, node: number): void {
  const { table } = state
  table.facts[node] = t.byte(table.facts, node) | ownFacts(state, node)
  table.span[node] = joinSpans(unitOf(state, node), t.int(table.span, node))
}

function ownFacts(state: State, node: number): number {
  const { table } = state
  const kind = t.byte(table.kind, node)
  if (kind === t.User) return Conversation | (t.byte(table.says, node) === t.SaysPrompt ? Input : 0)
  if (kind === t.Assistant) {
    if (t.marked(table, node, t.ApiError)) return Conversation | Failure
    return t.marked(table, node, t.Synthetic) ? Conversation : Conversation | AnswerBelow
  }
  if (kind === t.Attachment) return t.marked(table, node, t.QueuedPrompt) ? Input : 0
  return kind === t.System && subtypeOf(state, node) === 'api_error' ? Failure : 0
}

/** The unit a node belongs to; none for what is not part of the conversation. */
export function unitOf(state: State, node: number): number {
  const { table } = state
  const kind = t.byte(table.kind, node)
  if (kind !== t.User && kind !== t.Assistant) return t.none
  const message = kind === t.Assistant ? t.int(table.message, node) : messageAnswered(state, node)
  return message === t.none ? ownUnits - node : message
}

/** The message whose call a result answers, within the file; none for other entries and stray results. */
function messageAnswered(state: State, node: number): number {
  const call = callAnswered(state, node)
  return call === t.none ? t.none : t.int(state.table.message, call)
}

/** T1: the entry with the call that a result answers: in its own file, or else anywhere; none if stray. */
export function callAnswered(state: State, node: number): number {
  const { table } = state
  if (t.byte(table.says, node) !== t.SaysResult) return t.none
  const tool = t.int(table.tool, node)
  if (tool !== severalTools) return tool === t.none ? t.none : callFor(state, tool, node)
  for (const answered of toolsOf(state, node)) {
    const call = callFor(state, answered, node)
    if (call !== t.none) return call
  }
  return t.none
}

/** Tells the ancestors within the domain what hangs below them now. */
export function tellAncestors(state: State, node: number): void {
  const { table } = state
  const domain = t.int(table.domain, node)
  let child = node
  let above = t.int(table.up, node)
  while (above !== t.none && t.int(table.domain, above) === domain) {
    if (!learn(table, above, child)) return
    child = above
    above = t.int(table.up, above)
  }
}

/** The key of a domain's roots, among those of nodes. */
export function rootsKey(domain: number): number {
  return -2 - domain
}

function learn(table: t.Table, above: number, child: number): boolean {
  const below = t.byte(table.facts, child)
  const facts = t.byte(table.facts, above) | below | ((below & Conversation) === 0 ? 0 : Below)
  const span = joinSpans(t.int(table.span, above), t.int(table.span, child))
  if (facts === t.byte(table.facts, above) && span === t.int(table.span, above)) return false
  table.facts[above] = facts
  table.span[above] = span
  return true
}

function joinSpans(a: number, b: number): number {
  if (a === b || b === t.none) return a
  return a === t.none ? b : Mixed
}
