/** H5, H8: finding texts in PostgreSQL: first which ones and in which order, then what is known of each. */
import type { SearchSort } from '@dagline/core/protocol'
import {
  createTokenizer,
  FIELDS,
  type FoundText,
  fatesIn,
  HIT_ORDER,
  type IndexStore,
  likeText,
  MOST_LOOKED_AT,
  type Phrase,
  queuedGroups,
  type Row,
  type SessionCount,
  SPOKEN,
  TEXT_ORDER,
  type TextFilter,
  type TextsAround,
  textFrom,
  textOrNull,
} from '@dagline/store'
import { LEXEME_LENGTH } from '../db/schema-index.js'
import type { Cell } from '../db/sync-connection.js'
import { keepable, keepableId } from './cells.js'
import type { PgSession } from './session.js'
import { countWords } from './vocabulary.js'

type Texts = Pick<
  IndexStore,
  'find' | 'findIds' | 'texts' | 'each' | 'count' | 'countBySession' | 'around' | 'vocabulary'
>

/** How texts are looked up. */
interface TextAccess {
  readonly pg: PgSession
  /** HU5: under row-level security the words are looked up by a function (schema-index.ts). */
  readonly isReader: boolean
}

interface Finder extends TextAccess {
  readonly tokens: (text: string) => string
}

/** The part of the index that finds texts. */
export function openTexts(access: TextAccess): Texts {
  const finder: Finder = { ...access, tokens: createTokenizer() }
  const { pg } = access
  const ids = (
    phrases: readonly Phrase[],
    filter: TextFilter,
    { limit, sort }: { readonly limit: number; readonly sort: SearchSort },
  ): readonly number[] => orderedIds(finder, new Ask(finder, phrases, filter), { limit, sort })
  return {
    find: (phrases, filter, limit, sort = 'time') => readTexts(pg, ids(phrases, filter, { limit, sort })),
    findIds: (phrases, filter, limit, sort) => ids(phrases, filter, { limit, sort }),
    texts: found => readTexts(pg, found),
    each: (filter, sort) => eachText(pg, ids([], filter, { limit: Number.MAX_SAFE_INTEGER, sort })),
    count: (phrases, filter, most = -1) => countTexts(pg, new Ask(finder, phrases, filter), most),
    countBySession: (phrases, filter) => countBySession(pg, new Ask(finder, phrases, filter)),
    around: (found, count) => textsAround(pg, found, count),
    vocabulary: () => countWords(pg),
  }
}

/** The verdict on a node: the run that it is in. */
function verdictOf(name: string, node: string): string {
  return `LATERAL (SELECT * FROM index_verdict WHERE tenant = $1 AND first <= ${node} ORDER BY first DESC LIMIT 1) ${name}
    ON ${name}.last >= ${node}`
}

const JOINS = `LEFT JOIN index_file f ON f.tenant = $1 AND f.id = t.file LEFT JOIN ${verdictOf('v', 't.node')}
  LEFT JOIN index_line l ON l.tenant = $1 AND l.id = v.line`
const CELLS = `t.id, t.file, f.path, r.path AS root, f.project, t.row, n.uuid, t.at AS offset, t.length,
  coalesce(l.session, f.session) AS session, t.time, t.field, t.tool, t.failed, f.archived, coalesce(v.live, 0) AS live,
  coalesce(v.compacted, 0) AS compacted, l.name, l.kind, l.status, l.agent, l.agent_name, l.branch, l.branch_status, f.file_group`
const NAMED = `LEFT JOIN index_node n ON n.tenant = $1 AND n.id = t.node LEFT JOIN index_root r ON r.tenant = $1 AND r.id = f.root`

/** Texts of a node that is owned by another file are not shown twice, nor queued ones that arrived. */
const COUNTS = `(v.owner IS NULL OR v.owner = v.first) AND (t.field <> ${FIELDS.indexOf('queued')} OR EXISTS (
  SELECT 1 FROM index_undelivered u WHERE u.tenant = $1 AND u.file = t.file AND u.row = t.row))`

/** A query as SQL. Values are numbered as they are added. */
class Ask {
  readonly values: Cell[]
  private readonly finder: Finder
  private readonly filter: TextFilter
  /** What the words of a text must match; null where nothing is typed. */
  private readonly words: string | null
  /** Conditions on the row of a text alone: they choose before texts are put in order. */
  private readonly early: readonly string[]
  private readonly late: readonly string[]

  constructor(finder: Finder, phrases: readonly Phrase[], filter: TextFilter) {
    this.finder = finder
    this.filter = filter
    this.values = [finder.pg.tenant]
    const asked = phrases.map(phrase => alternativesOf(finder.tokens, phrase))
    const query = asked.map(each => termsQuery(each, finder.pg.tenant)).join(' & ')
    this.words = phrases.length === 0 ? null : this.value(query)
    this.early = [...asked.flatMap(each => this.patterns(each)), ...this.textConditions()]
    this.late = this.verdictConditions()
  }

  /** Adds a value. Returns its parameter in the statement. */
  value(value: Cell): string {
    this.values.push(typeof value === 'string' ? keepable(value) : value)
    return `$${this.values.length}`
  }

  get where(): string {
    return [COUNTS, ...this.late].join(' AND ')
  }

  /** The texts that match; in an order only the first `most` of them, unless verdicts choose among all. */
  source(sort: SearchSort | null, most: number): string {
    const isBounded = sort !== null && most < Number.MAX_SAFE_INTEGER && this.late.length === 0
    if (this.words !== null && this.finder.isReader)
      return this.matched(this.words, isBounded ? sort : null, most)
    const match = this.words === null ? [] : [`${TERMS} @@ ${this.words}::tsquery`]
    const where = ['t.tenant = $1', ...match, ...this.early, ...this.times()].join(' AND ')
    const bound = isBounded ? `ORDER BY ${TEXT_ORDER[sort]} LIMIT ${most}` : ''
    return `(SELECT t.* FROM index_text t WHERE ${where} ${bound}) t`
  }

  /** The same by a function that may look at the words. */
  private matched(words: string, sort: SearchSort | null, most: number): string {
    const { since, until } = this.filter
    const isAll = sort === null || this.early.length > 0
    const from = since ?? (until === undefined ? '-Infinity' : -Number.MAX_VALUE)
    const order = isAll ? 'none' : sort
    const cells = [words, `${this.value(from)}::float8`, `${this.value(until ?? 'Infinity')}::float8`]
    const match = `index_match(${cells[0]}::tsquery, ${cells[1]}, ${cells[2]}, '${order}', ${isAll ? 'NULL' : most})`
    const where = ['t.tenant = $1', ...this.early].join(' AND ')
    const bound = isAll && sort !== null ? `ORDER BY ${TEXT_ORDER[sort]} LIMIT ${most}` : ''
    return `(SELECT t.* FROM ${match} w(id) JOIN index_text t ON t.id = w.id WHERE ${where} ${bound}) t`
  }

  /** Words one after another, and words longer than a lexeme: compared with all words of the text. */
  private patterns(alternatives: readonly Alternative[]): readonly string[] {
    if (alternatives.every(isExact)) return []
    const patterns = alternatives.map(
      ({ words, isPrefix }) => `t.words LIKE ${this.value(`% ${words.join(' ')}${isPrefix ? '' : ' '}%`)}`,
    )
    return [`(${patterns.join(' OR ')})`]
  }

  private textConditions(): readonly string[] {
    const { projects, session, fields, tool, touching, roots, failed, nodes } = this.filter
    const found: string[] = []
    if (roots !== undefined)
      found.push(
        `t.file IN (SELECT id FROM index_file WHERE tenant = $1 AND root = ANY (${this.value(roots)}::int[]))`,
      )
    if (session !== undefined) found.push(this.fileCondition(session))
    if (touching !== undefined)
      found.push(`t.field = ${FIELDS.indexOf('input')} AND t.node IN (SELECT node FROM index_touched
        WHERE tenant = $1 AND path ILIKE ${this.value(`%${likeText(touching)}`)} ESCAPE '!')`)
    if (projects !== undefined)
      found.push(
        `t.file IN (SELECT id FROM index_file WHERE tenant = $1 AND project = ANY (${this.value(projects.map(keepable))}::text[]))`,
      )
    if (fields !== undefined)
      found.push(`t.field = ANY (${this.value(fields.map(field => FIELDS.indexOf(field)))}::int[])`)
    if (tool !== undefined) found.push(`t.tool ILIKE ${this.value(likeText(tool))} ESCAPE '!'`)
    if (failed === true) found.push('t.failed')
    if (nodes !== undefined)
      found.push(
        `t.node IN (SELECT id FROM index_node WHERE tenant = $1 AND uuid = ANY (${this.value(nodes.map(keepableId))}::text[]))`,
      )
    return found
  }

  /** Texts without a time are in no span of time. */
  private times(): readonly string[] {
    const { since, until } = this.filter
    const found: string[] = []
    if (since !== undefined) found.push(`t.time >= ${this.value(since)}`)
    if (until !== undefined) found.push(`t.time < ${this.value(until)} AND t.time > '-Infinity'`)
    return found
  }

  private verdictConditions(): readonly string[] {
    const { session, touched, agent, branch, live, beforeCompaction } = this.filter
    const found: string[] = []
    if (session !== undefined)
      found.push(`starts_with(coalesce(l.session, f.session), ${this.value(session)})`)
    if (touched !== undefined) found.push(this.touchedCondition(touched))
    if (agent === '') found.push('l.agent IS NOT NULL')
    else if (agent !== undefined)
      found.push(
        `(l.agent_name ILIKE ${this.value(likeText(agent))} ESCAPE '!' OR starts_with(l.agent, ${this.value(agent)}))`,
      )
    if (branch === 'live') found.push("(l.branch_status = 'live' OR v.live > 0)")
    if (branch === 'abandoned') found.push("l.branch_status <> 'live'")
    if (live === true) found.push('v.live > 0')
    if (beforeCompaction === true) found.push('v.compacted > 0')
    return found
  }

  /** The files that may hold texts of a session: looking up the verdict on every text would cost more than the search. */
  private fileCondition(session: string): string {
    const start = this.value(session)
    const groups = `SELECT file_group FROM index_line WHERE tenant = $1 AND starts_with(session, ${start})`
    return `t.file IN (SELECT id FROM index_file WHERE tenant = $1
      AND (starts_with(session, ${start}) OR file_group IS NULL OR file_group IN (${groups})))`
  }

  private touchedCondition(touched: string): string {
    return `coalesce(l.session, f.session) IN (SELECT coalesce(tl.session, tf.session) FROM index_touched x
      JOIN index_file tf ON tf.tenant = $1 AND tf.id = x.node >> 26 LEFT JOIN ${verdictOf('tv', 'x.node')}
      LEFT JOIN index_line tl ON tl.tenant = $1 AND tl.id = tv.line
      WHERE x.tenant = $1 AND x.path ILIKE ${this.value(`%${likeText(touched)}`)} ESCAPE '!')`
  }
}

const TERMS = 'index_terms(t.tenant, t.words, t.long)'

/** Words that stand one after another, as the index has them. */
interface Alternative {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

function alternativesOf(tokens: (text: string) => string, phrase: Phrase): readonly Alternative[] {
  const { words, isPrefix, others = [] } = phrase
  const wordsIn = (text: string): readonly string[] => {
    const found = tokens(text)
    return found === '' ? [] : found.split(' ')
  }
  const typed = { words: wordsIn(words.join(' ')), isPrefix }
  const all = [typed, ...others.map(other => ({ words: wordsIn(other), isPrefix: false }))]
  return all.filter(each => each.words.length > 0)
}

/** One word that is not longer than its lexeme is found by the index alone. */
function isExact({ words }: Alternative): boolean {
  return words.length === 1 && words.every(word => [...word].length < LEXEME_LENGTH)
}

/** A lexeme that no text has: a query without words finds nothing. */
const NOTHING = "'0:'"

function termsQuery(alternatives: readonly Alternative[], tenant: number): string {
  if (alternatives.length === 0) return NOTHING
  const queries = alternatives.map(({ words, isPrefix }) => {
    const terms = words.map((word, at) => {
      const start = [...word].slice(0, LEXEME_LENGTH).join('')
      return `'${tenant}:${start}'${isPrefix && at === words.length - 1 ? ':*' : ''}`
    })
    return `(${terms.join(' & ')})`
  })
  return `(${queries.join(' | ')})`
}

interface Order {
  readonly limit: number
  readonly sort: SearchSort
}

function orderedIds({ pg }: Finder, ask: Ask, { limit, sort }: Order): readonly number[] {
  const source = ask.source(sort, Math.max(MOST_LOOKED_AT, limit))
  const most = limit < Number.MAX_SAFE_INTEGER ? `LIMIT ${limit}` : ''
  const sql = `SELECT t.id FROM ${source} ${JOINS} WHERE ${ask.where} ORDER BY ${HIT_ORDER[sort]} ${most}`
  return pg.read(sql, ask.values).map(({ id }) => Number(id))
}

const PAGE = 500

/** Reads in pages: there may be hundreds of thousands. */
function* eachText(pg: PgSession, ids: readonly number[]): Generator<FoundText> {
  for (let at = 0; at < ids.length; at += PAGE) yield* readTexts(pg, ids.slice(at, at + PAGE))
}

/** What is known of texts, in the order of their ids. */
function readTexts(pg: PgSession, ids: readonly number[]): readonly FoundText[] {
  if (ids.length === 0) return []
  const sql = `SELECT ${CELLS} FROM index_text t ${JOINS} ${NAMED} WHERE t.tenant = $1 AND t.id = ANY ($2)`
  const rows = new Map(pg.read(sql, [pg.tenant, ids]).map(row => [Number(row['id']), row]))
  const fates = fatesOf(pg, [...rows.values()])
  return ids.flatMap(id => {
    const row = rows.get(id)
    return row === undefined ? [] : [textFrom(row, fates)]
  })
}

function fatesOf(pg: PgSession, rows: readonly Row[]): ReadonlyMap<string, string> {
  const groups = queuedGroups(rows)
  if (groups.length === 0) return new Map()
  const queues = pg.read('SELECT queue FROM index_group WHERE tenant = $1 AND id = ANY ($2)', [
    pg.tenant,
    groups,
  ])
  return fatesIn(queues.map(({ queue }) => String(queue)))
}

function countTexts(pg: PgSession, ask: Ask, most: number): number {
  const limit = most < 0 ? '' : `LIMIT ${most}`
  const sql = `SELECT count(*) AS total FROM (SELECT 1 FROM ${ask.source(null, 0)} ${JOINS} WHERE ${ask.where} ${limit}) found`
  return Number(pg.read(sql, ask.values)[0]?.['total'] ?? 0)
}

function countBySession(pg: PgSession, ask: Ask): readonly SessionCount[] {
  const sql = `SELECT coalesce(l.session, f.session) AS session, count(*) AS total, max(t.time) AS last
    FROM ${ask.source(null, 0)} ${JOINS} WHERE ${ask.where} GROUP BY 1 ORDER BY last DESC, 1 NULLS FIRST`
  return pg.read(sql, ask.values).map(({ session, total, last }) => ({
    session: textOrNull(session),
    count: Number(total),
    last: last == null ? null : Number(last),
  }))
}

/** H13: the texts of a file stand together, so that few rows are looked at. */
function textsAround(pg: PgSession, { text, file, line, node }: FoundText, most: number): TextsAround {
  const side = (compare: '<' | '>', order: 'ASC' | 'DESC'): readonly FoundText[] => {
    const sql = `SELECT t.id FROM index_text t ${JOINS} LEFT JOIN index_node n ON n.tenant = $1 AND n.id = t.node
      WHERE t.tenant = $1 AND t.file = $2 AND t.id ${compare} $3 AND l.name IS NOT DISTINCT FROM $4
      AND n.uuid IS DISTINCT FROM $5 AND t.field IN (${SPOKEN.join(', ')}) ORDER BY t.id ${order} LIMIT $6`
    const name = line === null ? null : keepable(line.name)
    const rows = pg.read(sql, [pg.tenant, file, text, name, node === null ? null : keepable(node), most])
    const ids = rows.map(({ id }) => Number(id))
    return readTexts(pg, order === 'ASC' ? ids : ids.toReversed())
  }
  return { before: side('<', 'DESC'), after: side('>', 'ASC') }
}
