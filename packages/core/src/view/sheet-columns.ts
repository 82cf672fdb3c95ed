/** The rows of a sheet, column by column. */
import { actorName } from '../graph/actors.js'
import type { Graph } from '../graph/graph.js'
import { createNames, intern } from '../graph/names.js'
import {
  callsOf,
  entryOf,
  hasApiTools,
  hasCalls,
  isApiError,
  isBoundary,
  isConversation,
  isFailedResult,
  isQueuedPrompt,
  isResult,
  isThinkingOnly,
  kindOf,
  knownTimeOf,
  lengthOf,
  messageOf,
  none,
  roleOf,
  subtypeOf,
  toolsOf,
  type UserRole,
} from '../graph/nodes.js'
import { groupBy } from '../model/group.js'
import {
  EDGE_KINDS,
  ROW_KINDS,
  ROW_MARKS,
  type RowKind,
  type Sheet,
  type SheetRows,
} from '../protocol/sheet.js'
import type { NodeLabels } from './labels.js'
import { isMessage, type Pairs, pairResults, speaks } from './order.js'
import type { ViewRow } from './rows.js'
import type { SheetContext } from './sheet.js'

interface Columns {
  readonly columns: SheetRows
  readonly late: Sheet['late']
  readonly names: readonly string[]
}

/** Fills the columns. */
export function sheetColumns(context: SheetContext, labels: NodeLabels): Columns {
  const { graph, rows, lineOf } = context
  const names = createNames()
  const pairs = pairRows(context)
  const columns: SheetRows = {
    node: rows.map(({ node }) => graph.id(node)),
    line: rows.map(({ line }) => lineOf[line.index] ?? none),
    kind: rows.map(({ node }) => ROW_KINDS.indexOf(rowKindOf(graph, node))),
    marks: marksOf(context, labels, pairs),
    time: rows.map(({ node }) => knownTimeOf(graph, node)),
    actor: rows.map(({ node }) => intern(names, actorName(graph.actor(node)))),
    name: rows.map(({ node }) => {
      const name = nameIn(graph, node)
      return name === null ? none : intern(names, name)
    }),
    up: rows.map(({ parents }, at) => at - (parents[0]?.row ?? at)),
    edge: rows.map(edgeAt),
    joins: rows.map((_, at) => (pairs.isJoined[at] === 1 ? at - (pairs.call[at] ?? at) : 0)),
    size: rows.map(({ node }) => lengthOf(graph, node)),
  }
  return { columns, late: lateResults(pairs), names: names.list }
}

/** How the first edge of a row connects it; 0 for a row that only a subagent returns to. */
function edgeAt({ parents: [first] }: ViewRow): number {
  return first === undefined || first.kind === 'return' ? 0 : EDGE_KINDS.indexOf(first.kind)
}

/** What a row is, by what the graph keeps of its node. */
export function rowKindOf(graph: Graph, node: number): RowKind {
  switch (kindOf(graph, node)) {
    case 'user':
      return userKind(roleOf(graph, node))
    case 'assistant':
      return assistantKind(graph, node)
    case 'system':
      return systemKind(graph, node)
    case 'attachment':
      return attachmentKind(graph, node)
    case 'progress':
      return 'progress'
    default:
      return 'other'
  }
}

function userKind(role: UserRole): RowKind {
  return role === 'none' ? 'other' : role
}

function assistantKind(graph: Graph, node: number): RowKind {
  if (isApiError(graph, node)) return 'error'
  if (hasCalls(graph, node) || hasApiTools(graph, node)) return 'call'
  return isThinkingOnly(graph, node) ? 'thinking' : 'text'
}

/** Newer releases write what local commands print as notices. */
function systemKind(graph: Graph, node: number): RowKind {
  if (isBoundary(graph, node)) return 'compaction'
  return subtypeOf(graph, node) === 'local_command' ? 'output' : 'system'
}

function attachmentKind(graph: Graph, node: number): RowKind {
  const entry = entryOf(graph, node)
  if (entry?.kind !== 'attachment' || entry.queued === null) return 'attachment'
  return isQueuedPrompt(graph, node) ? 'queued' : 'notification'
}

/** The tool of a call or result; the subtype of what is not a message. */
function nameIn(graph: Graph, node: number): string | null {
  if (!isConversation(graph, node)) return subtypeOf(graph, node)
  if (hasCalls(graph, node)) return calledIn(graph, node)
  if (!isResult(graph, node)) return null
  const [tool] = toolsOf(graph, node)
  const [call] = tool === undefined ? [] : callsOf(graph, tool)
  return call === undefined ? null : calledIn(graph, call)
}

function calledIn(graph: Graph, node: number): string | null {
  const entry = entryOf(graph, node)
  return entry?.kind === 'assistant' ? (entry.calls[0]?.name ?? null) : null
}

function marksOf(context: SheetContext, labels: NodeLabels, { call: calls }: Pairs): readonly number[] {
  const live = liveRows(context, labels)
  const begins = messageRows(context)
  const marks = context.rows.map(
    (row, at) =>
      marksAt(context.graph, row, labels) |
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
 * L3: what the session's next request carries. Another session may carry a row of a branch that is abandoned here, or not
 * carry one that is live here. Rows of agents are as in the agent's own conversation; what is not a message goes with the
 * message before it on its line.
 */
function liveRows({ graph, rows, live }: SheetContext, labels: NodeLabels): Uint8Array {
  const marks = new Uint8Array(rows.length)
  for (const row of live) marks[row] = 1
  const last = new Map<number, number>()
  for (const [at, { node, line, depth }] of rows.entries()) {
    if (depth > 0) marks[at] = labels.live[node] === 1 ? 1 : 0
    else if (isConversation(graph, node)) last.set(line.index, marks[at] ?? 0)
    else if (marks[at] === 0) marks[at] = last.get(line.index) ?? 0
  }
  return marks
}

/** Where messages begin: entries of one message on one line count once. */
function messageRows({ graph, rows }: SheetContext): Uint8Array {
  const lines = graph.lines().length
  const seen = new Set<number>()
  const marks = new Uint8Array(rows.length)
  for (const [at, { node, line }] of rows.entries()) {
    const number = messageOf(graph, node)
    const key = number * lines + line.index
    if (!isMessage(graph, node) || seen.has(key)) continue
    if (number !== none) seen.add(key)
    marks[at] = 1
  }
  return marks
}

function marksAt(graph: Graph, { node, landmark, aside }: ViewRow, labels: NodeLabels): number {
  const hasFailed = isApiError(graph, node) || isFailedResult(graph, node)
  return (
    (landmark ? ROW_MARKS.landmark : 0) |
    (hasFailed ? ROW_MARKS.failed : 0) |
    (speaks(graph, node) ? ROW_MARKS.speaks : 0) |
    (hasCalls(graph, node) ? ROW_MARKS.calls : 0) |
    (aside ? ROW_MARKS.aside : 0) |
    ((labels.compacted[node] ?? 0) > 0 ? ROW_MARKS.compacted : 0) |
    (graph.startsTurn(node) ? ROW_MARKS.turn : 0)
  )
}

/** The pairs of all lines, by row. The sheet has every entry, thinking included. */
function pairRows({ graph, rows }: SheetContext): Pairs {
  const pairs: Pairs = {
    call: new Int32Array(rows.length).fill(none),
    isJoined: new Uint8Array(rows.length),
  }
  const all = rows.map(({ node, line }, row) => ({ node, line, row }))
  for (const own of groupBy(all, ({ line }) => line.index).values()) {
    const nodes = own.map(({ node }) => node)
    const found = pairResults(graph, nodes, node => speaks(graph, node))
    for (const [position, { row }] of own.entries()) {
      pairs.call[row] = own[found.call[position] ?? none]?.row ?? none
      pairs.isJoined[row] = found.isJoined[position] ?? 0
    }
  }
  return pairs
}

/** Results that stay where they came: `[row of the result, row of its call]`. */
function lateResults({ call, isJoined }: Pairs): Sheet['late'] {
  const late: (readonly [number, number])[] = []
  for (const [row, from] of call.entries()) if (from >= 0 && isJoined[row] === 0) late.push([row, from])
  return late
}
