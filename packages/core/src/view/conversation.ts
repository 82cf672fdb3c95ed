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
 * goes on now, without abandoned branches. What is live is all in it, in the order of sending.
 */
export function wholeConversation(graph: Graph, session: SessionId): readonly number[] {
  const live = liveConversation(graph, session).map(node => placedNode(graph, node))
  const last = live.at(-1)
  const path = last === undefined ? [] : pathTo(graph, last)
  const beside = besidePath(live, new Set(path))
  return [...(beside.get(null) ?? []), ...path.flatMap(node => [node, ...(beside.get(node) ?? [])])]
}

/** Live nodes that are not on the path, such as late results, by the node of the path that is sent before them. */
function besidePath(
  live: readonly number[],
  path: ReadonlySet<number>,
): ReadonlyMap<number | null, readonly number[]> {
  const beside = new Map<number | null, number[]>()
  let before: number | null = null
  for (const node of live) {
    if (path.has(node)) before = node
    else beside.set(before, [...(beside.get(before) ?? []), node])
  }
  return beside
}
