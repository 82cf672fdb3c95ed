/** X1: what agents of each type were called for and what they took. */
import type { AgentState } from '../graph/agents.js'
import { isApiError, none, timeOf } from '../graph/nodes.js'
import { callsIn } from './calls.js'
import { addDurations, type Durations, noDurations, sumDurations } from './durations.js'
import { addCounts, addLists, type Counts, collectRows, sortRows } from './rows.js'
import type { Invocation, MeasureScope, Turn } from './scope.js'
import { addSpent, type Spent, spentOn } from './spent.js'

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
  return sortRows(
    collectRows(rows, row => row.agent, addAgents),
    row => row.agent,
    row => row.invocations,
  )
}

function addAgents(a: AgentStats, b: AgentStats): AgentStats {
  return {
    agent: a.agent,
    invocations: a.invocations + b.invocations,
    states: {
      complete: a.states.complete + b.states.complete,
      incomplete: a.states.incomplete + b.states.incomplete,
      orphaned: a.states.orphaned + b.states.orphaned,
      warmup: a.states.warmup + b.states.warmup,
      empty: a.states.empty + b.states.empty,
      missing: a.states.missing + b.states.missing,
    },
    depths: addLists(a.depths, b.depths),
    prompts: a.prompts + b.prompts,
    entries: a.entries + b.entries,
    toolCalls: a.toolCalls + b.toolCalls,
    errors: a.errors + b.errors,
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

function workOf({ graph }: MeasureScope, nodes: readonly number[]): Work {
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

function timesOf({ graph }: MeasureScope, turns: readonly Turn[]): Pick<AgentStats, 'prompts' | 'durations'> {
  if (turns.length === 0) return { prompts: 0, durations: noDurations }
  const spans = turns.map(({ nodes }) => spanOf(nodes.map(node => timeOf(graph, node))))
  const total = spans.reduce((sum, span) => sum + span, 0)
  return { prompts: turns.length, durations: sumDurations([total]) }
}

/** From the first to the last known time; 0 where there is none. */
function spanOf(times: readonly number[]): number {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const time of times) {
    if (Number.isNaN(time)) continue
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return last >= first ? last - first : 0
}

/** The nodes of each agent: those of its line and of all branches in it. */
function nodesByDomain({ lines }: MeasureScope): ReadonlyMap<number, readonly number[]> {
  const nodes = new Map<number, number[]>()
  for (const line of lines) {
    if (line.domain.kind !== 'agent') continue
    const known = nodes.get(line.domain.index)
    if (known === undefined) nodes.set(line.domain.index, [...line.nodes])
    else for (const node of line.nodes) known.push(node)
  }
  return nodes
}

/** The turns of each agent. */
export function turnsByDomain({ turns }: MeasureScope): ReadonlyMap<number, readonly Turn[]> {
  const found = new Map<number, Turn[]>()
  for (const turn of turns) {
    const { kind, index } = turn.line.domain
    if (kind !== 'agent') continue
    const known = found.get(index)
    if (known === undefined) found.set(index, [turn])
    else known.push(turn)
  }
  return found
}
