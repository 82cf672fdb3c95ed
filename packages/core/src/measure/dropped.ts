/** X8: what a compaction dropped from its conversation. */
import { type Epoch, isUnfinished } from '../graph/epochs.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'

/**
 * The entries that a compaction dropped, from the first to the last: those between the compaction before and itself, on its
 * own path, without those it kept. A compaction that was not finished dropped nothing (C4).
 */
export function droppedBy(graph: Graph, epoch: Epoch): readonly number[] {
  if (isUnfinished(epoch)) return []
  const kept = new Set(epoch.preserved.map(node => graph.originalOf(node)))
  return pathSinceCompaction(graph, epoch.boundary).filter(node => !kept.has(node))
}

/** From behind the last finished compaction above a boundary to the boundary. A subagent begins with its own first entry. */
function pathSinceCompaction(graph: Graph, boundary: number): readonly number[] {
  const finished = graph.epochs().filter(epoch => !isUnfinished(epoch))
  const starts = new Set(finished.map(epoch => graph.originalOf(epoch.boundary)))
  const pieces: (readonly number[])[] = []
  const seen = new Set<number>()
  let end: number | null = graph.originalOf(boundary)
  for (let isBoundary = true; end !== null; isBoundary = false) {
    const line: Line | null = graph.lineOf(end)
    if (line === null || seen.has(line.index)) break
    seen.add(line.index)
    const piece = line.nodes.slice(0, line.nodes.indexOf(end) + (isBoundary ? 0 : 1))
    const start = piece.findLastIndex(node => starts.has(node))
    pieces.push(piece.slice(start + 1))
    if (start >= 0 || line.kind === 'agent') break
    end = line.at === null ? null : graph.originalOf(line.at)
  }
  return pieces.reverse().flat()
}
