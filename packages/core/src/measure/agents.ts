/** X1: what agents of each type were called for and what they took. */
import type { AgentState } from '../graph/agents.js'
import { isApiError, none, timeOf } from '../graph/nodes.js'
import { addTime, emptyRange } from '../graph/order.js'
import { groupBy } from '../model/group.js'
import {
  addCounts,
  addDurations,
  addFields,
  addLists,
  type Counts,
  type Durations,
  joinRows,
  noDurations,
  sumDurations,
} from './rows.js'
import type { Invocation, MeasureScope, Turn } from './scope.js'
import { addSpent, type Spent, spentOn } from './spent.js'
import { callsIn } from './tools.js'

/** One type of agent. */
export interface AgentStats {
  readonly agent: string
  /** Agents that were called, those that left no conversation included. */
  readonly invocations: number
  /** How they ended; `missing` where the call left no conversation. */
  readonly states: Readonly<Record<AgentState | 'missing', number>>
  /** How many at each depth; the first is depth 1. */
  readonly depths: readonly number[]
  /** Prompts that they got: more than invocations where an agent was talked to again. */
  readonly prompts: number
  readonly entries: number
  readonly toolCalls: number
  /** Tool results that are errors, and requests that failed. */
  readonly errors: number
  readonly spent: Spent
  /** From each prompt to the last entry before the next; added up for each agent. */
  readonly durations: Durations
  /** Invocations by day. */
  readonly days: Counts
}

/** Counts agents by type, the most called first. */
export function countAgents(scope: MeasureScope): readonly AgentStats[] {
  const seen = new Set<number>()
  const turns = turnsByDomain(scope)
  const lines = nodesByDomain(scope)
  const rows = scope.invocations.map(invocation => {
    const domain = invocation.agent?.domain.index ?? none
    const nodes = lines.get(domain) ?? []
    return {
      ...startOf(scope, invocation, nodes[0] ?? none),
      ...workOf(scope, nodes),
      ...timesOf(scope, turns.get(domain) ?? []),
      spent: spentOn(scope, nodes, seen),
    }
  })
  return joinAgents(rows)
}

/** Adds up rows of the same type. */
export function joinAgents(rows: Iterable<AgentStats>): readonly AgentStats[] {
  return joinRows(rows, ['agent'], 'invocations', addAgents)
}

function addAgents(a: AgentStats, b: AgentStats): AgentStats {
  return {
    ...addFields(a, b),
    states: addFields(a.states, b.states),
    depths: addLists(a.depths, b.depths),
    spent: addSpent(a.spent, b.spent),
    durations: addDurations(a.durations, b.durations),
    days: addCounts(a.days, b.days),
  }
}

type Start = Pick<AgentStats, 'agent' | 'invocations' | 'states' | 'depths' | 'days'>

function startOf(
  { graph, options }: MeasureScope,
  { agent, name, call, depth }: Invocation,
  first: number,
): Start {
  const time = [timeOf(graph, call?.node ?? none), timeOf(graph, first)].find(known => !Number.isNaN(known))
  const none0 = { complete: 0, incomplete: 0, orphaned: 0, warmup: 0, empty: 0, missing: 0 }
  return {
    agent: name,
    invocations: 1,
    states: { ...none0, [agent?.state ?? 'missing']: 1 },
    depths: Array.from({ length: Math.max(1, depth) }, (_, level) => (level === depth - 1 ? 1 : 0)),
    days: time === undefined ? {} : { [options.dayOf(time)]: 1 },
  }
}

type Work = Pick<AgentStats, 'entries' | 'toolCalls' | 'errors'>

/** What was done in some nodes. */
export function workOf({ graph }: Pick<MeasureScope, 'graph'>, nodes: readonly number[]): Work {
  let toolCalls = 0
  let errors = 0
  for (const node of nodes) {
    if (isApiError(graph, node)) errors++
    const calls = callsIn(graph, node)
    toolCalls += calls.length
    errors += calls.filter(({ ending }) => ending === 'error').length
  }
  return { entries: nodes.length, toolCalls, errors }
}

/** How many turns there are, and how long they took together. */
export function timesOf(
  { graph }: Pick<MeasureScope, 'graph'>,
  turns: readonly Turn[],
): Pick<AgentStats, 'prompts' | 'durations'> {
  if (turns.length === 0) return { prompts: 0, durations: noDurations }
  let total = 0
  for (const { nodes } of turns) {
    const range = emptyRange()
    for (const node of nodes) addTime(range, timeOf(graph, node))
    total += (range.last ?? 0) - (range.first ?? 0)
  }
  return { prompts: turns.length, durations: sumDurations([total]) }
}

/** The nodes of each agent: those of its line and of all branches in it. */
export function nodesByDomain({
  lines,
}: Pick<MeasureScope, 'lines'>): ReadonlyMap<number, readonly number[]> {
  const groups = groupBy(
    lines.filter(({ domain }) => domain.kind === 'agent'),
    ({ domain }) => domain.index,
  )
  return new Map([...groups].map(([domain, own]) => [domain, own.flatMap(({ nodes }) => nodes)]))
}

/** The turns of each agent. */
export function turnsByDomain({ turns }: Pick<MeasureScope, 'turns'>): ReadonlyMap<number, readonly Turn[]> {
  const ofAgents = turns.filter(({ line }) => line.domain.kind === 'agent')
  return groupBy(ofAgents, ({ line }) => line.domain.index)
}
