/** T1, T2: calls and results, counted once per node. */
import type { State, ToolRecord } from './state.js'
import * as t from './table.js'

export interface ToolEnd {
  readonly id: string
  readonly node: number
}

export interface ToolSummary {
  readonly calls: number
  readonly results: number
  readonly unanswered: readonly ToolEnd[]
  readonly stray: readonly ToolEnd[]
}

/** Pairs calls and results over the whole project, whatever stands between them. */
export function summariseTools(state: State): ToolSummary {
  const summary = { calls: 0, results: 0, unanswered: [] as ToolEnd[], stray: [] as ToolEnd[] }
  for (const [id, tool] of state.tools) {
    const calls = owned(state, tool.calls)
    const results = owned(state, tool.results)
    summary.calls += calls.length
    summary.results += results.length
    const [call, result] = [calls[0], results[0]]
    // The described form of a sidechain call has no tool id to answer to: its own uuid stands in.
    if (results.length === 0 && call !== undefined && t.idOf(state.table, call) !== id) {
      summary.unanswered.push({ id, node: call })
    }
    if (calls.length === 0 && result !== undefined) summary.stray.push({ id, node: result })
  }
  return summary
}

function owned(state: State, nodes: ToolRecord['calls']): readonly number[] {
  const { table } = state
  return nodes.filter(node => t.int(table.owner, node) === node && t.int(table.copyOf, node) === t.none)
}
