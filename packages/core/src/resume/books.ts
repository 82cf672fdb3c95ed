/** Parts of messages and results of calls among the rows that the loader has read. */
import { firstPartOf } from '../graph/message-book.js'
import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'
import { resultsOf, toolsOf } from '../graph/tool-book.js'
import type { LoadedRows } from './rows.js'

export interface LoadedBooks {
  readonly partsOf: (message: number) => readonly number[]
  readonly resultsOf: (tool: number) => readonly number[]
}

/** The graph's books know each uuid once; where the loader takes another row for one, they are made anew for the file. */
export function booksOf({ state, rows, hasOtherRows }: LoadedRows): LoadedBooks {
  if (hasOtherRows) return makeBooks(state, rows)
  return { partsOf: message => [...partsIn(state, message)], resultsOf: tool => resultsOf(state, tool) }
}

function* partsIn(state: State, message: number): Generator<number> {
  let part = firstPartOf(state, message)
  for (; part !== t.none; part = t.int(state.table.nextPart, part)) yield part
}

function makeBooks(state: State, rows: readonly number[]): LoadedBooks {
  const [parts, results] = [new Map<number, number[]>(), new Map<number, number[]>()]
  for (const row of rows) {
    const message = t.int(state.table.message, row)
    if (t.byte(state.table.kind, row) === t.Assistant && message !== t.none) push(parts, message, row)
    if (t.byte(state.table.says, row) !== t.SaysResult || t.byte(state.table.kind, row) !== t.User) continue
    for (const tool of toolsOf(state, row)) push(results, tool, row)
  }
  return { partsOf: message => parts.get(message) ?? [], resultsOf: tool => results.get(tool) ?? [] }
}

function push(map: Map<number, number[]>, key: number, row: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [row])
  else list.push(row)
}
