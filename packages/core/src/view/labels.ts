/** Facts about each entry that lists of them show: whose node it is, on which line, live or not, before a compaction. */

import { isUnfinished } from '../graph/epochs.js'
import type { Graph } from '../graph/graph.js'
import { isConversation, isRepeated, nodeCount, none, ownerOf } from '../graph/nodes.js'

/** By sighting, in the order in which rows were added to the graph. */
export interface NodeLabels {
  /** The sighting that owns the node; itself for most. A copy is owned by its original (G7). */
  readonly owner: Int32Array
  /** Index into `graph.lines()`, or -1 where it is on none. A copy is on the line of its original. */
  readonly line: Int32Array
  /**
   * 1 where some conversation's next request carries the node, 2 where it carries only a copy of it; what is not a message
   * is as the message before it.
   */
  readonly live: Uint8Array
  /** How many compactions of its line came after it. */
  readonly compacted: Uint16Array
}

/** Facts about every node that lists of them show: its line, whether it is live, how many compactions came after it. */
export function labelNodes(graph: Graph): NodeLabels {
  const size = nodeCount(graph)
  const labels: NodeLabels = {
    owner: Int32Array.from({ length: size }, (_, node) => ownerOf(graph, node)),
    line: new Int32Array(size),
    live: new Uint8Array(size),
    compacted: new Uint16Array(size),
  }
  const { lineOf } = graph.layout()
  for (let node = 0; node < size; node++) {
    // A row that was written again in its own file is not a sighting of the graph's: the first one stands for it.
    if (isRepeated(graph, node)) labels.owner[node] = graph.index(graph.id(node)) ?? node
    labels.line[node] = lineOf[graph.originalOf(labels.owner[node] ?? none)] ?? none
  }
  markLive(graph, labels)
  // After that: what carries a copy does not carry the original, which may be on an abandoned branch.
  for (let node = 0; node < size; node++) labels.owner[node] = graph.originalOf(labels.owner[node] ?? none)
  markCopied(labels)
  for (const line of graph.lines()) markBetween(graph, line.nodes, labels)
  countCompactions(graph, labels)
  return labels
}

function markLive(graph: Graph, { live, owner }: NodeLabels): void {
  for (const file of graph.files()) {
    for (const node of graph.live(file.facts.path)) {
      live[node] = 1
      live[owner[node] ?? none] = 1
    }
  }
}

/** An abandoned branch may have been copied to a session that goes on with it. */
function markCopied({ live, owner }: NodeLabels): void {
  for (let node = 0; node < live.length; node++) {
    const original = owner[node] ?? none
    if (live[node] === 1 && live[original] === 0) live[original] = 2
  }
}

/** Attachments, system entries and progress go with the message they follow on their line. */
function markBetween(graph: Graph, nodes: readonly number[], { live }: NodeLabels): void {
  let last = -1
  for (const node of nodes) {
    if (isConversation(graph, node)) last = live[node] ?? 0
    else if (last >= 0) live[node] = last
  }
}

function countCompactions(graph: Graph, { compacted, line }: NodeLabels): void {
  // C4: an unfinished compaction took nothing away.
  const finished = graph.epochs().filter(epoch => !isUnfinished(epoch))
  const boundaries = new Set(finished.map(({ boundary }) => boundary))
  const lines = new Set([...boundaries].map(boundary => line[boundary] ?? none))
  for (const index of lines) {
    let behind = 0
    for (const node of (graph.lines()[index]?.nodes ?? []).toReversed()) {
      compacted[node] = behind
      if (boundaries.has(node)) behind++
    }
  }
}

// Short texts about sessions and search hits.

const CONTINUATIONS: Readonly<Record<string, string>> = {
  resume: 'Resumed',
  fork: 'Forked',
  branch: 'Branched',
  background: 'Sent to the background',
}

/** How a session continues another: `Forked`. */
export function continuationLabel(how: string): string {
  return CONTINUATIONS[how] ?? 'Continued'
}

/** Whether the next request of its file carries an entry. */
export function isLive(graph: Graph, node: number): boolean {
  const { id, file } = graph.node(node)
  return graph.live(file).some(live => graph.id(live) === id)
}

/** The words for the status of a line: `live`, `abandoned`, `taken back`, `retried` or `copy`. */
export function statusLabel(status: string): string {
  return status === 'retry' ? 'retried' : status.replace('-', ' ')
}

/** The words for a branch: the one that goes on is current, whether or not the next request carries all of it. */
export function branchLabel(status: string): string {
  return status === 'live' ? 'current' : statusLabel(status)
}

/**
 * The labels of a search hit: at most one, about the session that lists the text. `live` says whether any
 * conversation carries the text: on an abandoned branch, that is the conversation of another session.
 */
export function statusLabels(live: boolean, status: string | null): readonly string[] {
  if (status === null || status === 'live') return live ? ['live'] : []
  if (live) return [`${statusLabel(status)} here, live in another session`]
  return [status === 'abandoned' ? 'abandoned branch' : statusLabel(status)]
}
