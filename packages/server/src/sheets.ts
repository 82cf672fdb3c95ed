/** Sheets of sessions, each made once; and what differs between two of them. */
import {
  createPricer,
  type Graph,
  type MessageUsage,
  makeSheet,
  type Sheet,
  type SheetRows,
  type SheetUpdate,
} from '@dagline/core'
import type { OpenSession } from './context.js'
import type { Library } from './library.js'

export interface Sheets {
  readonly of: (session: OpenSession) => Sheet
  /** What the messages of a session's files cost, by their ids. */
  readonly messagesOf: (session: OpenSession) => ReadonlyMap<string, MessageUsage>
  /** The sheet as a difference to one that was given before; whole where that is no longer known. */
  readonly since: (session: OpenSession, version: string) => SheetUpdate
}

/** How many sheets are kept: those that are looked at, and for each the one before. */
const MOST_SHEETS = 8

/** Sheets, none of which is made yet. */
export function createSheets(library: Library): Sheets {
  const kept = new Map<string, Sheet>()
  const messages = new WeakMap<Graph, ReadonlyMap<string, MessageUsage>>()
  const messagesOf = (session: OpenSession): ReadonlyMap<string, MessageUsage> => {
    const known = messages.get(session.graph) ?? readMessages(library, session)
    messages.set(session.graph, known)
    return known
  }
  const of = (session: OpenSession): Sheet => {
    const key = keyOf(session.fact.session, session.version)
    const sheet = kept.get(key) ?? drawSheet(library, session, messagesOf(session))
    kept.delete(key)
    kept.set(key, sheet)
    while (kept.size > MOST_SHEETS) kept.delete([...kept.keys()][0] ?? '')
    return sheet
  }
  return {
    of,
    messagesOf,
    since: (session, version) => {
      const before = kept.get(keyOf(session.fact.session, version))
      const sheet = of(session)
      return before === undefined ? { keep: 0, sheet } : updateOf(before, sheet)
    },
  }
}

function keyOf(session: string, version: string): string {
  return `${session} ${version}`
}

function drawSheet(
  library: Library,
  session: OpenSession,
  messages: ReadonlyMap<string, MessageUsage>,
): Sheet {
  const { graph, fact, files, version } = session
  const titles = new Map(library.sessions().map(({ session: id, title }) => [id, title]))
  return makeSheet(graph, fact.session, {
    project: fact.project,
    title: fact.title,
    archivedOnly: fact.archivedOnly,
    version,
    usageOf: message => messages.get(message) ?? null,
    costOf: createPricer(),
    titleOf: id => titles.get(id) ?? null,
    findings: [...files.flatMap(({ findings }) => findings), ...graph.diagnostics()],
  })
}

function readMessages(library: Library, { files }: OpenSession): ReadonlyMap<string, MessageUsage> {
  const messages = library.index().messages(files.map(({ id }) => id))
  return new Map(messages.map(message => [message.message, message]))
}

function updateOf(before: Sheet, sheet: Sheet): SheetUpdate {
  const keep = firstDifference(before.rows, sheet.rows)
  return { keep, sheet: { ...sheet, rows: rowsFrom(sheet.rows, keep) } }
}

const COLUMNS = [
  'node',
  'line',
  'kind',
  'marks',
  'time',
  'actor',
  'name',
  'up',
  'edge',
  'joins',
  'size',
] as const satisfies readonly (keyof SheetRows)[]

/** The first row that is not the same in both. */
function firstDifference(a: SheetRows, b: SheetRows): number {
  let first = Math.min(a.node.length, b.node.length)
  for (const name of COLUMNS) {
    const [left, right] = [a[name], b[name]]
    let at = 0
    while (at < first && left[at] === right[at]) at++
    first = at
  }
  return first
}

function rowsFrom(rows: SheetRows, keep: number): SheetRows {
  return {
    node: rows.node.slice(keep),
    line: rows.line.slice(keep),
    kind: rows.kind.slice(keep),
    marks: rows.marks.slice(keep),
    time: rows.time.slice(keep),
    actor: rows.actor.slice(keep),
    name: rows.name.slice(keep),
    up: rows.up.slice(keep),
    edge: rows.edge.slice(keep),
    joins: rows.joins.slice(keep),
    size: rows.size.slice(keep),
  }
}
