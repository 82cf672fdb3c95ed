/** X18: which entries of a transcript a request did not carry, by the reason. */
import { type Context, contextEntries } from '../graph/contexts.js'
import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { domainOf, isConversation } from '../graph/nodes.js'
import type { LeftOutEntries, LeftOutReason } from '../protocol/context.js'

/** What was written to the file before an answer, or waited in its queue, and was not in the request. */
export function findLeftOut(graph: Graph, context: Context): readonly LeftOutEntries[] {
  const first = context.reply[0] ?? -1
  const file = graph.files().find(({ facts }) => facts.path === context.file)
  if (file === undefined) return []
  const { row } = graph.node(first)
  const carried = new Set([...contextEntries(context), ...context.reply])
  const reasonOf = reasonsFor(graph, first)
  const found = new Map<LeftOutReason, string[]>()
  for (const node of file.nodes) {
    if (graph.node(node).row >= row) break
    if (!isConversation(graph, node) || carried.has(node)) continue
    const reason = reasonOf(node)
    const nodes = found.get(reason) ?? []
    nodes.push(graph.id(node))
    found.set(reason, nodes)
  }
  const left = [...found].map(([reason, nodes]) => ({
    reason,
    entries: nodes.length,
    nodes: nodes.reverse(),
  }))
  const cleared = graph.clearedIn(context).map(node => graph.id(node))
  const waiting = queuedBefore(graph, file, row)
  return [
    ...left,
    ...(cleared.length === 0
      ? []
      : [{ reason: 'cleared' as const, entries: cleared.length, nodes: cleared.reverse() }]),
    ...(waiting === 0 ? [] : [{ reason: 'queued' as const, entries: waiting, nodes: [] }]),
  ]
}

/** Judges entries that were not carried, by where they stand in the lines of the conversation. */
function reasonsFor(graph: Graph, first: number): (node: number) => LeftOutReason {
  const positions = createPositions()
  const { ends, boundaryRow } = wayUp(graph, first, positions)
  const domain = domainOf(graph, first)
  return node => {
    if (domainOf(graph, node) !== domain && domainOf(graph, node).kind === 'agent') return 'subagent'
    const line = graph.lineOf(node)
    const end = line === null ? undefined : ends.get(line)
    const placed = graph.originalOf(graph.index(graph.id(node)) ?? node)
    if (end === undefined || positions(line, placed) > end) return 'abandoned'
    return graph.node(node).row < boundaryRow ? 'compacted' : 'never-sent'
  }
}

/** Gives the position of a node on a line; -1 for none. */
type Positions = (line: Line | null, node: number) => number

/** Each line that is asked for is gone through once. */
function createPositions(): Positions {
  const known = new Map<Line, ReadonlyMap<number, number>>()
  return (line, node) => {
    if (line === null) return -1
    const positions = known.get(line) ?? new Map(line.nodes.map((each, at) => [each, at]))
    known.set(line, positions)
    return positions.get(node) ?? -1
  }
}

/** The lines that an answer has above it, each with the last position on it, and the row of the newest compaction on the way. */
function wayUp(
  graph: Graph,
  first: number,
  positions: Positions,
): { readonly ends: ReadonlyMap<Line, number>; readonly boundaryRow: number } {
  const ends = new Map<Line, number>()
  let at: number | null = graph.originalOf(graph.index(graph.id(first)) ?? first)
  for (let line = graph.lineOf(at); line !== null && at !== null && !ends.has(line); ) {
    ends.set(line, positions(line, at))
    at = line.at
    line = at === null ? null : graph.lineOf(at)
  }
  const isOnTheWay = (node: number): boolean => {
    const line = graph.lineOf(node)
    const end = line === null ? undefined : ends.get(line)
    return end !== undefined && positions(line, node) <= end
  }
  const boundaries = graph
    .epochs()
    .filter(({ boundary, summary }) => summary !== null && isOnTheWay(boundary))
  return { ends, boundaryRow: Math.max(0, ...boundaries.map(({ boundary }) => graph.node(boundary).row)) }
}

/** Q1: how many typed texts waited when the request was sent: queued before, and delivered later or never. */
function queuedBefore(graph: Graph, file: FileRecord, row: number): number {
  const steps = graph.queues().find(queue => queue.file === file)?.steps ?? []
  return steps.filter(({ note, became, node }) => {
    if (note.operation !== 'enqueue' || note.source.row >= row || became === 'recalled') return false
    return node === null ? became === 'lost' : graph.node(node).row > row
  }).length
}
