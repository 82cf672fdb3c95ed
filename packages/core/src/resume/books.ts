/** Parts of messages and results of calls among the rows that the loader has read. */
import type { Graph } from '../graph/graph.js'
import {
  isAssistant,
  isResult,
  isUser,
  messageOf,
  none,
  partsOf,
  resultsOf,
  toolsOf,
} from '../graph/nodes.js'
import type { LoadedRows } from './rows.js'

export interface LoadedBooks {
  readonly partsOf: (message: number) => readonly number[]
  readonly resultsOf: (tool: number) => readonly number[]
}

/** The graph's books know each uuid once; where the loader takes another row for one, they are made anew for the file. */
export function booksOf({ graph, rows, hasOtherRows }: LoadedRows): LoadedBooks {
  if (hasOtherRows) return makeBooks(graph, rows)
  return { partsOf: message => partsOf(graph, message), resultsOf: tool => resultsOf(graph, tool) }
}

function makeBooks(graph: Graph, rows: readonly number[]): LoadedBooks {
  const [parts, results] = [new Map<number, number[]>(), new Map<number, number[]>()]
  for (const row of rows) {
    const message = messageOf(graph, row)
    if (isAssistant(graph, row) && message !== none) push(parts, message, row)
    if (!isResult(graph, row) || !isUser(graph, row)) continue
    for (const tool of toolsOf(graph, row)) push(results, tool, row)
  }
  return { partsOf: message => parts.get(message) ?? [], resultsOf: tool => results.get(tool) ?? [] }
}

function push(map: Map<number, number[]>, key: number, row: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [row])
  else list.push(row)
}
