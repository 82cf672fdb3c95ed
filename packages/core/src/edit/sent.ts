/**
 * What a request carries at any point of the graph, as one line:
 *
 *   prompt  attachments  parts of a message  results of its calls  attachments  next message ...
 *
 * The point is taken for the end, and one more prompt as typed: messages are whole, with the results of their calls;
 * no call is without a result, and nothing is in it that is never sent.
 */
import type { Graph } from '../graph/graph.js'
import {
  type ChainSending,
  copiedFrom,
  fileOf,
  hasCalls,
  isApiError,
  isAssistant,
  isConversation,
  isThinkingOnly,
  liveChain,
  none,
  sentOnChain,
} from '../graph/nodes.js'
import type { SentConversation } from '../resume/conversation.js'
import { endOfUnit, insertCarried, isSteppedOver, withoutBareThinking } from './line.js'

/** The conversation up to and including the message of a node. */
export function sentAt(graph: Graph, leaf: number): SentConversation {
  return sentBy(graph, leaf, 'writer')
}

/** The same with every message whole: what a resume makes of a file in which all parts of them stand. */
export function sentWholeAt(graph: Graph, leaf: number): SentConversation {
  return sentBy(graph, leaf, 'loader')
}

function sentBy(graph: Graph, leaf: number, by: ChainSending['by']): SentConversation {
  const chain = liveChain(graph, leaf)
  const onChain = sentOnChain(graph, fileOf(graph, leaf), chain, { by })
  const live = onceEach(graph, withoutBareThinking({ graph }, onChain)).filter(
    node => !isApiError(graph, node),
  )
  const sent = callsLast(graph, live)
  const isSent = new Set(sent)
  const left = chain.filter(node => isConversation(graph, node) && !isSent.has(node)).reverse()
  const nodes = insertCarried(graph, chain, sent, node => isCarried(graph, node))
  return { nodes, sent, live, left }
}

/** The part of a conversation that begins at a node; null where the node is not in it. */
export function sentFrom(conversation: SentConversation, node: number): SentConversation | null {
  const at = conversation.nodes.indexOf(node)
  if (at < 0) return null
  return partOf(conversation, conversation.nodes.slice(at), item => item > node)
}

/** The part of a conversation that ends before a node; all of it where the node is not in it. */
export function sentBefore(conversation: SentConversation, node: number): SentConversation {
  const { nodes } = conversation
  const at = nodes.indexOf(node)
  return partOf(conversation, at < 0 ? nodes : nodes.slice(0, at), item => item < node)
}

function partOf(
  { sent, live, left }: SentConversation,
  nodes: readonly number[],
  isLeft: (node: number) => boolean,
): SentConversation {
  const inside = new Set(nodes)
  return {
    nodes,
    sent: sent.filter(item => inside.has(item)),
    live: live.filter(item => inside.has(item)),
    left: left.filter(isLeft),
  }
}

/** G7: of a history that was replayed, each entry once. */
function onceEach(graph: Graph, nodes: readonly number[]): readonly number[] {
  const seen = new Set<number>()
  return nodes.filter(node => {
    const copied = copiedFrom(graph, node)
    const original = copied === none ? node : copied
    const isNew = !seen.has(original)
    seen.add(original)
    return isNew
  })
}

/**
 * A process that has loaded a message sends its calls behind its words, unless it has thought in between (lab: 2.1.325,
 * parts in all orders). Written so, the order of rows is the order of sending.
 */
function callsLast(graph: Graph, nodes: readonly number[]): readonly number[] {
  const ordered: number[] = []
  for (let start = 0; start < nodes.length; ) {
    const end = endOfUnit(graph, nodes, start)
    ordered.push(...unitCallsLast(graph, nodes.slice(start, end)))
    start = end
  }
  return ordered
}

function unitCallsLast(graph: Graph, unit: readonly number[]): readonly number[] {
  const isCall = (node: number): boolean => hasCalls(graph, node)
  const first = unit.findIndex(isCall)
  if (first < 0 || unit.slice(first).some(node => isThinkingOnly(graph, node))) return unit
  const parts = unit.filter(node => isAssistant(graph, node))
  const results = unit.filter(node => !isAssistant(graph, node))
  return [...parts.filter(part => !isCall(part)), ...parts.filter(isCall), ...results]
}

/** Progress says nothing that the result does not, and no client reads what nobody knows; all else may be rendered. */
function isCarried(graph: Graph, node: number): boolean {
  return !isConversation(graph, node) && !isSteppedOver(graph, node)
}
