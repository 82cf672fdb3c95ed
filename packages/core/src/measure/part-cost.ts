/** What one part of a history used: a session, a branch, a subagent, a turn. */
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { none } from '../graph/nodes.js'
import type { MessageUsage } from '../model/billing.js'
import { groupBy } from '../model/group.js'
import type { SessionId } from '../model/ids.js'
import { createPricer } from './cost.js'
import { agentLines, gatherAgents } from './paths.js'
import { LIST_PRICES, type Prices } from './prices.js'
import { type Priced, type Spent, spentOn } from './spent.js'

/** A part whose cost is asked for: a session, a line (a branch or a subagent), or the turn that a node belongs to. */
export type HistoryPart =
  | { readonly kind: 'session'; readonly session: SessionId }
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'turn'; readonly node: number }

/** What a part used. */
export interface PartCost {
  /** The messages of the part itself. */
  readonly own: Spent
  /** The same with all subagents that it called, and those that they called. */
  readonly total: Spent
}

/** Measures a part. `usage` has what each message used, by its id; a message counts once (T3). */
export function measureCost(
  graph: Graph,
  part: HistoryPart,
  usage: ReadonlyMap<string, MessageUsage>,
  prices: Prices = LIST_PRICES,
): PartCost {
  const price = createPricer(prices)
  const priced: Priced = {
    graph,
    usage,
    options: {
      costOf: message => {
        const known = usage.get(message)
        return known === undefined ? null : price(known)
      },
    },
  }
  const nodes = nodesOf(graph, part)
  const all = gatherAgents(nodes, agentLines(graph)).nodes
  return { own: spentOn(priced, nodes, new Set()), total: spentOn(priced, all, new Set()) }
}

function nodesOf(graph: Graph, part: HistoryPart): readonly number[] {
  switch (part.kind) {
    case 'session':
      return ownLines(graph, part.session).flatMap(({ nodes }) => nodes)
    case 'line':
      return part.line.nodes
    case 'turn':
      return turnNodes(graph, graph.originalOf(part.node))
  }
}

function ownLines(graph: Graph, session: SessionId): readonly Line[] {
  return graph.lines().filter(({ domain }) => domain.kind === 'session' && domain.session === session)
}

/** S6: a turn lasts to the next one on every path. Empty where the node comes before the first turn. */
function turnNodes(graph: Graph, node: number): readonly number[] {
  const start = turnStart(graph, node)
  const line = start === null ? null : graph.lineOf(start)
  if (start === null || line === null) return []
  const sameDomain = graph.lines().filter(({ domain }) => domain.index === line.domain.index)
  const leaving = groupBy(sameDomain, ({ at }) => (at === null ? none : graph.originalOf(at)))
  const found: number[] = []
  const waiting = [line.nodes.slice(line.nodes.indexOf(start))]
  for (let nodes = waiting.pop(); nodes !== undefined; nodes = waiting.pop()) {
    for (const each of nodes) {
      if (each !== start && graph.startsTurn(each)) break
      found.push(each)
      for (const branch of leaving.get(each) ?? []) waiting.push([...branch.nodes])
    }
  }
  return found
}

function turnStart(graph: Graph, node: number): number | null {
  for (let at: number | null = node; at !== null; ) {
    const line: Line | null = graph.lineOf(at)
    if (line === null) return null
    const found = line.nodes.slice(0, line.nodes.indexOf(at) + 1).findLast(each => graph.startsTurn(each))
    if (found !== undefined) return found
    at = line.kind !== 'branch' || line.at === null ? null : graph.originalOf(line.at)
  }
  return null
}
