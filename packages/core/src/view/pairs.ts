/**
 * T4: which results stand with their calls. This is the one decision for all views: `log` orders rows by it, the page and
 * the exports show a result inside its call by it.
 */

import type { Graph } from '../graph/graph.js'
import { callsOf, isAssistant, isResult, none, textHashOf, toolsOf } from '../graph/nodes.js'

/** By place in a list of entries. */
export interface Pairs {
  /** The place of the call that a result answers; none for other entries, and where no call stands above. */
  readonly call: Int32Array
  /** 1 where the result stands with that call; 0 where it is late and stays where it came. */
  readonly isJoined: Uint8Array
}

/**
 * Pairs the results of a line with their calls. A result is late when an entry that `separates` stands between the two:
 * one with prose or thinking that the view shows. So a pair that thinking parts is a pair again where the thinking is
 * hidden. Linear.
 */
export function pairResults(
  graph: Graph,
  nodes: readonly number[],
  separates: (node: number) => boolean,
): Pairs {
  const spoken = countBefore(nodes, separates)
  const placeAbove = finderOf(nodes)
  const pairs: Pairs = {
    call: new Int32Array(nodes.length).fill(none),
    isJoined: new Uint8Array(nodes.length),
  }
  nodes.forEach((node, place) => {
    for (const call of callsAnswered(graph, node)) {
      const from = placeAbove(call, place)
      if (from === none) continue
      pairs.call[place] = from
      if (spoken[place] !== spoken[from + 1]) continue
      pairs.isJoined[place] = 1
      break
    }
  })
  return pairs
}

/** How many entries that separate stand before each place. */
function countBefore(nodes: readonly number[], separates: (node: number) => boolean): Int32Array {
  const counts = new Int32Array(nodes.length + 1)
  nodes.forEach((node, place) => {
    counts[place + 1] = (counts[place] ?? 0) + (separates(node) ? 1 : 0)
  })
  return counts
}

/** Nearly every call stands a few entries above its result: calls further up are looked up. */
const NEAR = 8

function finderOf(nodes: readonly number[]): (call: number, below: number) => number {
  let places: ReadonlyMap<number, number> | null = null
  return (call, below) => {
    const end = Math.max(0, below - NEAR)
    for (let place = below - 1; place >= end; place--) if (nodes[place] === call) return place
    places ??= new Map(nodes.map((node, place) => [node, place]))
    const place = places.get(call) ?? none
    return place < below ? place : none
  }
}

/** T1: the entries whose calls a result answers. */
function callsAnswered(graph: Graph, node: number): readonly number[] {
  if (!isResult(graph, node)) return NO_CALLS
  return toolsOf(graph, node).flatMap(tool => callsOf(graph, tool))
}

const NO_CALLS: readonly number[] = []

/** Whether an entry has prose or thinking of the assistant; parts without words have none. */
export function speaks(graph: Graph, node: number): boolean {
  return isAssistant(graph, node) && textHashOf(graph, node) !== 0
}
