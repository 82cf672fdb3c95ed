/** Turns: a prompt and everything up to the next one. */
import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { isConversation, liveLeaf } from '../graph/live.js'
import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'
import { conversationAt, type Stretch, stretchFrom } from './chain.js'

/** The prompt that a node is an answer to, or is; none where nothing was typed above it. */
export function promptOf({ state }: Graph, node: number): number {
  const { table } = state
  for (let above = node, left = table.size; above !== t.none && left > 0; left--) {
    if (t.byte(table.says, above) === t.SaysPrompt) return above
    above = t.int(table.up, above)
  }
  return t.none
}

/** The last entry of the turn that a prompt begins, on its line. */
export function endOfTurn(graph: Graph, prompt: number): number {
  const { table } = graph.state
  const nodes = graph.lineOf(prompt)?.nodes ?? []
  let end = prompt
  for (let place = nodes.indexOf(prompt) + 1; place > 0 && place < nodes.length; place++) {
    const node = nodes[place] ?? t.none
    if (beginsAnew(table, node)) break
    if (isConversation(table, node) && node > end) end = node
  }
  return end
}

/** A prompt, or a compaction: what stands behind one is sent without what stands before it. */
function beginsAnew(table: t.Table, node: number): boolean {
  const says = t.byte(table.says, node)
  return says === t.SaysPrompt || says === t.SaysSummary || t.marked(table, node, t.Boundary)
}

/** The turn of a node as it is sent; null where nothing was typed above it, or a compaction has cut it. */
export function turnAt(graph: Graph, node: number): Stretch | null {
  const prompt = promptOf(graph, node)
  if (prompt === t.none) return null
  return stretchFrom(conversationAt(graph.state, endOfTurn(graph, prompt)), prompt)
}

/** The last entry of a file's conversation, or of what had been said by a time; none where there is nothing. */
export function endOfFile({ state }: Graph, file: FileRecord, by: number | null): number {
  if (by === null) return liveLeaf(state, file)
  return lastBy(
    state,
    file.nodes.filter(node => !t.marked(state.table, node, t.Sidechain)),
    by,
  )
}

/** The last entry of a line, or of what had been said on it by a time. */
export function endOfLine({ state }: Graph, { nodes }: Line, by: number | null): number {
  return lastBy(
    state,
    [...nodes].sort((a, b) => a - b),
    by,
  )
}

/** The last entry of the conversation at a node that had been said by a time. */
export function endBefore({ state }: Graph, node: number, by: number): number {
  return lastBy(state, conversationAt(state, node).sent, by)
}

function lastBy(state: State, nodes: readonly number[], by: number | null): number {
  const { table } = state
  const isBy = (node: number): boolean => by === null || t.real(table.time, node) <= by
  return nodes.findLast(node => isConversation(table, node) && isBy(node)) ?? t.none
}

/** Whether nobody has answered the end of a file yet: it ends in a prompt, a result or an open call. */
export function endsOpen({ state }: Graph, file: FileRecord): boolean {
  const leaf = liveLeaf(state, file)
  if (leaf === t.none) return false
  return t.byte(state.table.kind, leaf) === t.User || t.marked(state.table, leaf, t.HasCalls)
}
