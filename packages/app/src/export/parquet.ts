/** Y9: a session as tables, by the same definitions as the tables of all sessions. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { entriesIn, entryId, sessionId } from '@dagline/core'
import { readMessageUsage, touchedFiles } from '@dagline/core/content'
import { assignUsage, type UsagePart, type UsageRow } from '@dagline/core/measure'
import { lazily } from '@dagline/core/model'
import type { RowContent } from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import {
  openTables,
  SESSION_TABLES,
  type Table,
  type TableContext,
  type TableRow,
  tablesOfPart,
} from '@dagline/core/tables'
import { sessionFacts } from '@dagline/store'
import { projectName } from '../files/projects.js'
import { allDiagnostics, type LoadedProject } from '../graphs/project.js'
import { currentPrices } from '../host/prices.js'
import { createParquet } from '../tables/parquet.js'
import { type ExportedSession, transcriptsOf } from './exported-session.js'
import { redactedRow } from './lake.js'

/** Rows whose contents are read and let go together. */
const ROWS_AT_ONCE = 1024

/** A table of a session, with its rows: made as they are asked for, with placeholders where texts are redacted. */
interface SessionTable {
  readonly table: Table
  readonly rows: () => Iterable<TableRow>
}

/**
 * Y2: whether a row counts for a session, where several are exported. `what` names it, `owner` is the session that owns it.
 * Each counts for its owner; where that is not exported, for the session that asks first.
 */
export type CountsFor = (session: string, what: string, owner: string | null) => boolean

/** Each row counts for one of some sessions; null where there is one, which all rows count for. */
export function createCounting(exported: ReadonlySet<string>, sessions: number): CountsFor | null {
  if (sessions === 1) return null
  const owners = new Map<string, string>()
  return (session, what, owner) => {
    const known = owners.get(what) ?? (owner !== null && exported.has(owner) ? owner : session)
    owners.set(what, known)
    return known === session
  }
}

/** The tables of a session. */
export function sessionTables(
  exported: ExportedSession,
  redactor: Redactor | null,
  countsFor: CountsFor | null,
): readonly SessionTable[] {
  const selection = selectionOf(exported)
  const context = contextOf(exported, selection, redactor)
  return SESSION_TABLES.map(table => ({
    table,
    *rows() {
      const isSelected = selector(table, selection)
      const counts = countsFor === null ? () => true : counter(table, exported.session.id, countsFor)
      for (const row of table.rows(context))
        if (isSelected(row) && counts(row)) yield redactedRow(row, table.columns, redactor)
    },
  }))
}

/** Writes a file for each table. Returns how many bytes they have. */
export function writeParquet(tables: readonly SessionTable[], folder: string): number {
  let bytes = 0
  for (const { table, rows } of tables) {
    const file = createParquet(join(folder, `${table.name}.parquet`), table.columns)
    for (const row of rows()) {
      file.add(row)
      if (file.held() >= ROWS_AT_ONCE) file.flush()
    }
    file.finish()
    bytes += statSync(file.path).size
  }
  return bytes
}

/** The texts in tables, for a last look. */
export function* textsIn(tables: readonly SessionTable[]): Generator<string> {
  for (const { rows } of tables)
    for (const row of rows()) for (const cell of row) if (typeof cell === 'string') yield cell
}

/** What of the project is exported, by ids. */
interface Selection {
  readonly sessions: ReadonlySet<string>
  readonly indices: readonly number[]
  readonly nodes: ReadonlySet<string>
  /** The entries whose calls are exported, too. */
  readonly callers: ReadonlySet<string>
  readonly lines: ReadonlySet<string>
  /** Ids of API messages; the uuids of entries that are in none. */
  readonly messages: ReadonlySet<string>
  readonly transcripts: ReadonlySet<string>
  /** Y3: a whole session has all rows of its transcripts, also of history that it only shares and does not show. */
  readonly isWhole: boolean
}

/** Which rows of a table are exported: those with a selected value in this column. Other tables are made of the selection. */
const SELECTED_BY: Readonly<
  Record<string, readonly [column: string, among: Exclude<keyof Selection, 'indices' | 'isWhole'>]>
> = {
  sessions: ['session', 'sessions'],
  messages: ['message', 'messages'],
  tool_calls: ['node', 'callers'],
  forks: ['node', 'nodes'],
  subagents: ['node', 'nodes'],
  compactions: ['node', 'nodes'],
  queue: ['transcript', 'transcripts'],
  diagnostics: ['transcript', 'transcripts'],
  membership: ['node', 'nodes'],
}

/** What a row stands for, where several sessions may have it. Other rows belong to one session. */
const COUNTED_BY: Readonly<Record<string, string>> = {
  nodes: 'node',
  messages: 'message',
  tool_calls: 'call node',
  usage: 'message',
  forks: 'node session agent',
  branches: 'line',
  subagents: 'node',
  compactions: 'node',
  files: 'node path tool',
  contents: 'node part kind call',
}

function selectionOf({ sheet, session, loaded: { graph }, hasTools, isWhole }: ExportedSession): Selection {
  const nodes = new Set(sheet.rows.node)
  const indices = sheet.rows.node.flatMap(id => graph.index(entryId(id)) ?? [])
  return {
    sessions: new Set([session.id]),
    indices,
    nodes,
    callers: hasTools ? nodes : new Set(),
    lines: new Set(sheet.lines.map(({ id }) => id)),
    messages: new Set(indices.map(node => graph.node(node).message ?? graph.id(node))),
    transcripts: new Set(transcriptsOf(graph, session).map(({ facts }) => facts.path)),
    isWhole,
  }
}

function selector({ name, columns }: Table, selection: Selection): (row: TableRow) => boolean {
  const [column = '', among] = SELECTED_BY[name] ?? []
  if (among === undefined || (name === 'membership' && selection.isWhole)) return () => true
  const at = columns.findIndex(each => each.name === column)
  const session = columns.findIndex(each => each.name === 'session')
  // F1: a fork between several roots is at no entry; one in shared history is at an entry of another session.
  const isOwn = (row: TableRow): boolean => session >= 0 && selection.sessions.has(String(row[session]))
  return row => {
    const value = row[at] ?? null
    if (value === null) return isOwn(row)
    return selection[among].has(String(value)) || (name === 'forks' && selection.isWhole && isOwn(row))
  }
}

function counter(
  { name, columns }: Table,
  session: string,
  countsFor: CountsFor,
): (row: TableRow) => boolean {
  const place = (named: string): number => columns.findIndex(column => column.name === named)
  const places = COUNTED_BY[name]?.split(' ').map(place)
  const owner = place('session')
  return row => {
    if (places === undefined) return true
    const key = JSON.stringify([name, ...places.map(at => row[at])])
    const owned = row[owner]
    return countsFor(session, key, typeof owned === 'string' ? owned : null)
  }
}

/** The tables of a project, which those of its sessions are parts of. */
const wholes = new WeakMap<LoadedProject, () => TableContext>()

function wholeOf(loaded: LoadedProject): TableContext {
  const known = wholes.get(loaded) ?? lazily(() => openWhole(loaded))
  wholes.set(loaded, known)
  return known()
}

function openWhole(loaded: LoadedProject): TableContext {
  const { graph, root, project } = loaded
  const files = project.files.map(({ path }) => ({
    path,
    project: projectName(project, path),
    isArchived: false,
  }))
  const diagnostics = allDiagnostics(loaded)
  const sessions = sessionFacts(graph, files, diagnostics)
  const named = new Map(files.map(file => [file.path, file]))
  return openTables({
    ...{ graph, root, files: named, sessions, diagnostics, usage: [], touches: [] },
    prices: currentPrices(),
  })
}

function contextOf(
  exported: ExportedSession,
  { indices, callers, lines, messages, isWhole }: Selection,
  redactor: Redactor | null,
): TableContext {
  const { loaded, session, record } = exported
  const { graph } = loaded
  const whole = wholeOf(loaded)
  return tablesOfPart(whole, {
    nodes: indices,
    // A line without entries is in no sheet: that of a session whose entries all belong to another one.
    lines: graph
      .lines()
      .filter(({ id, domain }) => lines.has(id) || (isWhole && domain.session === session.id)),
    transcripts: transcriptsOf(graph, session),
    // History that the session shares stands in other transcripts, and counts there.
    usage: usageIn(exported, new Set([...messages].filter(id => exported.messages.has(id))), whole),
    touches: (callers.size === 0 ? [] : indices).flatMap(node => {
      const { id, kind } = graph.node(node)
      const json = kind === 'assistant' ? record(node) : null
      return json === null ? [] : touchedFiles(json).map(touch => ({ ...touch, node: id }))
    }),
    contents: () => contentsIn(exported, redactor),
  })
}

/** T3: the messages as `usage` counts them: from all transcripts of the project that repeat them. */
function usageIn(
  { loaded: { graph }, record }: ExportedSession,
  messages: ReadonlySet<string>,
  { files }: TableContext,
): readonly UsageRow[] {
  const parts: UsagePart[] = []
  for (const file of graph.files())
    for (const entry of entriesIn(file)) {
      const { id, message, session, version } = graph.node(entry)
      const json = message === null || !messages.has(message) ? null : record(entry)
      const usage = json === null ? null : readMessageUsage(json)
      if (usage !== null) parts.push({ usage, entry: id, session, version })
    }
  return assignUsage(graph, parts, session => {
    const home = graph.currentFile(sessionId(session))
    return files.get(home?.facts.path ?? '')?.project ?? ''
  })
}

function* contentsIn(exported: ExportedSession, redactor: Redactor | null): Generator<RowContent> {
  const { length } = exported.sheet.rows.node
  for (let from = 0; from < length; from += ROWS_AT_ONCE)
    yield* exported.contents(from, Math.min(length, from + ROWS_AT_ONCE), redactor)
}
