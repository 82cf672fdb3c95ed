/** X41: what is found before its tokens are counted. */
import type { Graph } from '../graph/graph.js'
import { plainHead } from '../model/prompt-words.js'
import type { Claim } from './ledger.js'
import type { Waste } from './waste.js'

/** Something wasteful, with the tokens that are attributed to it. */
export interface Found extends Omit<Waste, 'shares'> {
  readonly claims: readonly Claim[]
}

/** The beginning of a prompt; empty where the node has no text. */
export function headOf(graph: Graph, node: number | undefined): string {
  const head = node === undefined ? null : graph.node(node).head
  return head === null ? '' : plainHead(head).slice(0, LONGEST)
}

const LONGEST = 200
