/** The lines of a sheet, with their sizes and what they cost. */

import type { Agent } from '../graph/agents.js'
import type { Line } from '../graph/lines.js'
import { messageIdOf, messageOf, none, placedNode } from '../graph/nodes.js'
import { plainHead } from '../model/prompt-words.js'
import type { Sheet, SheetAgent, SheetLine } from '../protocol/sheet.js'
import type { SheetContext } from './sheet.js'
import { rowKindOf } from './sheet-columns.js'
import { workflowSteps } from './timeline.js'

/** A line, and sums over its rows. */
interface Tally {
  readonly line: Line
  readonly head: number
  readonly depth: number
  tokens: number
  cost: number | null
  words: string | null
}

/** All lines that have rows in the sheet, by their number. */
export function sheetLines(context: SheetContext, spent: Spent): readonly SheetLine[] {
  const { graph, rows, lineOf } = context
  const steps = workflowSteps(graph)
  const agents = new Map(graph.agents().map(agent => [agent.domain.index, sheetAgent(agent, steps)]))
  const tallies: Tally[] = []
  for (const [at, { node, line, depth }] of rows.entries()) {
    const number = lineOf[line.index] ?? none
    tallies[number] ??= { line, head: at, depth, tokens: 0, cost: null, words: null }
    const tally = tallies[number]
    const cost = spent.cost[at] ?? Number.NaN
    tally.words ??= firstWords(context, node)
    tally.tokens += spent.tokens[at] ?? 0
    if (!Number.isNaN(cost)) tally.cost = (tally.cost ?? 0) + cost
  }
  return tallies.map(tally => makeLine(context, tally, agents))
}

/** What was typed, without the frame of commands. */
function firstWords({ graph }: SheetContext, node: number): string | null {
  const kind = rowKindOf(graph, node)
  if (kind !== 'prompt' && kind !== 'queued' && kind !== 'command') return null
  const { head } = graph.node(node)
  return head === null ? null : plainHead(head)
}

function makeLine(
  { graph, rowOf, lineOf, shared }: SheetContext,
  { line, ...sums }: Tally,
  agents: ReadonlyMap<number, SheetAgent>,
): SheetLine {
  const node = placedNode(graph, line.at ?? none)
  const at = rowOf[node] ?? none
  const above = at === none ? null : graph.lineOf(node)
  return {
    id: line.id,
    kind: line.kind,
    ...sums,
    status: sums.head < shared ? 'live' : line.status,
    at,
    parent: above === null ? none : (lineOf[above.index] ?? none),
    next: line.next === null ? none : (lineOf[line.next] ?? none),
    agent: agents.get(line.domain.index) ?? null,
    isShared: sums.head < shared,
  }
}

function sheetAgent(agent: Agent, steps: ReadonlyMap<string, string>): SheetAgent {
  const { id, name, state, source, spawnedBy } = agent
  return { id, name, state, source, evidence: spawnedBy?.evidence ?? null, step: steps.get(id) ?? null }
}

// What rows and turns of a sheet cost.

/** By row: what the message cost that begins there. */
interface Spent {
  readonly tokens: Float64Array
  /** In USD; NaN where no price is known, and where no message begins. */
  readonly cost: Float64Array
}

/** T3: a message counts once, at its first row. */
export function spentAt({ graph, rows, options }: SheetContext): Spent {
  const spent: Spent = {
    tokens: new Float64Array(rows.length),
    cost: new Float64Array(rows.length).fill(Number.NaN),
  }
  const seen = new Set<number>()
  for (const [at, { node }] of rows.entries()) {
    const message = messageOf(graph, node)
    if (message === none || seen.has(message) || options.usageOf === undefined) continue
    seen.add(message)
    const usage = options.usageOf(messageIdOf(graph, message))
    if (usage === null) continue
    const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = usage
    spent.tokens[at] = input + output + cacheRead + cacheWrite5m + cacheWrite1h
    spent.cost[at] = options.costOf?.(usage) ?? Number.NaN
  }
  return spent
}

/** S6: a turn lasts to the next one on the same path; agents that it calls are part of it. */
export function sheetTurns({ graph, rows }: SheetContext, { cost }: Spent): Sheet['turns'] {
  const turns = new Int32Array(rows.length).fill(none)
  const sums = new Map<number, number>()
  for (const [at, { node, depth, parents }] of rows.entries()) {
    const begins = depth === 0 && graph.startsTurn(node)
    const turn = begins ? at : (turns[parents[0]?.row ?? at] ?? none)
    turns[at] = turn
    const own = cost[at] ?? Number.NaN
    if (turn !== none && !Number.isNaN(own)) sums.set(turn, (sums.get(turn) ?? 0) + own)
  }
  return [...sums].sort(([a], [b]) => a - b).map(([row, sum]) => [row, rounded(sum)])
}

/** Six digits behind the point are more than anybody is billed for. */
function rounded(cost: number): number {
  return Math.round(cost * 1e6) / 1e6
}
