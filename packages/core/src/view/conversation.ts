/** The conversation of a session as one sequence of nodes. */
import type { Graph } from '../graph/graph.js'
import { placedNode } from '../graph/nodes.js'
import { pathTo } from '../measure/paths.js'
import type { SessionId } from '../model/ids.js'

/** L3: what the next request of a session carries, in the order of sending; empty where its transcript is not there. */
export function liveConversation(graph: Graph, session: SessionId): readonly number[] {
  const file = graph.currentFile(session)
  return file === null ? [] : graph.live(file.facts.path)
}

/**
 * The same conversation with everything that its compactions replaced: all nodes from the beginning to where the session
 * goes on now, without abandoned branches. It has every node of `liveConversation`, in the order of sending: where the next
 * request carries copies of an entry, the copies are in it instead of the entry.
 */
export function wholeConversation(graph: Graph, session: SessionId): readonly number[] {
  const live = liveConversation(graph, session)
  const last = live.at(-1)
  const path = last === undefined ? [] : pathTo(graph, placedNode(graph, last))
  // Of several copies of an entry the last one counts: what follows the entry follows all of them.
  const sent = new Map(live.map(node => [placedNode(graph, node), node]))
  const unsent = unsentBehind(path, sent)
  return [...(unsent.get(null) ?? []), ...live.flatMap(node => [node, ...(unsent.get(node) ?? [])])]
}

/** The nodes of the path that are not sent, by the last node before them that is. */
function unsentBehind(
  path: readonly number[],
  sent: ReadonlyMap<number, number>,
): ReadonlyMap<number | null, readonly number[]> {
  const unsent = new Map<number | null, number[]>()
  let last: number | null = null
  for (const node of path) {
    const copy = sent.get(node)
    const behind = unsent.get(last)
    if (copy !== undefined) last = copy
    else if (behind === undefined) unsent.set(last, [node])
    else behind.push(node)
  }
  return unsent
}
