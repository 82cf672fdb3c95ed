/** T1, T2: the tool calls of entries, each with how it ended. */
import type { Graph } from '../graph/graph.js'
import { endingOf, entryOf, hasCalls, none, resultFor, subtypeOf, toolIdOf, toolsOf } from '../graph/nodes.js'
import type { ResultState } from '../model/entry.js'

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
  return toolsOf(graph, node).map((tool, nth) => {
    const result = resultFor(graph, tool, node)
    const ending = result === none ? null : endingOf(graph, result, toolsOf(graph, result).indexOf(tool))
    return { id: toolIdOf(graph, tool), tool: names[nth] ?? 'unknown', node, result, ending }
  })
}

const NO_CALLS: readonly Call[] = []
