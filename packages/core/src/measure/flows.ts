/**
 * X3: how turns of a session run, each by the first of these that holds:
 *
 *   unanswered         nothing of the assistant follows on the prompt
 *   nested             an agent that was called in the turn calls an agent
 *   delegated          the turn calls an agent
 *   tool-assisted      the turn calls a tool
 *   request-response   any other
 */

import type { Graph } from '../graph/graph.js'
import { isAnswer, isAssistant, isInterrupt, isResult, none, timeOf } from '../graph/nodes.js'
import { addDurations, addFields, type Durations, joinRows, sumDurations } from './rows.js'
import type { MeasureScope, Turn } from './scope.js'
import { callsIn } from './tools.js'

/** How a turn was answered. */
export type FlowKind = 'request-response' | 'tool-assisted' | 'delegated' | 'nested' | 'unanswered'

/** Turns of one kind. */
export interface FlowStats {
  readonly flow: FlowKind
  readonly turns: number
  readonly entries: number
  readonly toolCalls: number
  /** Agents that the turns call themselves. */
  readonly agents: number
  /** From the beginning of a turn to its last answer, result or interruption. */
  readonly durations: Durations
}

/** Counts the turns of sessions by kind, the most frequent first. The sum of all is the number of prompts. */
export function countFlows(scope: MeasureScope): readonly FlowStats[] {
  const callers = new Set(scope.invocations.map(({ from }) => from?.domain.index ?? none))
  const called = new Map<number, { agents: number; isNested: boolean }>()
  for (const { prompt, agent } of scope.invocations) {
    const before = called.get(prompt) ?? { agents: 0, isNested: false }
    const isNested = before.isNested || (agent !== null && callers.has(agent.domain.index))
    called.set(prompt, { agents: before.agents + 1, isNested })
  }
  const own = scope.turns.filter(turn => turn.line.domain.kind === 'session')
  return joinFlows(own.map(turn => rowOf(scope, turn, called.get(turn.prompt) ?? nobody)))
}

const nobody = { agents: 0, isNested: false }

/** Adds up rows of the same kind. */
export function joinFlows(rows: Iterable<FlowStats>): readonly FlowStats[] {
  return joinRows(rows, ['flow'], 'turns', add)
}

function add(a: FlowStats, b: FlowStats): FlowStats {
  return { ...addFields(a, b), durations: addDurations(a.durations, b.durations) }
}

function rowOf(
  { graph }: MeasureScope,
  { prompt, nodes }: Turn,
  { agents, isNested }: typeof nobody,
): FlowStats {
  const toolCalls = nodes.reduce((sum, node) => sum + callsIn(graph, node).length, 0)
  const isAnswered = nodes.some(node => isAnswer(graph, node))
  const last = nodes.findLast(node => isWork(graph, node) && !Number.isNaN(timeOf(graph, node))) ?? prompt
  const called = isNested ? 'nested' : agents > 0 ? 'delegated' : null
  const flow = called ?? (toolCalls > 0 ? 'tool-assisted' : 'request-response')
  const durations = sumDurations([timeOf(graph, last) - timeOf(graph, prompt)])
  return {
    flow: isAnswered ? flow : 'unanswered',
    turns: 1,
    entries: nodes.length,
    toolCalls,
    agents,
    durations,
  }
}

/** What a turn lasts to: notices, compactions and local commands may come hours after it. */
function isWork(graph: Graph, node: number): boolean {
  return isAssistant(graph, node) || isResult(graph, node) || isInterrupt(graph, node)
}
