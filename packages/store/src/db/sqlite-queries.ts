/** H5: what is asked of the index in SQLite. */
import type { Database, Row, Value } from './driver.js'
import { FIELDS } from './facts.js'
import {
  type FoundText,
  type IndexStore,
  isUndelivered,
  type KnownLine,
  type Phrase,
  type QueueFact,
  type TextFilter,
} from './index-store.js'
import { knownName } from './schema.js'
import { lineStatus, readMessages, readUsage } from './sqlite-usage.js'

type Queries = Pick<
  IndexStore,
  'find' | 'count' | 'sessions' | 'usage' | 'messages' | 'diagnostics' | 'entries'
>

/** The part of the index that answers. */
export function openQueries(db: Database): Queries {
  return {
    find: (phrases, filter, limit) => findTexts(db, phrases, filter, limit),
    count: (phrases, filter) => countTexts(db, phrases, filter),
    sessions: roots =>
      db
        .prepare(`SELECT figures FROM session ${inRoots(roots)} ORDER BY last DESC`)
        .all(...(roots ?? []))
        .map(({ figures }) => JSON.parse(String(figures))),
    usage: roots => readUsage(db, roots),
    messages: files => readMessages(db, files),
    entries: start =>
      db
        .prepare(ENTRIES)
        .all(start, `${start}\uffff`)
        .map(row => ({
          uuid: String(row['uuid']),
          session: textOrNull(row['session']),
          isArchived: row['archived'] === 1,
        })),

    diagnostics: roots =>
      db
        .prepare(
          `SELECT diagnostics FROM file_group ${roots === undefined ? '' : `WHERE root IN (${marks(roots)})`}`,
        )
        .all(...(roots ?? []))
        .flatMap(({ diagnostics }) => JSON.parse(String(diagnostics))),
  }
}

const ENTRIES = `SELECT n.uuid, f.session, f.archived FROM node n JOIN file f ON f.id = n.id >> 26
  WHERE n.uuid >= ? AND n.uuid < ? LIMIT 100`

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ')
}

function inRoots(roots: readonly number[] | undefined): string {
  return roots === undefined
    ? ''
    : `WHERE file_group IN (SELECT id FROM file_group WHERE root IN (${marks(roots)}))`
}

/** The verdict on a node: the run that it is in. */
function verdictOf(name: string, node: string): string {
  const run = `SELECT max(first) FROM verdict WHERE first <= ${node}`
  return `verdict ${name} ON ${name}.first = (${run}) AND ${name}.last >= ${node}`
}

const JOINS = `JOIN file f ON f.id = t.file LEFT JOIN ${verdictOf('v', 't.node')} LEFT JOIN line l ON l.id = v.line
  LEFT JOIN node n ON n.id = t.node LEFT JOIN root r ON r.id = f.root`
const CELLS = `t.id, t.file, f.path, r.path AS root, f.project, t.row, n.uuid,
  t.offset, t.length, coalesce(l.session, f.session) AS session,
  t.time, t.field, t.tool, t.failed, f.archived, coalesce(v.live, 0) AS live, coalesce(v.compacted, 0) AS compacted,
  l.name, l.kind, l.status, l.agent, l.agent_name, l.branch, l.branch_status, f.file_group`

/** Texts of a node that is owned by another file are not shown twice, nor queued ones that arrived. */
const COUNTS = `(v.owner IS NULL OR v.owner = v.first) AND (t.field <> ${FIELDS.indexOf('queued')}
  OR EXISTS (SELECT 1 FROM undelivered u WHERE u.file = t.file AND u.row = t.row))`

/** A word that is in very many texts: only the newest of them are looked at, unless a filter asks for more. */
const MOST_LOOKED_AT = 2000

function findTexts(
  db: Database,
  phrases: readonly Phrase[],
  filter: TextFilter,
  limit: number,
): readonly FoundText[] {
  const { match, where, values, isFiltered } = asked(phrases, filter)
  const source = match === null ? 'text t' : matching(isFiltered ? null : Math.max(MOST_LOOKED_AT, limit))
  const order = match === null ? 't.id DESC' : 't.time DESC, t.id DESC'
  const sql = `SELECT ${CELLS} FROM ${source} ${JOINS} WHERE ${where} ORDER BY ${order} LIMIT ?`
  const rows = db.prepare(sql).all(...values, limit)
  const fates = fatesOf(db, rows)
  return rows.map(row => textFrom(row, fates))
}

function countTexts(db: Database, phrases: readonly Phrase[], filter: TextFilter): number {
  const { match, where, values } = asked(phrases, filter)
  const source = match === null ? 'text t' : matching(null)
  const sql = `SELECT count(*) AS total FROM ${source} ${JOINS} WHERE ${where}`
  return Number(db.prepare(sql).get(...values)?.['total'] ?? 0)
}

/** What is asked for, in the words of SQLite. */
interface Asked {
  readonly match: string | null
  readonly where: string
  /** For the marks of both, in their order. */
  readonly values: readonly Value[]
  readonly isFiltered: boolean
}

function asked(phrases: readonly Phrase[], filter: TextFilter): Asked {
  const match = phrases.length === 0 ? null : phrases.map(matchOf).join(' AND ')
  const conditions = conditionsOf(filter)
  return {
    match,
    where: [COUNTS, ...conditions.map(([sql]) => sql)].join(' AND '),
    values: [...(match === null ? [] : [match]), ...conditions.flatMap(([, ...given]) => given)],
    isFiltered: conditions.length > 0,
  }
}

/** The texts that match: all of them where a filter is to choose, else the newest. */
function matching(most: number | null): string {
  if (most === null) return '(SELECT rowid AS id FROM words WHERE words MATCH ?) w JOIN text t ON t.id = w.id'
  const newest = `SELECT o.id FROM words JOIN text o ON o.id = words.rowid WHERE words MATCH ?
    ORDER BY o.time DESC, o.id DESC LIMIT ${most}`
  return `(${newest}) w JOIN text t ON t.id = w.id`
}

/** FTS5 takes a phrase in quotes; what was typed is text and never syntax. */
function matchOf({ words, isPrefix }: Phrase): string {
  return `"${words.join(' ').replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`
}

type Condition = readonly [sql: string, ...values: Value[]]

function conditionsOf(filter: TextFilter): readonly Condition[] {
  const { roots, project, session, since, until, fields, tool, touched, agent, branch } = filter
  const found: Condition[] = []
  if (roots !== undefined) found.push([`f.root IN (${marks(roots)})`, ...roots])
  if (project !== undefined) found.push(projectCondition(project))
  if (session !== undefined) found.push([`coalesce(l.session, f.session) GLOB ?`, `${plain(session)}*`])
  if (since !== undefined) found.push(['t.time >= ?', since])
  if (until !== undefined) found.push(['t.time < ?', until])
  if (fields !== undefined)
    found.push([`t.field IN (${marks(fields)})`, ...fields.map(field => FIELDS.indexOf(field))])
  if (tool !== undefined) found.push([`t.tool LIKE ? ESCAPE '!'`, likeText(tool)])
  if (touched !== undefined) found.push([TOUCHED, `%${likeText(touched)}`])
  if (agent !== undefined)
    found.push(
      agent === ''
        ? ['l.agent IS NOT NULL']
        : [`(l.agent_name LIKE ? ESCAPE '!' OR l.agent GLOB ?)`, likeText(agent), `${plain(agent)}*`],
    )
  if (branch === 'live') found.push(["(l.branch_status = 'live' OR v.live > 0)"])
  if (branch === 'abandoned') found.push(["(l.branch_status <> 'live')"])
  if (filter.beforeCompaction === true) found.push(['v.compacted > 0'])
  if (filter.below !== undefined) found.push(['t.id < ?', filter.below])
  if (filter.failed === true) found.push(['t.failed = 1'])
  return found
}

function projectCondition(project: string): Condition {
  const part = `%${likeText(project)}%`
  const folders = "SELECT file_group FROM session WHERE json_extract(figures, '$.cwd') LIKE ? ESCAPE '!'"
  return [`(f.project LIKE ? ESCAPE '!' OR f.file_group IN (${folders}))`, part, part]
}

const TOUCHED = `coalesce(l.session, f.session) IN (SELECT coalesce(tl.session, tf.session) FROM touched x
  JOIN file tf ON tf.id = x.node >> 26 LEFT JOIN ${verdictOf('tv', 'x.node')} LEFT JOIN line tl ON tl.id = tv.line
  WHERE x.path LIKE ? ESCAPE '!')`

/** Escapes the characters that LIKE takes as its own. */
function likeText(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

function plain(text: string): string {
  return text.replace(/[*?[]/g, '[$&]')
}

/** What became of queued texts, by file and row. */
function fatesOf(db: Database, rows: readonly Row[]): ReadonlyMap<string, string> {
  const groups = new Set(
    rows.filter(row => FIELDS[Number(row['field'])] === 'queued').map(row => row['file_group'] ?? null),
  )
  const fates = new Map<string, string>()
  for (const group of groups) {
    const queue = db.prepare('SELECT queue FROM file_group WHERE id = ?').get(group)?.['queue']
    const steps: readonly QueueFact[] = queue == null ? [] : JSON.parse(String(queue))
    // Of several steps on a damaged row the one that never arrived counts.
    for (const { file, row, became } of steps)
      if (isUndelivered(became) || !fates.has(`${file} ${row}`)) fates.set(`${file} ${row}`, became)
  }
  return fates
}

function textFrom(row: Row, fates: ReadonlyMap<string, string>): FoundText {
  const field = knownName(FIELDS, FIELDS[Number(row['field'])])
  return {
    text: Number(row['id']),
    file: Number(row['file']),
    path: String(row['path']),
    root: String(row['root']),
    project: String(row['project']),
    row: Number(row['row']),
    offset: Number(row['offset']),
    length: Number(row['length']),
    node: textOrNull(row['uuid']),
    session: textOrNull(row['session']),
    time: row['time'] == null ? null : Number(row['time']),
    field,
    tool: textOrNull(row['tool']),
    failed: row['failed'] === 1,
    isArchived: row['archived'] === 1,
    live: row['live'] !== 0,
    compacted: Number(row['compacted']),
    line: lineFrom(row),
    became: field === 'queued' ? (fates.get(`${row['file']} ${row['row']}`) ?? 'unknown') : null,
  }
}

function textOrNull(value: Value | undefined): string | null {
  return value == null ? null : String(value)
}

const KINDS: readonly KnownLine['kind'][] = ['trunk', 'branch', 'agent']

function lineFrom(row: Row): KnownLine | null {
  if (row['name'] == null) return null
  return {
    name: String(row['name']),
    kind: knownName(KINDS, row['kind']),
    status: lineStatus(row['status']),
    session: String(row['session']),
    agent: textOrNull(row['agent']),
    agentName: textOrNull(row['agent_name']),
    branch: String(row['branch']),
    branchStatus: lineStatus(row['branch_status']),
  }
}
