/**
 * H10, HU76: the words of the texts that a person may see. Counting them takes a second for 40,000 texts, and each query that nothing
 * answers asks for them. So they are kept in memory, and the words of new texts are added, until files are gone or hidden.
 */
import type { SyncConnection } from '../db/sync-connection.js'
import type { PgSession } from './session.js'

/** The newest texts, whose words are the vocabulary: a team has more than can be counted for a typing mistake. */
const COUNTED = 50_000
/** More new texts than these are counted with all others. */
const MOST_NEW = 5000
/** Texts are numbered in blocks of 1,000 for each writer: one that began earlier may end later. */
const OVERLAP = 2000
/** Characters of words that stay in memory, for all persons of a connection. */
const MOST_CHARACTERS = 32 * 1024 * 1024

interface Vocabulary {
  readonly terms: string
  /** Which files it was counted for. */
  readonly files: Files
  /** The last text whose words are in it. */
  readonly last: number
  /** Texts that were added since it was counted. */
  readonly added: number
}

/** Files that a person sees: how many, the sum of their numbers, and the largest number. */
interface Files {
  readonly count: number
  readonly sum: number
  readonly last: number
}

/** The vocabularies of the persons who ask on a connection, the one that was asked for last at the end. */
const kept = new WeakMap<SyncConnection, Map<string, Vocabulary>>()

/** The vocabulary of a reader. `connection` serves other persons in between. */
export function keptVocabulary(pg: PgSession, connection: SyncConnection, person: number): string {
  const known = kept.get(connection) ?? new Map<string, Vocabulary>()
  kept.set(connection, known)
  const key = `${pg.tenant} ${person}`
  const before = known.get(key)
  const now = (before === undefined ? null : grown(pg, before)) ?? counted(pg)
  known.delete(key)
  known.set(key, now)
  dropOldest(known)
  return now.terms
}

function dropOldest(known: Map<string, Vocabulary>): void {
  let characters = [...known.values()].reduce((sum, { terms }) => sum + terms.length, 0)
  for (const [key, { terms }] of known) {
    if (characters <= MOST_CHARACTERS || known.size === 1) return
    known.delete(key)
    characters -= terms.length
  }
}

/** What is known is read before the words: a file that is hidden in between is noticed the next time. */
function counted(pg: PgSession): Vocabulary {
  const files = filesUpTo(pg, null)
  const last = lastText(pg)
  return { terms: countWords(pg), files, last, added: 0 }
}

/** The same with the words of new texts. Null where files are gone or hidden, or too much is new. */
function grown(pg: PgSession, before: Vocabulary): Vocabulary | null {
  const then = filesUpTo(pg, before.files.last)
  if (then.count !== before.files.count || then.sum !== before.files.sum) return null
  const newer = pg.read('SELECT id FROM index_file WHERE tenant = $1 AND id > $2', [pg.tenant, then.last])
  const last = lastText(pg)
  if (last === before.last && newer.length === 0) return before
  // A new file may be an old one of somebody else, with texts that were there before the last one.
  const sql = `SELECT id, words FROM index_text WHERE tenant = $1 AND (id > $2 OR file = ANY ($3)) AND words <> '' LIMIT $4`
  const fresh = newer.map(({ id }) => Number(id))
  const rows = pg.read(sql, [pg.tenant, before.last - OVERLAP, fresh, OVERLAP + MOST_NEW])
  const added = before.added + rows.filter(({ id }) => Number(id) > before.last).length
  if (added >= MOST_NEW || rows.length === OVERLAP + MOST_NEW) return null
  const terms = newTerms(
    before.terms,
    rows.map(({ words }) => String(words)),
  )
  const files = {
    count: then.count + fresh.length,
    sum: fresh.reduce((sum, id) => sum + id, then.sum),
    last: Math.max(then.last, ...fresh),
  }
  return { terms: before.terms + terms, files, last, added }
}

/** Words that are new have a count of 1; those of others stay as they were counted. */
function newTerms(terms: string, texts: readonly string[]): string {
  const words = new Set(texts.flatMap(text => text.trim().split(' ')))
  for (const line of terms.split('\n')) words.delete(line.slice(0, line.indexOf('\t')))
  return [...words].map(word => `${word}\t1\n`).join('')
}

function filesUpTo(pg: PgSession, last: number | null): Files {
  const sql = `SELECT count(*) AS count, coalesce(sum(id), 0) AS sum, coalesce(max(id), 0) AS last FROM index_file
    WHERE tenant = $1 AND ($2::bigint IS NULL OR id <= $2)`
  const [row] = pg.read(sql, [pg.tenant, last])
  return { count: Number(row?.['count']), sum: Number(row?.['sum']), last: Number(row?.['last']) }
}

function lastText(pg: PgSession): number {
  const sql = 'SELECT id FROM index_text WHERE tenant = $1 ORDER BY id DESC LIMIT 1'
  return Number(pg.read(sql, [pg.tenant])[0]?.['id'] ?? 0)
}

/** The words of the newest texts, and in how many each is. */
export function countWords(pg: PgSession): string {
  const sql = `SELECT string_agg(word || E'\\t' || total, E'\\n') || E'\\n' AS terms FROM (
    SELECT word, count(*) AS total FROM (
      SELECT words FROM index_text WHERE tenant = $1 AND words <> '' ORDER BY time DESC, id DESC LIMIT ${COUNTED}
    ) newest, LATERAL (SELECT DISTINCT unnest(string_to_array(btrim(words), ' ')) AS word) each GROUP BY word) counted`
  return String(pg.read(sql, [pg.tenant])[0]?.['terms'] ?? '')
}
