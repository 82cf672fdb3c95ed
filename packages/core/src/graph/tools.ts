/** T1, T2, A6: calls and results, counted once per node, and notifications that name them. */

import type { TextDigest } from '../model/entry.js'
import type { ToolUseId } from '../model/ids.js'
import { isPlaced } from './copies.js'
import type { State } from './state.js'
import * as t from './table.js'
import { callFor, callsOf, resultFor, resultsOf, toolId } from './tool-index.js'

/** A call without a result, or a result without a call. */
export interface ToolEnd {
  readonly id: ToolUseId
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
    const calls = callsOf(state, tool).filter(call => isPlaced(state, call))
    const results = resultsOf(state, tool).filter(result => isPlaced(state, result))
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
function isPair(state: State, tool: number): boolean {
  const { calls, results } = state.tools
  if (calls.more.has(tool) || results.more.has(tool)) return false
  const [call, result] = [calls.first[tool] ?? t.none, results.first[tool] ?? t.none]
  return call !== t.none && result !== t.none && isPlaced(state, call) && isPlaced(state, result)
}

/** Notifications by the task and by the call they name; the first counts. */
export function findNotifications(state: State): ReadonlyMap<string, number> {
  const { table } = state
  const ends = new Map<string, number>()
  for (let node = 0; node < table.size; node++) {
    const isNote = t.byte(table.says, node) === t.SaysNotification
    if ((!isNote && t.byte(table.kind, node) !== t.Attachment) || t.int(table.owner, node) !== node) continue
    for (const named of (textOf(state, node)?.head ?? '').matchAll(/<(?:task-id|tool-use-id)>([^<]+)</g)) {
      if (!ends.has(named[1] ?? '')) ends.set(named[1] ?? '', node)
    }
  }
  return ends
}

/** Whether a notification says that its task has done what it was to do. */
export function tellsCompletion(state: State, node: number): boolean {
  return textOf(state, node)?.head.includes('<status>completed</status>') === true
}

function textOf({ table }: State, node: number): TextDigest | null {
  const entry = table.entries[node]
  if (entry?.kind === 'user') return entry.text
  return entry?.kind === 'attachment' ? (entry.queued?.text ?? null) : null
}
