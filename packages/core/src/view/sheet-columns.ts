/** The rows of a sheet, column by column. */
import { actorName } from '../graph/actors.js'
import { subtypeOf } from '../graph/compactions.js'
import type { Graph } from '../graph/graph.js'
import * as t from '../graph/table.js'
import { callsOf, toolsOf } from '../graph/tool-book.js'
import {
  EDGE_KINDS,
  ROW_KINDS,
  ROW_MARKS,
  type RowKind,
  type Sheet,
  type SheetRows,
} from '../protocol/sheet.js'
import type { Labels } from './labels.js'
import { isMessage } from './messages.js'
import { type Pairs, speaks } from './pairs.js'
import type { EdgeKind, ViewRow } from './rows.js'
import type { Ground } from './sheet.js'
import { lateResults, pairRows } from './sheet-pairs.js'

interface Columns {
  readonly columns: SheetRows
  readonly late: Sheet['late']
  readonly names: readonly string[]
}

/** A table of names: each once, by number. */
interface Names {
  readonly list: string[]
  readonly places: Map<string, number>
}

/** Fills the columns. */
export function sheetColumns(ground: Ground, labels: Labels): Columns {
  const { graph, rows, lineOf } = ground
  const { table } = graph.state
  const names: Names = { list: [], places: new Map() }
  const pairs = pairRows(ground)
  const columns: SheetRows = {
    node: rows.map(({ node }) => t.idOf(table, node)),
    line: rows.map(({ line }) => t.int(lineOf, line.index)),
    kind: rows.map(({ node }) => ROW_KINDS.indexOf(kindOf(graph, node))),
    marks: marksOf(ground, labels, pairs),
    time: rows.map(({ node }) => {
      const time = t.real(table.time, node)
      return Number.isNaN(time) ? null : time
    }),
    actor: rows.map(({ node }) => numberOf(names, actorName(graph.actor(node)))),
    name: rows.map(({ node }) => {
      const name = nameIn(graph, node)
      return name === null ? t.none : numberOf(names, name)
    }),
    up: rows.map(({ parents }, at) => at - (parents[0]?.row ?? at)),
    edge: rows.map(({ parents }) => EDGES[parents[0]?.kind ?? 'return']),
    joins: rows.map((_, at) => (pairs.isJoined[at] === 1 ? at - t.int(pairs.call, at) : 0)),
    size: rows.map(({ node }) => t.real(table.length, node)),
  }
  return { columns, late: lateResults(pairs), names: names.list }
}

const EDGES: Readonly<Record<EdgeKind, number>> = {
  line: EDGE_KINDS.indexOf('line'),
  branch: EDGE_KINDS.indexOf('branch'),
  spawn: EDGE_KINDS.indexOf('spawn'),
  return: 0,
}

function numberOf({ list, places }: Names, name: string): number {
  const known = places.get(name)
  if (known !== undefined) return known
  places.set(name, list.length)
  return list.push(name) - 1
}

/** What a row is, by what the graph keeps of its node. */
export function kindOf(graph: Graph, node: number): RowKind {
  const { state } = graph
  const { table } = state
  switch (t.byte(table.kind, node)) {
    case t.User:
      return USER_KINDS[t.byte(table.says, node)] ?? 'other'
    case t.Assistant:
      return assistantKind(graph, node)
    case t.System:
      return t.marked(table, node, t.Boundary) ? 'compaction' : 'system'
    case t.Attachment:
      return attachmentKind(graph, node)
    case t.Progress:
      return 'progress'
    default:
      return 'other'
  }
}

/** By the says column. */
const USER_KINDS: readonly RowKind[] = [
  'other',
  'prompt',
  'result',
  'summary',
  'caveat',
  'command',
  'output',
  'interrupt',
  'notification',
  'meta',
]

function assistantKind({ state: { table } }: Graph, node: number): RowKind {
  if (t.marked(table, node, t.ApiError)) return 'error'
  if (t.marked(table, node, t.HasCalls)) return 'call'
  return t.marked(table, node, t.ThinkingOnly) ? 'thinking' : 'text'
}

function attachmentKind({ state: { table } }: Graph, node: number): RowKind {
  const entry = table.entries[node]
  if (entry?.kind !== 'attachment' || entry.queued === null) return 'attachment'
  return t.marked(table, node, t.QueuedPrompt) ? 'queued' : 'notification'
}

/** The tool of a call or result; the subtype of what is no message. */
function nameIn(graph: Graph, node: number): string | null {
  const { state } = graph
  const { table } = state
  const kind = t.byte(table.kind, node)
  if (kind !== t.User && kind !== t.Assistant) return subtypeOf(state, node)
  if (t.marked(table, node, t.HasCalls)) return calledIn(graph, node)
  if (t.byte(table.says, node) !== t.SaysResult) return null
  const [tool] = toolsOf(state, node)
  const [call] = tool === undefined ? [] : callsOf(state, tool)
  return call === undefined ? null : calledIn(graph, call)
}

function calledIn({ state: { table } }: Graph, node: number): string | null {
  const entry = table.entries[node]
  return entry?.kind === 'assistant' ? (entry.calls[0]?.name ?? null) : null
}

function marksOf(ground: Ground, labels: Labels, { call: calls }: Pairs): readonly number[] {
  const live = liveRows(ground, labels)
  const begins = messageRows(ground)
  const marks = ground.rows.map(
    (row, at) =>
      marksAt(ground.graph, row, labels) |
      (live[at] === 1 ? ROW_MARKS.live : 0) |
      (begins[at] === 1 ? ROW_MARKS.message : 0),
  )
  // A call has failed when its result says so.
  for (const [at, call] of calls.entries()) {
    if (call >= 0) marks[call] = (marks[call] ?? 0) | ((marks[at] ?? 0) & ROW_MARKS.failed)
  }
  return marks
}

/**
 * L3: what the session's next request carries. Another session may carry a row of a branch that was left here, or not
 * carry one that is live here. Rows of agents are as in the agent's own conversation; what is no message goes with the
 * message before it on its line.
 */
function liveRows({ graph, rows, live }: Ground, labels: Labels): Uint8Array {
  const { kind } = graph.state.table
  const marks = new Uint8Array(rows.length)
  for (const row of live) marks[row] = 1
  const last = new Map<number, number>()
  for (const [at, { node, line, depth }] of rows.entries()) {
    if (depth > 0) marks[at] = labels.live[node] === 1 ? 1 : 0
    else if (t.byte(kind, node) <= t.Assistant) last.set(line.index, marks[at] ?? 0)
    else if (marks[at] === 0) marks[at] = last.get(line.index) ?? 0
  }
  return marks
}

/** Where messages begin: entries of one message on one line count once. */
function messageRows({ graph, rows }: Ground): Uint8Array {
  const { message } = graph.state.table
  const lines = graph.lines().length
  const seen = new Set<number>()
  const marks = new Uint8Array(rows.length)
  for (const [at, { node, line }] of rows.entries()) {
    const number = t.int(message, node)
    const key = number * lines + line.index
    if (!isMessage(graph, node) || seen.has(key)) continue
    if (number !== t.none) seen.add(key)
    marks[at] = 1
  }
  return marks
}

function marksAt(graph: Graph, { node, landmark, aside }: ViewRow, labels: Labels): number {
  const { state } = graph
  const { table } = state
  const ending = t.endings[t.byte(table.ending, node)]
  const hasFailed =
    t.marked(table, node, t.ApiError) ||
    (t.byte(table.says, node) === t.SaysResult && (ending === 'error' || ending === 'denied'))
  return (
    (landmark ? ROW_MARKS.landmark : 0) |
    (hasFailed ? ROW_MARKS.failed : 0) |
    (speaks(state, node) ? ROW_MARKS.speaks : 0) |
    (t.marked(table, node, t.HasCalls) ? ROW_MARKS.calls : 0) |
    (aside ? ROW_MARKS.aside : 0) |
    ((labels.compacted[node] ?? 0) > 0 ? ROW_MARKS.compacted : 0)
  )
}
