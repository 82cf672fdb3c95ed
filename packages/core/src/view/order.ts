/** The order of one line's nodes in a view, and which of them are shown. */

import type { Graph } from '../graph/graph.js'
import {
  callsOf,
  compactionAt,
  entryOf,
  hasBlocks,
  isAssistant,
  isBoundary,
  isResult,
  isSummary,
  isThinkingOnly,
  kindOf,
  messageOf,
  none,
  parentIdOf,
  roleOf,
  subtypeOf,
  textHashOf,
  toolsOf,
} from '../graph/nodes.js'
import { pushTo } from '../model/group.js'

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
  // The position of the call that each result goes to.
  const target = call.map((from, position) =>
    isJoined[position] === 1 && !lanes.has(nodes[from] ?? none) ? from : none,
  )
  // Right behind its call, or behind another result of it, a result stands where it belongs.
  const isMoved = target.some(
    (from, position) => from !== none && position > from + 1 && target[position - 1] !== from,
  )
  return isMoved ? gathered(nodes, target) : nodes
}

function gathered(nodes: readonly number[], target: Int32Array): readonly number[] {
  const results = new Map<number, number[]>()
  nodes.forEach((node, position) => {
    const from = target[position] ?? none
    if (from !== none) pushTo(results, from, node)
  })
  return nodes.flatMap((node, position) =>
    (target[position] ?? none) === none ? [node, ...(results.get(position) ?? [])] : [],
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

/** C3: whether a node marks a compaction: a boundary, or the bare summary that is all 1.0.x leaves of one. */
export function isLandmark(graph: Graph, node: number): boolean {
  return isBoundary(graph, node) || (isSummary(graph, node) && parentIdOf(graph, node) === null)
}

// T4: which results stand with their calls. This is the one decision for all views: `log` orders rows by it, the page and
// the exports show a result inside its call by it.

/** By position in a list of entries. */
export interface Pairs {
  /** The position of the call that a result answers; none for other entries, and where no call stands above. */
  readonly call: Int32Array
  /** 1 where the result stands with that call; 0 where it is late and stays where it came. */
  readonly isJoined: Uint8Array
}

/**
 * Pairs the results of a line with their calls. A result is late when an entry that `separates` stands between the two:
 * one with prose or thinking that the view shows. So a pair that thinking parts is a pair again where the thinking is
 * hidden. Linear.
 */
export function pairResults(
  graph: Graph,
  nodes: readonly number[],
  separates: (node: number) => boolean,
): Pairs {
  const spoken = countBefore(nodes, separates)
  const positionAbove = finderOf(nodes)
  const pairs: Pairs = {
    call: new Int32Array(nodes.length).fill(none),
    isJoined: new Uint8Array(nodes.length),
  }
  nodes.forEach((node, position) => {
    for (const call of callsAnswered(graph, node)) {
      const from = positionAbove(call, position)
      if (from === none) continue
      pairs.call[position] = from
      if (spoken[position] !== spoken[from + 1]) continue
      pairs.isJoined[position] = 1
      break
    }
  })
  return pairs
}

/** How many entries that separate stand before each position. */
function countBefore(nodes: readonly number[], separates: (node: number) => boolean): Int32Array {
  const counts = new Int32Array(nodes.length + 1)
  nodes.forEach((node, position) => {
    counts[position + 1] = (counts[position] ?? 0) + (separates(node) ? 1 : 0)
  })
  return counts
}

/** Nearly every call stands a few entries above its result: calls further up are looked up. */
const NEAR = 8

function finderOf(nodes: readonly number[]): (call: number, below: number) => number {
  let positions: ReadonlyMap<number, number> | null = null
  return (call, below) => {
    const end = Math.max(0, below - NEAR)
    for (let position = below - 1; position >= end; position--) if (nodes[position] === call) return position
    positions ??= new Map(nodes.map((node, position) => [node, position]))
    const position = positions.get(call) ?? none
    return position < below ? position : none
  }
}

/** T1: the entries whose calls a result answers. */
function callsAnswered(graph: Graph, node: number): readonly number[] {
  if (!isResult(graph, node)) return NO_CALLS
  return toolsOf(graph, node).flatMap(tool => callsOf(graph, tool))
}

const NO_CALLS: readonly number[] = []

/** Whether an entry has prose or thinking of the assistant; parts without words have none. */
export function speaks(graph: Graph, node: number): boolean {
  return isAssistant(graph, node) && textHashOf(graph, node) !== 0
}

// Messages as a reader counts them.

/**
 * How many messages the nodes hold: what was typed (prompts and commands, also those delivered in mid turn), and each
 * message of the assistant once, however many entries it has. Results go with their calls; notes and hooks are none.
 */
export function countMessages(graph: Graph, nodes: readonly number[]): number {
  const seen = new Set<number>()
  let count = 0
  for (const node of nodes) {
    const message = messageOf(graph, node)
    if (!isMessage(graph, node) || seen.has(message)) continue
    if (message !== none) seen.add(message)
    count++
  }
  return count
}

/** Whether a node is a message, or a part of one. */
export function isMessage(graph: Graph, node: number): boolean {
  if (isAssistant(graph, node)) return true
  const entry = entryOf(graph, node)
  if (entry?.kind === 'attachment') return entry.queued !== null
  const role = roleOf(graph, node)
  return role === 'prompt' || role === 'command'
}
