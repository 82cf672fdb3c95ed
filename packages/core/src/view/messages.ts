/** Messages as a reader counts them. */

import type { Graph } from '../graph/graph.js'
import { entryOf, isAssistant, messageOf, none, roleOf } from '../graph/nodes.js'

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
