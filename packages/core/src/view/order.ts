/** The order of one line's nodes in a view, and which of them are shown. */
import { subtypeOf } from '../graph/compactions.js'
import type { Graph } from '../graph/graph.js'
import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'
import { callsOf, toolsOf } from '../graph/tool-book.js'

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
  const spoken = countSpeech(state, nodes)
  const placeAbove = finderOf(nodes)
  // The place of the call that each result goes to.
  const target = new Int32Array(nodes.length).fill(t.none)
  let isMoved = false
  nodes.forEach((node, place) => {
    for (const call of callsAnswered(state, node)) {
      const from = placeAbove(call, place)
      if (from === t.none || lanes.has(call) || spoken[place] !== spoken[from + 1]) continue
      target[place] = from
      // Right behind its call, or behind another result of it, it stands where it belongs.
      isMoved ||= place > from + 1 && target[place - 1] !== from
      break
    }
  })
  return isMoved ? gathered(nodes, target) : nodes
}

/** Nearly every call stands a few entries above its result: further ones are looked up. */
const near = 8

function finderOf(nodes: readonly number[]): (call: number, below: number) => number {
  let places: ReadonlyMap<number, number> | null = null
  return (call, below) => {
    const end = Math.max(0, below - near)
    for (let place = below - 1; place >= end; place--) if (nodes[place] === call) return place
    places ??= new Map(nodes.map((node, place) => [node, place]))
    const place = places.get(call) ?? t.none
    return place < below ? place : t.none
  }
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
function callsAnswered(state: State, node: number): readonly number[] {
  if (t.byte(state.table.says, node) !== t.SaysResult) return none
  return toolsOf(state, node).flatMap(tool => callsOf(state, tool)[0] ?? none)
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
