/** The order of one line's nodes in a view, and which of them are shown. */
import { subtypeOf } from '../graph/compactions.js'
import type { Graph } from '../graph/graph.js'
import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'

/**
 * T4: a result stands with its call, unless the assistant wrote prose or thinking between the two: then it stays
 * where it came. The results of calls in `lanes` stay too: there an agent's lane comes home. Linear.
 */
export function orderLine(
  graph: Graph,
  nodes: readonly number[],
  lanes: { has: (node: number) => boolean },
): readonly number[] {
  const { state } = graph
  const places = new Map(nodes.map((node, place) => [node, place]))
  const spoken = countSpeech(state, nodes)
  const moved = new Map<number, number[]>()
  const away = new Set<number>()
  nodes.forEach((node, place) => {
    for (const call of callsAnswered(graph, node)) {
      const from = places.get(call) ?? place
      if (from >= place || lanes.has(call) || spoken[place] !== spoken[from + 1]) continue
      const results = moved.get(call)
      if (results === undefined) moved.set(call, [node])
      else results.push(node)
      away.add(node)
      break
    }
  })
  if (away.size === 0) return nodes
  return nodes.flatMap(node => (away.has(node) ? [] : [node, ...(moved.get(node) ?? [])]))
}

/** How many entries with words of the assistant stand before each place. */
function countSpeech(state: State, nodes: readonly number[]): Int32Array {
  const counts = new Int32Array(nodes.length + 1)
  nodes.forEach((node, place) => {
    counts[place + 1] = (counts[place] ?? 0) + (speaks(state, node) ? 1 : 0)
  })
  return counts
}

/** Prose or thinking; parts without words do not count. */
export function speaks({ table }: State, node: number): boolean {
  return t.byte(table.kind, node) === t.Assistant && t.real(table.print, node) !== 0
}

/** T1: the entries whose calls a result answers. */
function callsAnswered(graph: Graph, node: number): readonly number[] {
  if (t.byte(graph.state.table.says, node) !== t.SaysResult) return none
  return graph.toolEnds(node).flatMap(({ calls }) => calls[0] ?? none)
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
const spokenNotes: ReadonlySet<string> = new Set(['local_command', 'compact_recap'])

/** C3: a boundary, or the bare summary that is all 1.0.x leaves of a compaction. */
export function isLandmark(state: State, node: number): boolean {
  const { table } = state
  if (t.marked(table, node, t.Boundary)) return true
  return t.byte(table.says, node) === t.SaysSummary && table.parentIds[node] === null
}
