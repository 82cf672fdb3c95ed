/**
 * A session as a sheet: every row of it, in one order, as plain columns (see protocol/sheet.ts). Branches and agents are
 * all in it; what is shown of them is chosen later, by `foldSheet`.
 *
 *   walkSession -> rows -> columns
 *                      \-> lines, forks, epochs, junctions, queue, diagnostics: each names rows by their position
 */

import type { Graph } from '../graph/graph.js'
import { entryOf, nodeCount, none, placedNode, rowOf as rowInFile } from '../graph/nodes.js'
import { countWhile } from '../graph/positions.js'
import type { MessageUsage } from '../model/billing.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { MessageId, SessionId } from '../model/ids.js'
import { plainHead } from '../model/prompt-words.js'
import type { Sheet, SheetDiagnostic, SheetQueued, SheetSession } from '../protocol/sheet.js'
import { labelNodes } from './labels.js'
import type { ViewRow } from './rows.js'
import { sheetColumns } from './sheet-columns.js'
import { sheetEpochs, sheetForks, sheetJunctions } from './sheet-events.js'
import { sheetLines, sheetTurns, spentAt } from './sheet-lines.js'
import { walkNodes, walkSession } from './walk.js'

/** What a sheet tells of a session that its graph does not know. */
export interface SheetOptions {
  readonly project: string
  readonly title: string | null
  readonly archivedOnly: boolean
  readonly version: string
  /** What a message cost, by its id; null where it is not known. */
  readonly usageOf?: (message: MessageId) => MessageUsage | null
  /** In USD; null without a known price. */
  readonly costOf?: (usage: MessageUsage) => number | null
  /** The title of another session. */
  readonly titleOf?: (session: SessionId) => string | null
  readonly diagnostics?: readonly Diagnostic[]
}

/** What all parts of a sheet are made from. */
export interface SheetContext {
  readonly graph: Graph
  readonly session: SessionId
  readonly options: SheetOptions
  readonly rows: readonly ViewRow[]
  /** The row of each node; -1 for nodes of other sessions. */
  readonly rowOf: Int32Array
  /** The number of each of the graph's lines in the sheet; -1 for others. */
  readonly lineOf: Int32Array
  /** How many rows at the top are shared with another session. */
  readonly shared: number
  readonly live: readonly number[]
}

/** A session as plain columns that can be sent or stored; `foldSheet` says which of its rows are shown. Linear in its rows. */
export function makeSheet(graph: Graph, session: SessionId, options: SheetOptions): Sheet {
  const context = surveySession(graph, session, options)
  const { columns, late, names } = sheetColumns(context, labelNodes(graph))
  const spent = spentAt(context)
  return {
    dagline: 1,
    version: options.version,
    session: sessionOf(context),
    names,
    lines: sheetLines(context, spent),
    rows: columns,
    live: context.live,
    returns: returnsOf(context),
    late,
    words: wordsOf(context),
    turns: sheetTurns(context, spent),
    also: copiesIn(context),
    forks: sheetForks(context),
    epochs: sheetEpochs(context),
    junctions: sheetJunctions(context),
    queue: queuedIn(context),
    diagnostics: diagnosticsIn(context),
  }
}

function surveySession(graph: Graph, session: SessionId, options: SheetOptions): SheetContext {
  const walked = walkSession(graph, session, {
    branches: 'show',
    agents: 'show',
    shows: () => true,
    warmups: true,
  }).rows
  const rowOf = new Int32Array(nodeCount(graph)).fill(none)
  for (const { node } of walked) rowOf[node] = 0
  const file = graph.currentFile(session)
  const sent = (file === null ? [] : graph.live(file.facts.path)).map(node => placedNode(graph, node))
  const shared = sent.filter(node => (rowOf[node] ?? none) === none)
  const rows = shared.length === 0 ? walked : [...walkNodes(graph, shared).rows, ...below(walked, shared)]
  const lineOf = new Int32Array(graph.lines().length).fill(none)
  let lines = 0
  rows.forEach((row, at) => {
    rowOf[row.node] = at
    if ((lineOf[row.line.index] ?? none) === none) lineOf[row.line.index] = lines++
  })
  const live = sent.map(node => rowOf[node] ?? none).filter(row => row >= 0)
  return { graph, session, options, rows, rowOf, lineOf, shared: shared.length, live }
}

/** The same rows with others above them: the conversation goes on from those. */
function below(rows: readonly ViewRow[], { length: above }: readonly number[]): readonly ViewRow[] {
  const last = { row: above - 1, kind: 'line' as const }
  return rows.map((row, at) => {
    const parents = row.parents.map(({ row: up, kind }) => ({ row: up + above, kind }))
    return { ...row, parents: at === 0 && parents.length === 0 ? [last] : parents }
  })
}

function sessionOf({ graph, session, options }: SheetContext): SheetSession {
  const known = graph.sessions().find(({ id }) => id === session)
  const home = graph.currentFile(session)
  const parent = known?.parent ?? null
  const from = parent === null ? null : graph.node(parent.at)
  return {
    id: session,
    project: options.project,
    cwd: home?.cwd ?? null,
    title: options.title ?? known?.title ?? null,
    file: home?.facts.path ?? null,
    first: known?.first ?? null,
    last: known?.last ?? null,
    archivedOnly: options.archivedOnly,
    parent: from && {
      session: from.session,
      node: from.id,
      how: parent?.how ?? 'unknown',
      title: options.titleOf?.(from.session) ?? null,
    },
  }
}

function returnsOf({ rows }: SheetContext): Sheet['returns'] {
  return rows.flatMap(({ parents }, at) =>
    parents.slice(1).map((edge): readonly [number, number] => [at, edge.row]),
  )
}

/** First words are cut to what a list shows. */
const MOST_WORDS = 240

function wordsOf({ graph, rows }: SheetContext): Sheet['words'] {
  const words: (readonly [number, string])[] = []
  rows.forEach(({ node }, at) => {
    const entry = entryOf(graph, node)
    if (entry?.kind !== 'user' && entry?.kind !== 'attachment') return
    if (entry.kind === 'user' && entry.says === 'result') return
    const { head } = graph.node(node)
    if (head !== null && head !== '') words.push([at, head.slice(0, MOST_WORDS)])
  })
  return words
}

/** Copies that are folded into a row: a link to one leads there. */
function copiesIn({ graph, rowOf }: SheetContext): Sheet['also'] {
  return graph.folded().flatMap(({ node, under }): (readonly [number, string])[] => {
    const row = rowOf[under] ?? none
    return row < 0 ? [] : [[row, graph.id(node)]]
  })
}

/** Q3: what was queued and never arrived, after the row that was written before it. */
function queuedIn({ graph, session, rowOf }: SheetContext): readonly SheetQueued[] {
  return graph.queues().flatMap(({ file, steps }) => {
    if (file.facts.session !== session) return []
    return steps.flatMap(({ note, became }): SheetQueued[] => {
      if (note.operation !== 'enqueue' || (became !== 'lost' && became !== 'recalled')) return []
      const row = rowBefore(graph, file.nodes, note.source.row, rowOf)
      return [{ row, time: note.time, became, words: plainHead(note.text?.head ?? '') }]
    })
  })
}

/** The last row of the sheet that stands before a row of the file. Nodes of a file are in its order. */
function rowBefore(graph: Graph, nodes: readonly number[], row: number, rowOf: Int32Array): number {
  const before = countWhile(nodes, node => rowInFile(graph, node) < row)
  for (let at = before - 1; at >= 0; at--) {
    const found = rowOf[nodes[at] ?? 0] ?? none
    if (found >= 0) return found
  }
  return none
}

/** What was odd in the files of the session. */
function diagnosticsIn({ graph, session, options, rowOf }: SheetContext): readonly SheetDiagnostic[] {
  const known = graph.sessions().find(({ id }) => id === session)
  const files = new Set((known?.files ?? []).map(({ facts }): string => facts.path))
  const diagnostics = options.diagnostics ?? graph.diagnostics()
  return diagnostics
    .filter(({ file }) => files.has(file))
    .map(({ node, rule, severity, message }) => {
      const at = node === null ? null : graph.index(node)
      const row = at === null ? none : (rowOf[graph.originalOf(at)] ?? none)
      return { row, rule, severity, message }
    })
}
