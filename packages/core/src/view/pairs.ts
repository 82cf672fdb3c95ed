/**
 * T4: which results stand with their calls. This is the one decision for all views: `log` orders rows by it, the page and
 * the exports show a result inside its call by it.
 */
import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'
import { callsOf, toolsOf } from '../graph/tool-book.js'

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
  state: State,
  nodes: readonly number[],
  separates: (node: number) => boolean,
): Pairs {
  const spoken = countBefore(nodes, separates)
  const placeAbove = finderOf(nodes)
  const pairs: Pairs = {
    call: new Int32Array(nodes.length).fill(t.none),
    isJoined: new Uint8Array(nodes.length),
  }
  nodes.forEach((node, place) => {
    for (const call of callsAnswered(state, node)) {
      const from = placeAbove(call, place)
      if (from === t.none) continue
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
    const place = places.get(call) ?? t.none
    return place < below ? place : t.none
  }
}

/** T1: the entries whose calls a result answers. */
function callsAnswered(state: State, node: number): readonly number[] {
  if (t.byte(state.table.says, node) !== t.SaysResult) return NO_CALLS
  return toolsOf(state, node).flatMap(tool => callsOf(state, tool))
}

const NO_CALLS: readonly number[] = []

/** Whether an entry has prose or thinking of the assistant; parts without words have none. */
export function speaks({ table }: State, node: number): boolean {
  return t.byte(table.kind, node) === t.Assistant && t.real(table.print, node) !== 0
}
