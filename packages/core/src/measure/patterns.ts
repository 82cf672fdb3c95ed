/**
 * X2: what follows on an agent's answer. The delegating side asks an agent again by one of these:
 *
 *   prompt   a further prompt in the agent's own conversation
 *   call     a further call of an agent of the same type, in the same turn, after the earlier one came back;
 *            most agents answer once, so this is how they are asked again
 *
 * How the earlier answer ended tells why, by the first of these that holds:
 *
 *   error-recovery   no answer, a failed request, an interruption, a result that is not a success, or an answer that
 *                    begins with words of failure ("Error:", "Unable to", "I could not")
 *   clarification    an answer whose last line ends with a question mark
 *   refinement       any other answer
 */

import type { Graph } from '../graph/graph.js'
import {
  hasCalls,
  isAnswer,
  isApiError,
  isInterrupt,
  isThinkingOnly,
  none,
  textHashOf,
} from '../graph/nodes.js'
import { groupBy } from '../model/group.js'
import { turnsByDomain } from './agents.js'
import { joinRows } from './rows.js'
import { type Invocation, type MeasureScope, speakerOn, type Turn } from './scope.js'

/** How a prompt follows up on an answer. */
export type PatternKind = 'refinement' | 'clarification' | 'error-recovery'

/** Follow-ups of one kind between two speakers. */
export interface PatternStats {
  readonly pattern: PatternKind
  readonly from: string
  readonly to: string
  /** How the agent was asked again. */
  readonly by: 'prompt' | 'call'
  readonly count: number
}

/** Counts follow-ups, the most frequent first. */
export function countPatterns(scope: MeasureScope): readonly PatternStats[] {
  return joinPatterns([...furtherPrompts(scope), ...furtherCalls(scope)])
}

/** Adds up rows of the same kind between the same two. */
export function joinPatterns(rows: Iterable<PatternStats>): readonly PatternStats[] {
  return joinRows(rows, ['pattern', 'from', 'to', 'by'], 'count')
}

function* furtherPrompts(scope: MeasureScope): Generator<PatternStats> {
  const turns = turnsByDomain(scope)
  for (const { agent, from, name } of scope.invocations) {
    const own = turns.get(agent?.domain.index ?? none) ?? []
    const caller = from === null ? 'Claude' : speakerOn(scope, from)
    for (const { nodes } of own.slice(0, -1)) {
      yield { pattern: kindOf(endOf(scope, nodes)), from: caller, to: name, by: 'prompt', count: 1 }
    }
  }
}

function* furtherCalls(scope: MeasureScope): Generator<PatternStats> {
  const turns = turnsByDomain(scope)
  const positions = positionsOf(scope)
  for (const group of sameTurn(scope)) {
    for (const { call, from, name, batch } of group) {
      const start = positions.get(call?.node ?? none) ?? none
      // Parts of one message may stand on either side of a result: their calls do not follow on each other.
      const earlier = group.filter(
        before => before.batch !== batch && cameBack(positions, before.call?.result ?? none, start),
      )
      const last = earlier.sort((a, b) => resultPosition(positions, a) - resultPosition(positions, b)).at(-1)
      if (last === undefined || from === null) continue
      const pattern = kindOf(endOfCall(scope, last, turns))
      yield { pattern, from: speakerOn(scope, from), to: name, by: 'call', count: 1 }
    }
  }
}

/** Agents of one type that were called in one turn, where there are several. */
function sameTurn({ invocations }: MeasureScope): readonly (readonly Invocation[])[] {
  const inTurns = invocations.filter(({ prompt }) => prompt !== none)
  const groups = groupBy(inTurns, ({ prompt, name }) => `${prompt} ${name}`)
  return [...groups.values()].filter(group => group.length > 1)
}

type Positions = ReadonlyMap<number, number>

/** Where the calls and results of agents stand on their lines. */
function positionsOf({ invocations, turns }: MeasureScope): Positions {
  const wanted = new Set(invocations.flatMap(({ call }) => (call === null ? [] : [call.node, call.result])))
  const positions = new Map<number, number>()
  for (const { nodes } of turns) {
    for (const [position, node] of nodes.entries()) if (wanted.has(node)) positions.set(node, position)
  }
  return positions
}

function resultPosition(positions: Positions, { call }: Invocation): number {
  return positions.get(call?.result ?? none) ?? none
}

function cameBack(positions: Positions, result: number, start: number): boolean {
  const position = positions.get(result)
  return position !== undefined && position < start
}

type End = 'failed' | 'asks' | 'answered'

function kindOf(end: End): PatternKind {
  return end === 'failed' ? 'error-recovery' : end === 'asks' ? 'clarification' : 'refinement'
}

function endOfCall(
  scope: MeasureScope,
  { agent, call }: Invocation,
  turns: ReadonlyMap<number, readonly Turn[]>,
): End {
  if (call?.ending !== 'ok' && call?.ending !== 'spilled') return 'failed'
  const last = turns.get(agent?.domain.index ?? none)?.at(-1)
  return last === undefined ? 'answered' : endOf(scope, last.nodes)
}

/** How a turn ended: by its last prose, unless a failure or an interruption came after it. */
function endOf({ graph, options }: MeasureScope, nodes: readonly number[]): End {
  const last = nodes.findLast(
    node => isProse(graph, node) || isApiError(graph, node) || isInterrupt(graph, node),
  )
  if (last === undefined || !isProse(graph, last)) return 'failed'
  const words = options.wordsOf?.(last) ?? ''
  if (saysFailure(words)) return 'failed'
  return asks(words) ? 'asks' : 'answered'
}

const failure =
  /^[^\p{L}\p{N}]*(?:(?:fatal )?error\b|failed\b|failure\b|unable to\b|(?:i |we )?(?:cannot|can't|can’t|could not|couldn't|couldn’t|(?:was|am|were) unable to)\b)/iu

/** An answer that begins with words of failure. */
function saysFailure(words: string): boolean {
  return failure.test(words)
}

/** An answer whose last line ends with a question mark, whatever closes it. */
function asks(words: string): boolean {
  return /[?？][\s*_`"')\]”’]*$/u.test(words)
}

/** An answer with prose: no call, not thinking alone. */
function isProse(graph: Graph, node: number): boolean {
  return (
    isAnswer(graph, node) &&
    textHashOf(graph, node) !== 0 &&
    !isThinkingOnly(graph, node) &&
    !hasCalls(graph, node)
  )
}
