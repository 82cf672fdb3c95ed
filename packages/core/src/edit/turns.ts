/** S6: turns: a prompt or answered command, and everything up to the next one. */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import {
  findLineAncestor,
  hasCalls,
  isBoundary,
  isConversation,
  isSidechain,
  isSummary,
  isUser,
  liveLeaf,
  none,
  timeOf,
} from '../graph/nodes.js'
import type { SentConversation } from '../resume/conversation.js'
import { sentAt, sentFrom } from './sent.js'

/** The prompt that a node is an answer to, or is; none where nothing was typed above it. */
export function promptOf(graph: Graph, node: number): number {
  return findLineAncestor(graph, node, above => graph.startsTurn(above))
}

/** The last entry of the turn that a prompt begins, on its line. */
function endOfTurn(graph: Graph, prompt: number): number {
  const nodes = graph.lineOf(prompt)?.nodes ?? []
  let end = prompt
  for (let position = nodes.indexOf(prompt) + 1; position > 0 && position < nodes.length; position++) {
    const node = nodes[position] ?? none
    if (startsOver(graph, node)) break
    if (isConversation(graph, node) && node > end) end = node
  }
  return end
}

/** The next turn, or a compaction: what stands behind one is sent without what stands before it. */
function startsOver(graph: Graph, node: number): boolean {
  return graph.startsTurn(node) || isSummary(graph, node) || isBoundary(graph, node)
}

/** The turn of a node as it is sent; null where nothing was typed above it, or a compaction has cut it. */
export function turnAt(graph: Graph, node: number): SentConversation | null {
  const prompt = promptOf(graph, node)
  if (prompt === none) return null
  return sentFrom(sentAt(graph, endOfTurn(graph, prompt)), prompt)
}

/** The last entry of a file's conversation, or the last one up to a time; none where there is nothing. */
export function endOfFile(graph: Graph, file: FileRecord, by: number | null): number {
  if (by === null) return liveLeaf(graph, file)
  const nodes = file.nodes.filter(node => !isSidechain(graph, node))
  return lastBy(graph, nodes, by)
}

/** The last entry of a line, or the last one up to a time. */
export function endOfLine(graph: Graph, { nodes }: Line, by: number | null): number {
  const inOrder = nodes.toSorted((a, b) => a - b)
  return lastBy(graph, inOrder, by)
}

/** The last entry of the conversation at a node, up to a time. */
export function endBefore(graph: Graph, node: number, by: number): number {
  return lastBy(graph, sentAt(graph, node).sent, by)
}

function lastBy(graph: Graph, nodes: readonly number[], by: number | null): number {
  const isBy = (node: number): boolean => by === null || timeOf(graph, node) <= by
  return nodes.findLast(node => isConversation(graph, node) && isBy(node)) ?? none
}

/** Whether nobody has answered the end of a file yet: it ends in a prompt, a result or an open call. */
export function endsOpen(graph: Graph, file: FileRecord): boolean {
  const leaf = liveLeaf(graph, file)
  if (leaf === none) return false
  return isUser(graph, leaf) || hasCalls(graph, leaf)
}
