/**
 * H10: the words of the index, for queries that no text answers. One text with a line for each word: the word, a tab, and in
 * how many texts it is. It is made from FTS5 when it is first asked for, because a cold sync should not pay for it, and kept in
 * the index; from then on a sync adds the words of new texts as further parts.
 */
import { StoreError } from '../files/failures.js'
import type { Database } from './driver.js'
import type { IndexStore } from './index-store.js'
import { openIndexDatabase } from './schema.js'
import { foldTerm, wordsOf } from './words.js'

/** Parts, and characters of new texts, beyond which the words are counted again instead, when they are next asked for. */
const MOST_PARTS = 500
const MOST_CHARACTERS = 1_000_000
/** Many small parts are joined when the words are next asked for. */
const PARTS_TO_JOIN = 50

/** Milliseconds to wait for another writer: an answer that is not kept is as good. */
const PATIENCE = 200

interface Cached {
  readonly stamp: string
  readonly terms: string
}

/** The part of the index that knows its words. */
export function openVocabulary(db: Database): Pick<IndexStore, 'vocabulary'> {
  let cached: Cached | null = null
  return {
    vocabulary: () => {
      if (cached !== null && cached.stamp === stampOf(db)) return cached.terms
      const parts = partsOf(db)
      const isReady = parts.length > 0 && parts.length < PARTS_TO_JOIN
      const terms = isReady ? joinParts(parts) : keepTerms(db)
      cached = { stamp: stampOf(db), terms }
      return terms
    },
  }
}

/** Differs whenever words were added; where none are kept, once a tenth of all texts is new. */
function stampOf(db: Database): string {
  const last = db.prepare('SELECT max(part) AS last FROM vocabulary').get()?.['last'] ?? null
  if (last !== null) return `part ${last}`
  const texts = Number(db.prepare('SELECT max(id) AS last FROM text').get()?.['last'] ?? 0)
  return `texts ${Math.floor(Math.log(texts + 1) / Math.log(1.1))}`
}

/** Keeps the words by a connection of its own, because this one may only read; where that fails they serve this once. */
function keepTerms(db: Database): string {
  if (db.path === ':memory:') return joinOrCount(db)
  try {
    const writer = openIndexDatabase(db.path, { busyTimeout: PATIENCE })
    try {
      return joinOrCount(writer)
    } finally {
      writer.close()
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const parts = partsOf(db)
    return parts.length > 0 ? joinParts(parts) : countTerms(db)
  }
}

/** In one transaction, so that no sync adds texts between the counting and the keeping. */
function joinOrCount(db: Database): string {
  return db.transact(() => {
    const parts = partsOf(db)
    const terms = parts.length === 0 ? countTerms(db) : joinParts(parts)
    db.exec('DELETE FROM vocabulary')
    db.prepare('INSERT INTO vocabulary (part, terms) SELECT coalesce(max(id), 0), ? FROM text').run(terms)
    return terms
  })
}

function partsOf(db: Database): readonly string[] {
  return db
    .prepare('SELECT terms FROM vocabulary ORDER BY part')
    .all()
    .map(({ terms }) => String(terms))
}

function countTerms(db: Database): string {
  db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.counted USING fts5vocab(main, words, row)')
  let terms = ''
  for (const { term, doc } of db.prepare('SELECT term, doc FROM temp.counted').each())
    terms += `${String(term)}\t${Number(doc)}\n`
  return terms
}

function joinParts(parts: readonly string[]): string {
  const [first = '', ...more] = parts
  if (more.length === 0) return first
  const known = new Set(first.split('\n').map(line => line.slice(0, line.indexOf('\t'))))
  const added = new Set(more.flatMap(part => part.split('\n')).filter(line => line !== ''))
  return (
    first +
    [...added]
      .filter(line => !known.has(line.slice(0, line.indexOf('\t'))))
      .map(line => `${line}\n`)
      .join('')
  )
}

/** Adds the words of new texts, where words are kept; the number of the last one is that of the part. */
export function addTerms(db: Database, last: number, texts: readonly string[]): void {
  const parts = Number(db.prepare('SELECT count(*) AS parts FROM vocabulary').get()?.['parts'] ?? 0)
  if (parts === 0) return
  const size = texts.reduce((sum, { length }) => sum + length, 0)
  if (size > MOST_CHARACTERS || parts > MOST_PARTS) db.exec('DELETE FROM vocabulary')
  else {
    const terms = new Set(texts.flatMap(text => wordsOf(text).map(foldTerm)))
    const part = [...terms].map(term => `${term}\t1\n`).join('')
    db.prepare('INSERT OR REPLACE INTO vocabulary (part, terms) VALUES (?, ?)').run(last, part)
  }
}
