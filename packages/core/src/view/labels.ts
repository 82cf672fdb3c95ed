/** What is said of each entry where it is found: whose node it is, on which line, live or not, before a compaction. */
import { isUnfinished } from '../graph/epochs.js'
import type { Graph } from '../graph/graph.js'
import * as t from '../graph/table.js'

/** By sighting, in the order in which rows were added to the graph. */
export interface Labels {
  /** The sighting that owns the node; itself for most. A copy is owned by its original (G7). */
  readonly owner: Int32Array
  /** Index into `graph.lines()`, or -1 where it has no place. A copy is on the line of its original. */
  readonly line: Int32Array
  /**
   * 1 where some conversation's next request carries the node, 2 where it carries only a copy of it; what is no message
   * is as the message before it.
   */
  readonly live: Uint8Array
  /** How many compactions of its line came after it. */
  readonly compacted: Uint16Array
}

/** Labels all sightings. Linear, but for what is live in several files. */
export function labelNodes(graph: Graph): Labels {
  const { table } = graph.state
  const labels: Labels = {
    owner: table.owner.slice(0, table.size),
    line: new Int32Array(table.size),
    live: new Uint8Array(table.size),
    compacted: new Uint16Array(table.size),
  }
  const { lineOf } = graph.layout()
  for (let node = 0; node < table.size; node++) {
    // A row that was written again in its own file is no sighting of the graph's: the first one stands for it.
    if (t.marked(table, node, t.Repeated)) labels.owner[node] = graph.index(graph.id(node))
    labels.line[node] = t.int(lineOf, graph.originalOf(t.int(labels.owner, node)))
  }
  markLive(graph, labels)
  // After that: what carries a copy does not carry the original, which may be on a branch that was left.
  for (let node = 0; node < table.size; node++)
    labels.owner[node] = graph.originalOf(t.int(labels.owner, node))
  markCopied(labels)
  for (const line of graph.lines()) markBetween(graph, line.nodes, labels)
  countCompactions(graph, labels)
  return labels
}

function markLive(graph: Graph, { live, owner }: Labels): void {
  for (const file of graph.files()) {
    for (const node of graph.live(file.facts.path)) {
      live[node] = 1
      live[t.int(owner, node)] = 1
    }
  }
}

/** A branch that was left may have been copied to a session that goes on with it. */
function markCopied({ live, owner }: Labels): void {
  for (let node = 0; node < live.length; node++) {
    const original = t.int(owner, node)
    if (live[node] === 1 && live[original] === 0) live[original] = 2
  }
}

/** Attachments, system entries and progress go with the message they follow on their line. */
function markBetween(graph: Graph, nodes: readonly number[], { live }: Labels): void {
  const { kind } = graph.state.table
  let last = -1
  for (const node of nodes) {
    const isMessage = t.byte(kind, node) === t.User || t.byte(kind, node) === t.Assistant
    if (isMessage) last = live[node] ?? 0
    else if (last >= 0) live[node] = last
  }
}

function countCompactions(graph: Graph, { compacted, line }: Labels): void {
  // C4: an unfinished compaction took nothing away.
  const finished = graph.epochs().filter(epoch => !isUnfinished(epoch))
  const boundaries = new Set(finished.map(({ boundary }) => boundary))
  const lines = new Set([...boundaries].map(boundary => t.int(line, boundary)))
  for (const index of lines) {
    let behind = 0
    for (const node of (graph.lines()[index]?.nodes ?? []).toReversed()) {
      compacted[node] = behind
      if (boundaries.has(node)) behind++
    }
  }
}
