/** X1-X3: the analysis of a graph: one table after the other, plain data that can be added up over projects. */
import type { Graph } from '../graph/graph.js'
import { addTime, emptyRange, type TimeRange } from '../graph/order.js'
import { type AgentStats, countAgents, joinAgents } from './agents.js'
import { countDelegation, type DelegationStats, joinDelegation } from './delegation.js'
import {
  addRewinds,
  type CompactionStats,
  countCompactions,
  countHours,
  countQueue,
  countRewinds,
  joinCompactions,
  joinQueues,
  type QueueStats,
  type RewindStats,
} from './events.js'
import { countFlows, type FlowStats, joinFlows } from './flows.js'
import { idleSessions } from './idle.js'
import { countPatterns, joinPatterns, type PatternStats } from './patterns.js'
import { addFields, addLists } from './rows.js'
import { type MeasureOptions, type MeasureScope, openScope } from './scope.js'
import { addSpent, nothingSpent, type Spent, spentOn } from './spent.js'
import { countTools, joinTools, type ToolStats } from './tools.js'

/** All tables. */
export interface Stats {
  readonly totals: StatsTotals
  readonly agents: readonly AgentStats[]
  readonly delegation: readonly DelegationStats[]
  readonly patterns: readonly PatternStats[]
  readonly flows: readonly FlowStats[]
  readonly tools: readonly ToolStats[]
  readonly compactions: readonly CompactionStats[]
  readonly rewinds: RewindStats
  readonly queue: QueueStats
  /** Prompts typed, by the hour of the day. */
  readonly hours: readonly number[]
}

/** The sums. */
export interface StatsTotals {
  readonly sessions: number
  /** Sessions that are not counted: they only warm up, or are empty. */
  readonly idle: number
  readonly entries: number
  /** Milliseconds since 1970; null where nothing is dated. */
  readonly first: number | null
  readonly last: number | null
  readonly spent: Spent
}

/** Measures a graph, or some sessions of it. Linear in its nodes. */
export function measureGraph(graph: Graph, options: MeasureOptions): Stats {
  const scope = openScope(graph, options)
  return {
    totals: sumUp(scope),
    agents: countAgents(scope),
    delegation: countDelegation(scope),
    patterns: countPatterns(scope),
    flows: countFlows(scope),
    tools: countTools(scope),
    compactions: countCompactions(scope),
    rewinds: countRewinds(scope),
    queue: countQueue(scope),
    hours: countHours(scope),
  }
}

/** The tables of two graphs that share nothing, as if they were one. */
export function mergeStats(a: Stats, b: Stats): Stats {
  return joinStats([a, b])
}

/** The same for any number of graphs, at a cost in proportion to the sum of their tables. */
export function joinStats(all: readonly Stats[]): Stats {
  return {
    totals: all.map(({ totals }) => totals).reduce(addTotals, noStats.totals),
    agents: joinAgents(all.flatMap(({ agents }) => agents)),
    delegation: joinDelegation(all.flatMap(({ delegation }) => delegation)),
    patterns: joinPatterns(all.flatMap(({ patterns }) => patterns)),
    flows: joinFlows(all.flatMap(({ flows }) => flows)),
    tools: joinTools(all.flatMap(({ tools }) => tools)),
    compactions: joinCompactions(all.flatMap(({ compactions }) => compactions)),
    rewinds: all.map(({ rewinds }) => rewinds).reduce(addRewinds, noStats.rewinds),
    queue: joinQueues(all.map(({ queue }) => queue)),
    hours: all.map(({ hours }) => hours).reduce(addLists, noStats.hours),
  }
}

/** The tables of nothing. */
export const noStats: Stats = {
  totals: { sessions: 0, idle: 0, entries: 0, first: null, last: null, spent: nothingSpent },
  agents: [],
  delegation: [],
  patterns: [],
  flows: [],
  tools: [],
  compactions: [],
  rewinds: { rewinds: 0, twoWriters: 0, left: [] },
  queue: { fates: [], lost: [] },
  hours: Array.from({ length: 24 }, () => 0),
}

function sumUp(scope: MeasureScope): StatsTotals {
  const { graph, lines, options } = scope
  const sessions = graph.sessions().filter(({ id }) => options.sessions?.has(id) ?? true)
  const known = idleSessions(graph)
  const idle = sessions.filter(({ id }) => known.has(id)).length
  const seen = new Set<number>()
  return {
    sessions: sessions.length - idle,
    idle,
    entries: lines.reduce((sum, { nodes }) => sum + nodes.length, 0),
    ...joinedTimes(sessions),
    spent: lines.reduce((sum, { nodes }) => addSpent(sum, spentOn(scope, nodes, seen)), nothingSpent),
  }
}

function addTotals(a: StatsTotals, b: StatsTotals): StatsTotals {
  return {
    ...addFields(a, b),
    ...joinedTimes([a, b]),
    spent: addSpent(a.spent, b.spent),
  }
}

function joinedTimes(all: readonly Readonly<TimeRange>[]): TimeRange {
  const range = emptyRange()
  for (const { first, last } of all) for (const time of [first, last]) addTime(range, time)
  return range
}
