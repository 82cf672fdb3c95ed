/**
 * X3: how turns of a session run, each by the first of these that holds:
 *
 *   unanswered         nothing of the assistant follows on the prompt
 *   nested             an agent that was called in the turn calls an agent
 *   delegated          the turn calls an agent
 *   tool-assisted      the turn calls a tool
 *   request-response   any other
 */

import { isAnswer, none, timeOf } from '../graph/nodes.js'
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
  /** From the prompt to the last entry of the turn. */
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
  const last = nodes.findLast(node => !Number.isNaN(timeOf(graph, node))) ?? none
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
