/** Messages as a reader counts them. */
import type { Graph } from '../graph/graph.js'
import * as t from '../graph/table.js'

/**
 * How many messages the nodes hold: what was typed (prompts and commands, also those delivered in mid turn), and each
 * message of the assistant once, however many entries it has. Results go with their calls; notes and hooks are none.
 */
export function countMessages(graph: Graph, nodes: readonly number[]): number {
  const seen = new Set<number>()
  let count = 0
  for (const node of nodes) {
    const message = t.int(graph.state.table.message, node)
    if (!isMessage(graph, node) || seen.has(message)) continue
    if (message !== t.none) seen.add(message)
    count++
  }
  return count
}

/** Whether a node is a message, or a part of one. */
export function isMessage({ state: { table } }: Graph, node: number): boolean {
  if (t.byte(table.kind, node) === t.Assistant) return true
  const entry = table.entries[node]
  if (entry?.kind === 'attachment') return entry.queued !== null
  const says = t.byte(table.says, node)
  return says === t.SaysPrompt || says === t.SaysCommand
}
