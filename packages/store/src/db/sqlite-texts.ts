/** H5, H8: finding texts in SQLite: first which ones and in which order, then what is known of each. */
import type { SearchSort } from '@dagline/core/protocol'
import type { Database, Row, Value } from './driver.js'
import { FIELDS } from './facts.js'
import {
  type FoundText,
  type IndexStore,
  isUndelivered,
  type KnownLine,
  type Phrase,
  type QueueFact,
  type SessionCount,
  type TextFilter,
  type TextsAround,
} from './index-store.js'
import { HIT_ORDER, TEXT_ORDER } from './rank.js'
import { knownName } from './schema.js'
import { lineStatus } from './sqlite-usage.js'

type Texts = Pick<IndexStore, 'find' | 'findIds' | 'texts' | 'each' | 'count' | 'countBySession' | 'around'>

/** The part of the index that finds texts. */
export function openTexts(db: Database): Texts {
  return {
    find: (phrases, filter, limit, sort = 'time') =>
      readTexts(db, orderedIds(db, asked(db, phrases, filter), sort, limit)),
    findIds: (phrases, filter, limit, sort) => orderedIds(db, asked(db, phrases, filter), sort, limit),
    texts: ids => readTexts(db, ids),
    each: (filter, sort) => eachText(db, filter, sort),
    count: (phrases, filter, most = -1) => countTexts(db, asked(db, phrases, filter), most),
    countBySession: (phrases, filter) => countBySession(db, asked(db, phrases, filter)),
    around: (found, count) => textsAround(db, found, count),
  }
}

export function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ')
}

/** The verdict on a node: the run that it is in. */
function verdictOf(name: string, node: string): string {
  const run = `SELECT max(first) FROM verdict WHERE first <= ${node}`
  return `verdict ${name} ON ${name}.first = (${run}) AND ${name}.last >= ${node}`
}

/** Left joins only: SQLite leaves out those that a question does not look at. */
const JOINS = `LEFT JOIN file f ON f.id = t.file LEFT JOIN ${verdictOf('v', 't.node')} LEFT JOIN line l ON l.id = v.line
  LEFT JOIN node n ON n.id = t.node LEFT JOIN root r ON r.id = f.root`
const CELLS = `t.id, t.file, f.path, r.path AS root, f.project, t.row, n.uuid,
  t.offset, t.length, coalesce(l.session, f.session) AS session,
  t.time, t.field, t.tool, t.failed, f.archived, coalesce(v.live, 0) AS live, coalesce(v.compacted, 0) AS compacted,
  l.name, l.kind, l.status, l.agent, l.agent_name, l.branch, l.branch_status, f.file_group`

/** Texts of a node that is owned by another file are not shown twice, nor queued ones that arrived. */
const COUNTS = `(v.owner IS NULL OR v.owner = v.first) AND (t.field <> ${FIELDS.indexOf('queued')}
  OR EXISTS (SELECT 1 FROM undelivered u WHERE u.file = t.file AND u.row = t.row))`

/** A word that is in very many texts: only so many of them are looked at closely, unless a filter asks for more. */
export const MOST_LOOKED_AT = 2000

function orderedIds(db: Database, ask: Asked, sort: SearchSort, limit: number): readonly number[] {
  const { source, values } = sourceOf(ask, sort, Math.max(MOST_LOOKED_AT, limit))
  const sql = `SELECT t.id FROM ${source} ${JOINS} WHERE ${ask.where} ORDER BY ${HIT_ORDER[sort]} LIMIT ?`
  const rows = db.prepare(sql).all(...values, ...ask.values, limit)
  return rows.map(({ id }) => Number(id))
}

const PAGE = 500

/** Reads in pages: there may be hundreds of thousands. */
function* eachText(db: Database, filter: TextFilter, sort: SearchSort): Generator<FoundText> {
  const ids = orderedIds(db, asked(db, [], filter), sort, Number.MAX_SAFE_INTEGER)
  for (let at = 0; at < ids.length; at += PAGE) yield* readTexts(db, ids.slice(at, at + PAGE))
}

/** What is known of texts, in the order of their ids. */
function readTexts(db: Database, ids: readonly number[]): readonly FoundText[] {
  const sql = `SELECT ${CELLS} FROM text t ${JOINS} WHERE t.id IN (SELECT value FROM json_each(?))`
  const rows = new Map(
    db
      .prepare(sql)
      .all(JSON.stringify(ids))
      .map(row => [Number(row['id']), row]),
  )
  const fates = fatesOf(db, [...rows.values()])
  return ids.flatMap(id => {
    const row = rows.get(id)
    return row === undefined ? [] : [textFrom(row, fates)]
  })
}

function countTexts(db: Database, ask: Asked, most: number): number {
  const { source, values } = sourceOf(ask, null, 0)
  const sql = `SELECT count(*) AS total FROM (SELECT 1 FROM ${source} ${JOINS} WHERE ${ask.where} LIMIT ?)`
  return Number(db.prepare(sql).get(...values, ...ask.values, most)?.['total'] ?? 0)
}

function countBySession(db: Database, ask: Asked): readonly SessionCount[] {
  const { source, values } = sourceOf(ask, null, 0)
  const sql = `SELECT coalesce(l.session, f.session) AS session, count(*) AS total, max(t.time) AS last
    FROM ${source} ${JOINS} WHERE ${ask.where} GROUP BY 1 ORDER BY last DESC, 1`
  return db
    .prepare(sql)
    .all(...values, ...ask.values)
    .map(({ session, total, last }) => ({
      session: textOrNull(session),
      count: Number(total),
      last: last == null ? null : Number(last),
    }))
}

/** What people and Claude say, and what tools are called with and return. */
export const SPOKEN: readonly number[] = (['prompt', 'answer', 'input', 'output'] as const).map(field =>
  FIELDS.indexOf(field),
)

/** H13: the texts of a file stand together, so that few rows are looked at. */
function textsAround(db: Database, { text, file, line, node }: FoundText, most: number): TextsAround {
  const edges = 'SELECT min(first_text) AS first, max(last_text) AS last FROM chunk WHERE file = ?'
  const { first, last } = db.prepare(edges).get(file) ?? {}
  const side = (from: number, to: number, order: 'ASC' | 'DESC'): readonly FoundText[] => {
    const sql = `SELECT t.id FROM text t ${JOINS} WHERE t.id BETWEEN ? AND ? AND t.file = ? AND l.name IS ?
      AND n.uuid IS NOT ? AND t.field IN (${SPOKEN.join(', ')}) ORDER BY t.id ${order} LIMIT ?`
    const rows = db.prepare(sql).all(from, to, file, line?.name ?? null, node, most)
    const ids = rows.map(({ id }) => Number(id))
    return readTexts(db, order === 'ASC' ? ids : ids.toReversed())
  }
  return {
    before: side(Number(first ?? text), text - 1, 'DESC'),
    after: side(text + 1, Number(last ?? text), 'ASC'),
  }
}

/** What is asked for, in the words of SQLite. */
interface Asked {
  readonly match: string | null
  /** Conditions on the row of a text alone: they choose before texts are put in order. */
  readonly early: readonly Condition[]
  readonly where: string
  /** The values of `where`, in their order. */
  readonly values: readonly Value[]
  /** Whether texts are chosen by verdicts, which are looked up for each of them. */
  readonly isJudged: boolean
}

function asked(db: Database, phrases: readonly Phrase[], filter: TextFilter): Asked {
  const match = phrases.length === 0 ? null : phrases.map(matchOf).join(' AND ')
  const early = textConditions(filter, rootCondition(db, filter))
  const late = verdictConditions(filter)
  return {
    match,
    early,
    where: [COUNTS, ...late.map(([sql]) => sql)].join(' AND '),
    values: late.flatMap(([, ...given]) => given),
    isJudged: late.length > 0,
  }
}

interface Source {
  readonly source: string
  readonly values: readonly Value[]
}

/** The texts that match; in an order only the first `most` of them, unless verdicts choose among all. */
function sourceOf({ match, early, isJudged }: Asked, sort: SearchSort | null, most: number): Source {
  const from = match === null ? 'text t' : 'words JOIN text t ON t.id = words.rowid'
  const conditions = match === null ? early : [MATCHES(match), ...early]
  const where = ['1', ...conditions.map(([sql]) => sql)].join(' AND ')
  const isBounded = sort !== null && most < Number.MAX_SAFE_INTEGER && !isJudged
  const bound = isBounded ? `ORDER BY ${TEXT_ORDER[sort]} LIMIT ${most}` : ''
  return {
    source: `(SELECT t.id FROM ${from} WHERE ${where} ${bound}) w JOIN text t ON t.id = w.id`,
    values: conditions.flatMap(([, ...given]) => given),
  }
}

const MATCHES = (match: string): Condition => ['words MATCH ?', match]

/** FTS5 takes a phrase in quotes; what was typed is text and never syntax. */
function matchOf({ words, isPrefix, others = [] }: Phrase): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const phrase = quoted(words.join(' ')) + (isPrefix ? ' *' : '')
  return others.length === 0 ? phrase : `(${[phrase, ...others.map(quoted)].join(' OR ')})`
}

type Condition = readonly [sql: string, ...values: Value[]]

function textConditions(filter: TextFilter, roots: readonly Condition[]): readonly Condition[] {
  const { projects, session, since, until, fields, tool, touching } = filter
  const found = [...roots]
  if (session !== undefined) found.push(fileCondition(session))
  if (touching !== undefined) found.push([TOUCHING, `%${likeText(touching)}`])
  if (projects !== undefined)
    found.push([`t.file IN (SELECT id FROM file WHERE project IN (${marks(projects)}))`, ...projects])
  if (since !== undefined) found.push(['t.time >= ?', since])
  if (until !== undefined) found.push(['t.time < ?', until])
  if (fields !== undefined)
    found.push([`t.field IN (${marks(fields)})`, ...fields.map(field => FIELDS.indexOf(field))])
  if (tool !== undefined) found.push([`t.tool LIKE ? ESCAPE '!'`, likeText(tool)])
  if (filter.failed === true) found.push(['t.failed = 1'])
  if (filter.nodes !== undefined) found.push([NAMED, JSON.stringify(filter.nodes)])
  return found
}

const NAMED = 't.node IN (SELECT id FROM node WHERE uuid IN (SELECT value FROM json_each(?)))'

/** All roots of the index together narrow nothing; looking up the file of each text would cost more than the search. */
function rootCondition(db: Database, { roots }: TextFilter): readonly Condition[] {
  if (roots === undefined) return []
  const others = `SELECT 1 FROM root WHERE id NOT IN (${marks(roots)})`
  if (db.prepare(others).get(...roots) === undefined) return []
  return [[`t.file IN (SELECT id FROM file WHERE root IN (${marks(roots)}))`, ...roots]]
}

function verdictConditions(filter: TextFilter): readonly Condition[] {
  const { session, touched, agent, branch } = filter
  const found: Condition[] = []
  if (session !== undefined) found.push([`coalesce(l.session, f.session) GLOB ?`, `${plain(session)}*`])
  if (touched !== undefined) found.push([TOUCHED, `%${likeText(touched)}`])
  if (agent !== undefined)
    found.push(
      agent === ''
        ? ['l.agent IS NOT NULL']
        : [`(l.agent_name LIKE ? ESCAPE '!' OR l.agent GLOB ?)`, likeText(agent), `${plain(agent)}*`],
    )
  if (branch === 'live') found.push(["(l.branch_status = 'live' OR v.live > 0)"])
  if (branch === 'abandoned') found.push(["(l.branch_status <> 'live')"])
  if (filter.live === true) found.push(['v.live > 0'])
  if (filter.beforeCompaction === true) found.push(['v.compacted > 0'])
  return found
}

/** The files that may hold texts of a session: looking up the verdict on every text would cost more than the search. */
function fileCondition(session: string): Condition {
  const start = `${plain(session)}*`
  const groups = 'SELECT file_group FROM line WHERE session GLOB ?'
  return [
    `t.file IN (SELECT id FROM file WHERE session GLOB ? OR file_group IS NULL OR file_group IN (${groups}))`,
    start,
    start,
  ]
}

const TOUCHED = `coalesce(l.session, f.session) IN (SELECT coalesce(tl.session, tf.session) FROM touched x
  JOIN file tf ON tf.id = x.node >> 26 LEFT JOIN ${verdictOf('tv', 'x.node')} LEFT JOIN line tl ON tl.id = tv.line
  WHERE x.path LIKE ? ESCAPE '!')`

const TOUCHING = `t.field = ${FIELDS.indexOf('input')} AND t.node IN
  (SELECT node FROM touched WHERE path LIKE ? ESCAPE '!')`

/** Escapes the characters that LIKE takes as its own. */
export function likeText(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

function plain(text: string): string {
  return text.replace(/[*?[]/g, '[$&]')
}

/** What became of queued texts, by file and row. */
function fatesOf(db: Database, rows: readonly Row[]): ReadonlyMap<string, string> {
  const find = db.prepare('SELECT queue FROM file_group WHERE id = ?')
  return fatesIn(queuedGroups(rows).map(group => textOrNull(find.get(group)?.['queue'])))
}

/** The groups of the queued texts among some. */
export function queuedGroups(rows: readonly Row[]): readonly number[] {
  const queued = rows.filter(row => FIELDS[Number(row['field'])] === 'queued' && row['file_group'] != null)
  return [...new Set(queued.map(row => Number(row['file_group'])))]
}

/** What became of the steps of some queues, by file and row. */
export function fatesIn(queues: readonly (string | null)[]): ReadonlyMap<string, string> {
  const fates = new Map<string, string>()
  for (const queue of queues) {
    const steps: readonly QueueFact[] = queue === null ? [] : JSON.parse(queue)
    // Of several steps on a damaged row the one that never arrived counts.
    for (const { file, row, became } of steps)
      if (isUndelivered(became) || !fates.has(`${file} ${row}`)) fates.set(`${file} ${row}`, became)
  }
  return fates
}

/** A text from the cells of its row. */
export function textFrom(row: Row, fates: ReadonlyMap<string, string>): FoundText {
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

export function textOrNull(value: Value | undefined): string | null {
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
