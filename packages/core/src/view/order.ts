/** The order of one line's nodes in a view, and which of them are shown. */
import { subtypeOf } from '../graph/compactions.js'
import type { Graph } from '../graph/graph.js'
import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'
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
  const { state } = graph
  const { call, isJoined } = pairResults(state, nodes, node => speaks(state, node) && shows(graph, node))
  // The place of the call that each result goes to.
  const target = call.map((from, place) =>
    isJoined[place] === 1 && !lanes.has(nodes[from] ?? t.none) ? from : t.none,
  )
  // Right behind its call, or behind another result of it, a result stands where it belongs.
  const isMoved = target.some(
    (from, place) => from !== t.none && place > from + 1 && target[place - 1] !== from,
  )
  return isMoved ? gathered(nodes, target) : nodes
}

function gathered(nodes: readonly number[], target: Int32Array): readonly number[] {
  const results = new Map<number, number[]>()
  nodes.forEach((node, place) => {
    const from = t.int(target, place)
    if (from === t.none) return
    const known = results.get(from)
    if (known === undefined) results.set(from, [node])
    else known.push(node)
  })
  return nodes.flatMap((node, place) =>
    t.int(target, place) === t.none ? [node, ...(results.get(place) ?? none)] : none,
  )
}

const none: readonly number[] = []

/**
 * Whether a reader of the conversation wants to see the node: prompts, answers, calls and their results, commands,
 * notifications, compactions. Hooks, attachments, progress, caveats, injected texts and bare thinking are beside it.
 */
export function isSpoken(graph: Graph, node: number): boolean {
  const { state } = graph
  const { table } = state
  switch (t.byte(table.kind, node)) {
    case t.User:
      return !beside.has(t.byte(table.says, node))
    case t.Assistant:
      return (
        !t.marked(table, node, t.ThinkingOnly) && (speaks(state, node) || t.marked(table, node, t.HasCalls))
      )
    case t.System:
      return t.marked(table, node, t.Boundary) || spokenNotes.has(subtypeOf(state, node))
    case t.Attachment:
      return isQueued(state, node)
    default:
      return false
  }
}

/** Text that was queued and delivered in mid turn. */
function isQueued({ table }: State, node: number): boolean {
  const entry = table.entries[node]
  return entry?.kind === 'attachment' && entry.queued !== null
}

const beside: ReadonlySet<number> = new Set([t.SaysCaveat, t.SaysMeta])
const spokenNotes: ReadonlySet<string> = new Set(['local_command'])

/** C4: a boundary whose summary was never written. */
export function isUnfinishedBoundary(state: State, node: number): boolean {
  return (
    t.marked(state.table, node, t.Boundary) && (state.compactionOf.get(node)?.summary ?? t.none) === t.none
  )
}

/** C3: a boundary, or the bare summary that is all 1.0.x leaves of a compaction. */
export function isLandmark(state: State, node: number): boolean {
  const { table } = state
  if (t.marked(table, node, t.Boundary)) return true
  return t.byte(table.says, node) === t.SaysSummary && table.parentIds[node] === null
}
