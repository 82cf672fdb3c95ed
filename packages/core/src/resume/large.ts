/**
 * D15: large files are read in another way by newer releases: what stands before a compaction that kept nothing is never looked
 * at, and one release reads only the rows on the line of parents.
 */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import { entryOf, isBoundary } from '../graph/nodes.js'
import { keepsSome } from './kept.js'
import type { Release } from './releases.js'
import { type LoadedRows, MISSING, NO_PARENT } from './rows.js'

/** Files with more bytes than this. */
const LARGE = 5 * 1024 * 1024

/** The first node of a file that is looked at: in a large one the newest boundary of a compaction that kept nothing. */
export function firstRead(graph: Graph, file: FileRecord, release: Release): number {
  if (file.bytes <= LARGE || release.large === 'whole') return 0
  return file.nodes.findLast(node => isPlainBoundary(graph, node, release)) ?? 0
}

function isPlainBoundary(graph: Graph, node: number, release: Release): boolean {
  if (!isBoundary(graph, node)) return false
  const entry = entryOf(graph, node)
  const compaction = entry?.kind === 'system' ? entry.compaction : null
  return compaction === null || !keepsSome(compaction, release)
}

/**
 * Drops what stands beside the lines of parents of the last row and of the noted one. Nothing is dropped where such a line
 * ends with a missing parent, or a compaction has kept entries.
 */
export function dropBeside(loaded: LoadedRows, file: FileRecord, release: Release, noted: number): void {
  const { parents, dropped, last, graph, rows } = loaded
  if (file.bytes <= LARGE || release.large !== 'line') return
  if (rows.some(node => isBoundary(graph, node) && !isPlainBoundary(graph, node, release))) return
  const onLine = new Uint8Array(parents.length)
  for (const end of [last, noted]) if (!markLine(parents, end, onLine)) return
  for (const place of parents.keys()) dropped[place] = onLine[place] === 1 ? 0 : 1
}

/** Marks the places from an end up to the root; returns whether there is one, or a cycle. */
function markLine(parents: Int32Array, end: number, onLine: Uint8Array): boolean {
  let place = end
  while (place >= 0 && onLine[place] === 0) {
    onLine[place] = 1
    place = parents[place] ?? NO_PARENT
  }
  return place !== MISSING
}
