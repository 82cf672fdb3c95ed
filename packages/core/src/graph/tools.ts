/** T1, T2, A6: calls and results, counted once per node, and notifications that name them. */

import type { ResultState, TextDigest } from '../model/entry.js'
import { pushTo } from '../model/group.js'
import type { ToolUseId } from '../model/ids.js'
import { createNames, find, intern, type Names, nameOf } from './names.js'
import { compareLocations } from './order.js'
import { isPlaced } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

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
export function isPair(state: State, tool: number): boolean {
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

// T1: which entries call a tool and which answer it, by tool id, over all files. Nearly every id has one call and
// one result, so these are held as integers; further ones (copies in other files) in lists.

export interface ToolIndex {
  readonly names: Names<ToolUseId>
  readonly calls: Sightings
  readonly results: Sightings
}

interface Sightings {
  readonly first: number[]
  readonly more: Map<number, number[]>
  /** Of tools with several: all in their order, once they were asked for. */
  readonly ordered: Map<number, readonly number[]>
}

/** No tools yet. */
export function createTools(): ToolIndex {
  return {
    names: createNames(),
    calls: noSightings(),
    results: noSightings(),
  }
}

function noSightings(): Sightings {
  return { first: [], more: new Map(), ordered: new Map() }
}

/** Enters a call; gives the tool's number. */
export function addCall(book: ToolIndex, id: string, node: number): number {
  const tool = intern(book.names, id)
  addSighting(book.calls, tool, node)
  return tool
}

/** Enters a result; gives the tool's number. */
export function addResult(book: ToolIndex, id: string, node: number): number {
  const tool = intern(book.names, id)
  addSighting(book.results, tool, node)
  return tool
}

function addSighting(sightings: Sightings, tool: number, node: number): void {
  while (sightings.first.length <= tool) sightings.first.push(t.none)
  if (sightings.first[tool] === t.none) {
    sightings.first[tool] = node
    return
  }
  pushTo(sightings.more, tool, node)
  sightings.ordered.delete(tool)
}

/** The number of a tool id, or none. */
export function findTool(state: State, id: string): number {
  return find(state.tools.names, id)
}

/** The id of a tool. */
export function toolId(state: State, tool: number): ToolUseId {
  return nameOf(state.tools.names, tool)
}

/** The sightings that make a call. */
export function callsOf(state: State, tool: number): readonly number[] {
  return allOf(state, state.tools.calls, tool)
}

/** The sightings that answer it. */
export function resultsOf(state: State, tool: number): readonly number[] {
  return allOf(state, state.tools.results, tool)
}

/** By path and row, whatever the order of reading. */
function allOf(state: State, sightings: Sightings, tool: number): readonly number[] {
  const first = sightings.first[tool] ?? t.none
  if (first === t.none) return nothing
  const more = sightings.more.get(tool)
  if (more === undefined) return [first]
  const known = sightings.ordered.get(tool)
  if (known !== undefined) return known
  const all = [first, ...more].sort((a, b) => compareLocations(state, a, b))
  sightings.ordered.set(tool, all)
  return all
}

const nothing: readonly number[] = []

/** The call of a tool that an entry of this file, session and agent means, or none. */
export function callFor(state: State, tool: number, node: number): number {
  return partner(state, state.tools.calls, tool, node)
}

/** The result of a tool that an entry of this file, session and agent means, or none. */
export function resultFor(state: State, tool: number, node: number): number {
  return partner(state, state.tools.results, tool, node)
}

/**
 * T1: pairs are keyed within session and agent. Ids are unique nearly everywhere; where they are not (gateways that
 * count from one), the own file comes first, then the own session. The only one there is counts wherever it stands.
 */
function partner(state: State, sightings: Sightings, tool: number, node: number): number {
  const { table } = state
  const first = sightings.first[tool] ?? t.none
  if (first === t.none || !hasSeveral(state, tool)) return first
  const all = allOf(state, sightings, tool)
  const side = t.marked(table, node, t.Sidechain)
  const inFile = all.filter(other => t.int(table.file, other) === t.int(table.file, node))
  const same = inFile.find(other => t.marked(table, other, t.Sidechain) === side) ?? inFile[0]
  return same ?? all.find(other => isSameConversation(table, other, node)) ?? t.none
}

/** Whether an id was called or answered more than once: only then can it be mixed up. */
function hasSeveral({ tools }: State, tool: number): boolean {
  return tools.calls.more.has(tool) || tools.results.more.has(tool)
}

function isSameConversation(table: t.Table, a: number, b: number): boolean {
  return (
    t.int(table.session, a) === t.int(table.session, b) &&
    t.marked(table, a, t.Sidechain) === t.marked(table, b, t.Sidechain)
  )
}

/** The tools an entry calls (an assistant's) or answers (a user's). */
export function toolsOf(state: State, node: number): readonly number[] {
  const only = t.int(state.table.tool, node)
  if (only !== severalTools) return only === t.none ? nothing : [only]
  const entry = state.table.entries[node]
  const named = entry?.kind === 'assistant' ? entry.calls : entry?.kind === 'user' ? entry.results : []
  return named.map(item => findTool(state, item.id))
}

/** In the tool column: the entry has several tools, which its record names. */
export const severalTools = -2

/** T2: how the nth call that an entry answers ended. */
export function endingOf(state: State, node: number, nth: number): ResultState {
  const entry = state.table.entries[node]
  if (entry?.kind === 'user') return entry.results[nth]?.state ?? 'ok'
  return t.endings[t.byte(state.table.ending, node)] ?? 'ok'
}
