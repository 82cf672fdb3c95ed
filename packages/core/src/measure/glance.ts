/** What measuring asks of a node, read off the graph's columns in this one place. */
import { subtypeOf } from '../graph/compactions.js'
import type { Graph } from '../graph/graph.js'
import * as t from '../graph/table.js'
import { endingOf, resultFor, toolId, toolsOf } from '../graph/tool-book.js'
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

/** No node. */
export const none: number = t.none

/** Milliseconds since 1970; not a number where the entry has no time. */
export function timeOf({ state }: Graph, node: number): number {
  return node === none ? Number.NaN : t.real(state.table.time, node)
}

/** A prompt: of a person, or of whoever delegates in an agent's conversation. */
export function isPrompt({ state }: Graph, node: number): boolean {
  return t.byte(state.table.says, node) === t.SaysPrompt
}

/**
 * What whoever delegates says to an agent: a prompt, or a message in the frame that the client puts around it
 * (recordings s24c_send_message and s24h_teammates of 2.1.325). Notices of tasks are none.
 */
export function isAsking(graph: Graph, node: number): boolean {
  if (isPrompt(graph, node)) return true
  if (t.byte(graph.state.table.says, node) !== t.SaysNotification) return false
  return /^\s*(?:<(?:teammate|agent)-message\b|The coordinator sent a message)/.test(
    graph.node(node).head ?? '',
  )
}

/** Text that a person typed: a prompt of a session, or one that was delivered in mid turn. */
export function isTyped(graph: Graph, node: number): boolean {
  return isPrompt(graph, node) || t.marked(graph.state.table, node, t.QueuedPrompt)
}

/** An entry of the assistant, failure notices and what the client wrote in its name left out. */
export function isAnswer({ state: { table } }: Graph, node: number): boolean {
  return t.byte(table.kind, node) === t.Assistant && !t.marked(table, node, t.ApiError | t.Synthetic)
}

/** An answer with prose: no call, not thinking alone. */
export function isProse(graph: Graph, node: number): boolean {
  const { table } = graph.state
  return (
    isAnswer(graph, node) &&
    t.real(table.print, node) !== 0 &&
    !t.marked(table, node, t.ThinkingOnly | t.HasCalls)
  )
}

/** A notice that a request failed. */
export function isFailure({ state }: Graph, node: number): boolean {
  return t.marked(state.table, node, t.ApiError)
}

/** The note that a person stopped the work. */
export function isInterrupt({ state }: Graph, node: number): boolean {
  return t.byte(state.table.says, node) === t.SaysInterrupt
}

/** The number of the message an entry is part of; none for entries without one. */
export function messageOf({ state }: Graph, node: number): number {
  return t.int(state.table.message, node)
}

/** T1, T2: the calls of an entry with their ends. */
export function callsIn(graph: Graph, node: number): readonly Call[] {
  const { state } = graph
  if (!t.marked(state.table, node, t.HasCalls)) return nothing
  const entry = state.table.entries[node]
  const names = entry?.kind === 'assistant' ? entry.calls.map(call => call.name) : [subtypeOf(state, node)]
  return toolsOf(state, node).map((tool, nth) => {
    const result = resultFor(state, tool, node)
    const ending = result === none ? null : endingOf(state, result, toolsOf(state, result).indexOf(tool))
    return { id: toolId(state, tool), tool: names[nth] ?? 'unknown', node, result, ending }
  })
}

const nothing: readonly Call[] = []
