/** T1, T2: calls and results, counted once per node. */
import type { State } from './state.js'
import * as t from './table.js'
import { callFor, callsOf, resultFor, resultsOf, toolId } from './tool-book.js'

/** A call without a result, or a result without a call. */
export interface ToolEnd {
  readonly id: string
  readonly node: number
}

/** Calls and results of a project, and those without the other. */
export interface ToolSummary {
  readonly calls: number
  readonly results: number
  readonly unanswered: readonly ToolEnd[]
  readonly stray: readonly ToolEnd[]
}

/** Pairs calls and results over the whole project, whatever stands between them. */
export function summariseTools(state: State): ToolSummary {
  const summary = { calls: 0, results: 0, unanswered: [] as ToolEnd[], stray: [] as ToolEnd[] }
  for (let tool = 0; tool < state.tools.names.list.length; tool++) {
    if (isPair(state, tool)) {
      summary.calls++
      summary.results++
      continue
    }
    const id = toolId(state, tool)
    const calls = owned(state, callsOf(state, tool))
    const results = owned(state, resultsOf(state, tool))
    summary.calls += calls.length
    summary.results += results.length
    // The described form of a sidechain call has no tool id to answer to: its own uuid stands in.
    const open = calls.filter(
      call => resultFor(state, tool, call) === t.none && t.idOf(state.table, call) !== id,
    )
    for (const node of open) summary.unanswered.push({ id, node })
    for (const node of results) if (callFor(state, tool, node) === t.none) summary.stray.push({ id, node })
  }
  return summary
}

/** Nearly every tool: one call and one result, which nothing repeats. */
function isPair({ tools: { calls, results }, table }: State, tool: number): boolean {
  if (calls.more.has(tool) || results.more.has(tool)) return false
  const [call, result] = [calls.first[tool] ?? t.none, results.first[tool] ?? t.none]
  return call !== t.none && result !== t.none && isOwned(table, call) && isOwned(table, result)
}

function isOwned(table: t.Table, node: number): boolean {
  return t.int(table.owner, node) === node && t.int(table.copyOf, node) === t.none
}

function owned(state: State, nodes: readonly number[]): readonly number[] {
  return nodes.filter(node => isOwned(state.table, node))
}
