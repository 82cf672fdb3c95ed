/** The order of one line's nodes in a view, and which of them are shown. */

import type { Graph } from '../graph/graph.js'
import {
  compactionAt,
  entryOf,
  hasBlocks,
  isBoundary,
  isSummary,
  isThinkingOnly,
  kindOf,
  none,
  parentIdOf,
  roleOf,
  subtypeOf,
} from '../graph/nodes.js'
import { pairResults, speaks } from './pairs.js'

/**
 * T4: the entries of a line with each result behind its call, and late ones where they came. What a view hides does not
 * separate the two. The results of calls in `lanes` stay too: there an agent's lane comes home. Linear.
 */
export function orderLine(
  graph: Graph,
  nodes: readonly number[],
  lanes: { has: (node: number) => boolean },
  shows: (graph: Graph, node: number) => boolean = () => true,
): readonly number[] {
  const { call, isJoined } = pairResults(graph, nodes, node => speaks(graph, node) && shows(graph, node))
  // The place of the call that each result goes to.
  const target = call.map((from, place) =>
    isJoined[place] === 1 && !lanes.has(nodes[from] ?? none) ? from : none,
  )
  // Right behind its call, or behind another result of it, a result stands where it belongs.
  const isMoved = target.some(
    (from, place) => from !== none && place > from + 1 && target[place - 1] !== from,
  )
  return isMoved ? gathered(nodes, target) : nodes
}

function gathered(nodes: readonly number[], target: Int32Array): readonly number[] {
  const results = new Map<number, number[]>()
  nodes.forEach((node, place) => {
    const from = target[place] ?? none
    if (from === none) return
    const known = results.get(from)
    if (known === undefined) results.set(from, [node])
    else known.push(node)
  })
  return nodes.flatMap((node, place) =>
    (target[place] ?? none) === none ? [node, ...(results.get(place) ?? [])] : [],
  )
}

/**
 * Whether a reader of the conversation wants to see the node: prompts, answers, calls and their results, commands,
 * notifications, compactions. Hooks, attachments, progress, caveats, injected texts and bare thinking are beside it.
 */
export function isSpoken(graph: Graph, node: number): boolean {
  switch (kindOf(graph, node)) {
    case 'user':
      return !beside.has(roleOf(graph, node))
    case 'assistant':
      return !isThinkingOnly(graph, node) && (speaks(graph, node) || hasBlocks(graph, node))
    case 'system':
      return isBoundary(graph, node) || spokenNotes.has(subtypeOf(graph, node))
    case 'attachment':
      return isQueued(graph, node)
    default:
      return false
  }
}

/** Text that was queued and delivered within a turn. */
function isQueued(graph: Graph, node: number): boolean {
  const entry = entryOf(graph, node)
  return entry?.kind === 'attachment' && entry.queued !== null
}

const beside: ReadonlySet<string> = new Set(['caveat', 'meta'])
const spokenNotes: ReadonlySet<string> = new Set(['local_command'])

/** C4: a boundary whose summary was never written. */
export function isUnfinishedBoundary(graph: Graph, node: number): boolean {
  return isBoundary(graph, node) && (compactionAt(graph, node)?.summary ?? none) === none
}

/** C3: a boundary, or the bare summary that is all 1.0.x leaves of a compaction. */
export function isLandmark(graph: Graph, node: number): boolean {
  return isBoundary(graph, node) || (isSummary(graph, node) && parentIdOf(graph, node) === null)
}
