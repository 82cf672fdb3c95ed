/** What is said in a file under edit: the live conversation, with what mended links lead to. */
import type { Graph } from '../graph/graph.js'
import {
  compactionAt,
  isAssistant,
  isBoundary,
  isInFile,
  isSummary,
  liveChain,
  messageOf,
  nodeCount,
  none,
  sentOnChain,
} from '../graph/nodes.js'
import { createNodeList } from '../graph/positions.js'
import { standIn } from './copies.js'
import type { Draft } from './draft.js'

/** The live conversation, with what the mended links lead to. */
export function conversationOf(draft: Draft, end: number): readonly number[] {
  const { graph, file, parents } = draft
  const by = draft.isStraight ? 'loader' : 'writer'
  const pieces: (readonly number[])[] = []
  const seen = new Set<number>()
  let chain = liveChain(graph, end)
  let from = 0
  for (let leaf = end; leaf !== none && !seen.has(leaf); ) {
    seen.add(leaf)
    const kept = new Set(compactionAt(graph, chain.at(-1) ?? none)?.preserved)
    let at = from
    while (at < chain.length && (!parents.has(chain[at] ?? none) || kept.has(chain[at] ?? none))) at++
    pieces.push(sentOnChain(graph, file, chain.slice(from, at + 1), { by, leaf: leaf === end ? leaf : none }))
    leaf = at < chain.length ? (parents.get(chain[at] ?? none) ?? none) : none
    // Over most gaps the graph has gone the same way: the rest of the chain is that of the new link.
    const goesOn = chain[at + 1] === leaf && !isAnchor(graph, leaf)
    chain = goesOn || leaf === none ? chain : liveChain(graph, leaf)
    from = goesOn ? at + 1 : 0
  }
  pieces.reverse()
  const talk = createNodeList(nodeCount(graph), nodeCount(graph))
  const isIn = (node: number): boolean => isInFile(graph, node, file) && !draft.dropped.has(node)
  for (const piece of pieces) {
    for (const said of piece) {
      const node = standIn(draft, said)
      if (isIn(node)) talk.add(node)
    }
  }
  return partsInOrder(draft, talk.list)
}

/** Whether entries that a compaction kept stand behind this one. */
function isAnchor(graph: Graph, node: number): boolean {
  return isBoundary(graph, node) || isSummary(graph, node)
}

/** Parts whose links are mended stand where they were written: the graph has sorted them by the links as they were. */
function partsInOrder({ graph, parents }: Draft, talk: readonly number[]): readonly number[] {
  const messages = new Set([...parents.keys()].map(node => messageOf(graph, node)))
  const isMended = (node: number): boolean => isAssistant(graph, node) && messages.has(messageOf(graph, node))
  const ordered = [...talk]
  for (let start = 0; start < talk.length; start++) {
    let end = start
    while (end < talk.length && isMended(talk[end] ?? none) && isSameMessage(graph, talk, start, end)) end++
    if (end - start > 1) ordered.splice(start, end - start, ...talk.slice(start, end).sort((a, b) => a - b))
    start = Math.max(start, end - 1)
  }
  return ordered
}

function isSameMessage(graph: Graph, talk: readonly number[], a: number, b: number): boolean {
  return messageOf(graph, talk[a] ?? none) === messageOf(graph, talk[b] ?? none)
}
