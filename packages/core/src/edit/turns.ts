/** Turns: a prompt and everything up to the next one. */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import {
  hasCalls,
  isBoundary,
  isConversation,
  isPrompt,
  isSidechain,
  isUser,
  lineParentOf,
  liveLeaf,
  nodeCount,
  none,
  roleOf,
  timeOf,
} from '../graph/nodes.js'
import { conversationAt, type Stretch, stretchFrom } from './chain.js'

/** The prompt that a node is an answer to, or is; none where nothing was typed above it. */
export function promptOf(graph: Graph, node: number): number {
  for (let above = node, left = nodeCount(graph); above !== none && left > 0; left--) {
    if (isPrompt(graph, above)) return above
    above = lineParentOf(graph, above)
  }
  return none
}

/** The last entry of the turn that a prompt begins, on its line. */
function endOfTurn(graph: Graph, prompt: number): number {
  const nodes = graph.lineOf(prompt)?.nodes ?? []
  let end = prompt
  for (let place = nodes.indexOf(prompt) + 1; place > 0 && place < nodes.length; place++) {
    const node = nodes[place] ?? none
    if (beginsAnew(graph, node)) break
    if (isConversation(graph, node) && node > end) end = node
  }
  return end
}

/** A prompt, or a compaction: what stands behind one is sent without what stands before it. */
function beginsAnew(graph: Graph, node: number): boolean {
  const says = roleOf(graph, node)
  return says === 'prompt' || says === 'summary' || isBoundary(graph, node)
}

/** The turn of a node as it is sent; null where nothing was typed above it, or a compaction has cut it. */
export function turnAt(graph: Graph, node: number): Stretch | null {
  const prompt = promptOf(graph, node)
  if (prompt === none) return null
  return stretchFrom(conversationAt(graph, endOfTurn(graph, prompt)), prompt)
}

/** The last entry of a file's conversation, or of what had been said by a time; none where there is nothing. */
export function endOfFile(graph: Graph, file: FileRecord, by: number | null): number {
  if (by === null) return liveLeaf(graph, file)
  return lastBy(
    graph,
    file.nodes.filter(node => !isSidechain(graph, node)),
    by,
  )
}

/** The last entry of a line, or of what had been said on it by a time. */
export function endOfLine(graph: Graph, { nodes }: Line, by: number | null): number {
  return lastBy(
    graph,
    [...nodes].sort((a, b) => a - b),
    by,
  )
}

/** The last entry of the conversation at a node that had been said by a time. */
export function endBefore(graph: Graph, node: number, by: number): number {
  return lastBy(graph, conversationAt(graph, node).sent, by)
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
