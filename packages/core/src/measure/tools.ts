/** T1, T2: the tool calls of entries, each with how it ended. */

import type { Graph } from '../graph/graph.js'
import {
  endingOf,
  entryOf,
  hasCalls,
  none,
  resultFor,
  subtypeOf,
  timeOf,
  toolIdOf,
  toolsOf,
} from '../graph/nodes.js'
import type { ResultState } from '../model/entry.js'
import { addDurations, addFields, type Durations, joinRows, sumDurations } from './rows.js'
import type { MeasureScope } from './scope.js'

/** A tool call of an entry, and how it ended. */
export interface Call {
  readonly id: string
  readonly tool: string
  readonly node: number
  /** The entry with the result; none where there is none. */
  readonly result: number
  /** Null where there is no result. */
  readonly ending: ResultState | null
}

/** The calls of an entry with their results. */
export function callsIn(graph: Graph, node: number): readonly Call[] {
  if (!hasCalls(graph, node)) return NO_CALLS
  const entry = entryOf(graph, node)
  const names = entry?.kind === 'assistant' ? entry.calls.map(call => call.name) : [subtypeOf(graph, node)]
  const placeIn = startPlaces(graph)
  return toolsOf(graph, node).map((tool, nth) => {
    const result = resultFor(graph, tool, node)
    const ending = result === none ? null : endingOf(graph, result, placeIn(result, tool))
    return { id: toolIdOf(graph, tool), tool: names[nth] ?? 'unknown', node, result, ending }
  })
}

const NO_CALLS: readonly Call[] = []

/** The place of a tool among those that an entry answers. One entry may answer thousands of calls: its tools are read once. */
function startPlaces(graph: Graph): (result: number, tool: number) => number {
  const known = new Map<number, ReadonlyMap<number, number>>()
  return (result, tool) => {
    const places = known.get(result) ?? firstPlaces(toolsOf(graph, result))
    known.set(result, places)
    return places.get(tool) ?? -1
  }
}

function firstPlaces(tools: readonly number[]): ReadonlyMap<number, number> {
  // The first one of a repeated tool is set last.
  return new Map(tools.map((tool, nth) => [tool, nth] as const).reverse())
}

// X1: tools: how often each was called, how its calls ended, and how long they took.

/** One tool. */
export interface ToolStats {
  readonly tool: string
  readonly calls: number
  /** Calls that agents made. */
  readonly byAgents: number
  /** T2: how the calls ended; `unanswered` where there is no result. The sum of all is `calls`. */
  readonly ends: Readonly<Record<ResultState | 'unanswered', number>>
  /** Errors after which the same tool succeeded later in the same turn. */
  readonly recovered: number
  /** From the call to its result. */
  readonly durations: Durations
}

/** Counts calls by tool, the most called first. */
export function countTools(scope: MeasureScope): readonly ToolStats[] {
  return joinTools(rowsOf(scope))
}

/** Adds up rows of the same tool. */
export function joinTools(rows: Iterable<ToolStats>): readonly ToolStats[] {
  return joinRows(rows, ['tool'], 'calls', add)
}

function add(a: ToolStats, b: ToolStats): ToolStats {
  return {
    ...addFields(a, b),
    ends: addFields(a.ends, b.ends),
    durations: addDurations(a.durations, b.durations),
  }
}

/** A row that is being counted. */
interface Tally {
  readonly ends: { -readonly [K in keyof ToolStats['ends']]: number }
  readonly times: number[]
  calls: number
  byAgents: number
  recovered: number
}

function rowsOf({ graph, lines }: MeasureScope): readonly ToolStats[] {
  const tallies = new Map<string, Tally>()
  for (const { nodes, domain } of lines) {
    const failed = new Map<string, number>()
    for (const node of nodes) {
      if (graph.startsTurn(node)) failed.clear()
      for (const call of callsIn(graph, node)) {
        const tally = tallies.get(call.tool) ?? newTally()
        tallies.set(call.tool, tally)
        tally.calls++
        if (domain.kind === 'agent') tally.byAgents++
        tally.ends[call.ending ?? 'unanswered']++
        tally.recovered += recoveredBy(call, failed)
        tally.times.push(timeOf(graph, call.result) - timeOf(graph, node))
      }
    }
  }
  return [...tallies].map(([tool, { times, ...counts }]) => ({
    tool,
    ...counts,
    durations: sumDurations(times),
  }))
}

function newTally(): Tally {
  const ends = { ok: 0, error: 0, denied: 0, interrupted: 0, spilled: 0, unanswered: 0 }
  return { calls: 0, byAgents: 0, ends, recovered: 0, times: [] }
}

/** The errors of a tool that a success makes good. */
function recoveredBy({ tool, ending, result }: Call, failed: Map<string, number>): number {
  const open = failed.get(tool) ?? 0
  if (ending === 'error') failed.set(tool, open + 1)
  if (result === none || (ending !== 'ok' && ending !== 'spilled')) return 0
  failed.delete(tool)
  return open
}

/** What a tool does to a file that its call names. */
export function fileAction(tool: string): 'read' | 'edit' | 'write' | 'other' {
  return ACTIONS.get(tool) ?? 'other'
}

const ACTIONS: ReadonlyMap<string, 'read' | 'edit' | 'write'> = new Map([
  ['Read', 'read'],
  ['NotebookRead', 'read'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Write', 'write'],
])
