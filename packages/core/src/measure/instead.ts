/** X14, X20: what was asked first on a branch, and what was asked in its place. */
import type { Fork } from '../graph/fork-list.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { none } from '../graph/nodes.js'
import { pathFrom } from './paths.js'

/** The entry that was asked first, of the nodes of a branch: what starts a turn, else any prompt or command; null for none. */
export function firstAsked(graph: Graph, nodes: readonly number[]): number | null {
  const isTyped = (node: number): boolean => {
    const { type } = graph.node(node)
    return type === 'prompt' || type === 'command'
  }
  return nodes.find(node => graph.startsTurn(node)) ?? nodes.find(isTyped) ?? null
}

/**
 * What was asked in place of a branch: on the next branch of the fork that was written. Null where nothing was written there
 * after it: whoever went back to an earlier branch asked nothing in its place.
 */
export function askedInstead(graph: Graph, { children }: Fork, line: Line): number | null {
  const later = children.slice(children.indexOf(line.head ?? none) + 1)
  const other = later.find(child => graph.lineOf(child) !== line)
  return other === undefined ? null : firstAsked(graph, pathFrom(graph, other))
}
