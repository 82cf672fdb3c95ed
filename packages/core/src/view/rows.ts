/**
 * What a view is made of: rows from top to bottom, oldest first, each joined to rows above it.
 *
 *   line     the row before it in the same conversation: it stays in the same lane
 *   branch   the row after which a branch leaves: the branch gets a lane beside it
 *   spawn    the call that started an agent: the agent's lane leaves there
 *   return   the last row of an agent, joined to the row of the caller that has its result
 */
import type { SessionJunction } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'

/**
 * How a row is joined to a row above it. `line`: it follows in the same lane. `branch`: a branch leaves there. `spawn`: the
 * call there started the subagent. `return`: the subagent ends there, and this row has its result.
 */
export type EdgeKind = 'line' | 'branch' | 'spawn' | 'return'

/** A link to a row further up, by its position. */
export interface ViewEdge {
  readonly row: number
  readonly kind: EdgeKind
}

/** One row: a node, or a whole branch or agent that is folded into its first node. */
export interface ViewRow {
  readonly kind: 'node' | 'branch' | 'agent'
  readonly node: number
  readonly line: Line
  /** Number of agents around it. */
  readonly depth: number
  /** The first one decides the lane; none for roots. */
  readonly parents: readonly ViewEdge[]
  /** A root beside the main conversation: the first lane is kept free for that. */
  readonly aside: boolean
  /** Messages that the row stands for: those of a folded line and of all lines in it; 0 for nodes. */
  readonly folded: number
  /** C3: a compaction, drawn as a line across. */
  readonly landmark: boolean
  /** C4: a compaction that was not finished: a landmark without a line across. */
  readonly unfinished: boolean
  /** S2: sessions that go on from it elsewhere. */
  readonly junctions: readonly SessionJunction[]
}

/** L6: what a view left out, counted. */
export interface LeftOut {
  readonly branches: number
  readonly agents: number
  /** Hooks, attachments, progress and other nodes beside the conversation. */
  readonly structural: number
}

/** The rows of a view, and what was left out. */
export interface View {
  readonly rows: readonly ViewRow[]
  readonly left: LeftOut
}
