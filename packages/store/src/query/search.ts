/**
 * H4, H7: searching: the index gives texts that hold the words; what it cannot know (characters between words, patterns) is looked
 * for in the texts themselves, which are read from their files.
 */

import { parseRow } from '@dagline/core'
import { textsOf } from '@dagline/core/content'
import { type Json, type TranscriptRecord, withCarried } from '@dagline/core/parse'
import type { FoundText, IndexStore, TextFilter } from '../db/index-store.js'
import type { RangeReader } from '../files/ranges.js'
import { snippetOf } from './snippet.js'
import { foldText, parseQuery, type Query, type QueryOptions } from './words.js'

export interface SearchOptions extends QueryOptions {
  readonly text: string
  /** The text must match it, too; without words every text is tried. */
  readonly pattern?: RegExp
  readonly filter?: TextFilter
  readonly limit?: number
}

/** A text that was found, with the place in it. */
export interface Hit extends FoundText {
  readonly snippet: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

interface SearchResult {
  /** How many texts hold the words; where they had to be read one by one, how many of those that were. */
  readonly total: number
  /** False where there are more than were looked at. */
  readonly isComplete: boolean
  readonly hits: readonly Hit[]
}

const LIMIT = 20
/** Texts that are read to look for characters or a pattern, before the result is called incomplete. */
const MOST_READ = 2000
const PAGE = 2000

/** Finds texts, the newest first. */
export function search(index: IndexStore, spans: RangeReader, ask: SearchOptions): SearchResult {
  const query = parseQuery(ask.text, ask)
  if (query.phrases.length === 0 && ask.pattern === undefined) return { total: 0, isComplete: true, hits: [] }
  const isExact = query.literals.length === 0 && ask.pattern === undefined
  const rows = createRowReader(spans)
  return isExact ? searchWords(index, rows, query, ask) : searchTexts(index, rows, query, ask)
}

function searchWords(index: IndexStore, rows: RowReader, query: Query, ask: SearchOptions): SearchResult {
  const { filter = {}, limit = LIMIT } = ask
  const texts = index.find(query.phrases, filter, limit)
  const hits = texts.map(found => hitOf(found, textFor(rows, found, query) ?? '', query, null))
  const total = texts.length < limit ? texts.length : index.count(query.phrases, filter)
  return { total, isComplete: true, hits }
}

/** Reads candidates one by one. */
function searchTexts(index: IndexStore, rows: RowReader, query: Query, ask: SearchOptions): SearchResult {
  const { filter = {}, limit = LIMIT, pattern = null } = ask
  const hits: Hit[] = []
  let [read, total] = [0, 0]
  for (const found of candidates(index, query, filter)) {
    read++
    const text = textFor(rows, found, query)
    if (text === null || !holds(text, query, pattern)) continue
    total++
    if (hits.length < limit) hits.push(hitOf(found, text, query, pattern))
  }
  return { total, isComplete: query.phrases.length === 0 || read < MOST_READ, hits }
}

/** The newest texts that hold the words; without words all texts, page by page. */
function* candidates(index: IndexStore, { phrases }: Query, filter: TextFilter): Generator<FoundText> {
  if (phrases.length > 0) yield* index.find(phrases, filter, MOST_READ)
  else {
    let page = index.find([], filter, PAGE)
    while (page.length > 0) {
      yield* page
      const last = page.at(-1)
      page = last === undefined ? [] : index.find([], { ...filter, below: last.text }, PAGE)
    }
  }
}

function holds(text: string, { literals }: Query, pattern: RegExp | null): boolean {
  // Unlike a test, a search leaves the pattern at its beginning: the marks are looked for with it.
  if (pattern !== null && text.search(pattern) < 0) return false
  if (literals.length === 0) return true
  const folded = foldText(text)
  return literals.every(literal => folded.includes(literal))
}

/** A record that was read again. */
interface Seen {
  readonly json: Json
  readonly record: TranscriptRecord
}

/** The records of the row that a text was found on; none where the file has changed or gone. */
type RowReader = (found: FoundText) => readonly Seen[]

/** The last row with several records is kept: it may hold many of the texts that were found. */
function createRowReader(spans: RangeReader): RowReader {
  let kept: { readonly at: FoundText; readonly seen: readonly Seen[] } | null = null
  return at => {
    const isKept = kept?.at.offset === at.offset && kept.at.path === at.path && kept.at.root === at.root
    if (kept !== null && isKept) return kept.seen
    const seen = readRow(spans, at)
    kept = seen.length > 1 ? { at, seen } : null
    return seen
  }
}

function readRow(spans: RangeReader, { root, path, row, offset, length }: FoundText): readonly Seen[] {
  const text = spans.read(root, path, { offset, length })
  const seen: Seen[] = []
  const see = withCarried((json, record) => seen.push({ json, record }))
  if (text !== null) parseRow({ row, offset, length, text, whole: true }, see)
  return seen
}

/** The text that was found, read from its file; null where the file has changed or gone. */
function textFor(rows: RowReader, found: FoundText, query: Query): string | null {
  const texts: string[] = []
  for (const { json, record } of rows(found)) {
    if (found.node !== null && 'id' in record && record.id !== found.node) continue
    for (const { field, text } of textsOf(json, record)) if (field === found.field) texts.push(text)
  }
  // A row with several results has several texts of one kind.
  const isIt = (text: string): boolean => {
    const folded = foldText(text)
    return query.parts.every(part => folded.includes(part))
  }
  return (texts.length > 1 ? texts.find(isIt) : undefined) ?? texts[0] ?? null
}

function hitOf(found: FoundText, text: string, query: Query, pattern: RegExp | null): Hit {
  const { text: snippet, marks } = snippetOf(text, query.parts, pattern)
  return { ...found, snippet, marks }
}
