/**
 * Searching: the index gives texts that hold the words; what it cannot know (signs between words, patterns) is looked
 * for in the texts themselves, which are read from their files.
 */
import { parseRow, textsOf } from '@dagline/core'
import type { FoundText, IndexStore, TextFilter } from '../db/index-store.js'
import type { Spans } from '../files/spans.js'
import { snippetOf } from './snippet.js'
import { foldText, parseQuery, type Query, type QueryOptions } from './words.js'

export interface SearchAsk extends QueryOptions {
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

export interface SearchAnswer {
  /** How many texts hold the words; where they had to be read one by one, how many of those that were. */
  readonly total: number
  /** False where there are more than were looked at. */
  readonly isComplete: boolean
  readonly hits: readonly Hit[]
}

const LIMIT = 20
/** Texts that are read to look for signs or a pattern, before the answer is called incomplete. */
const MOST_READ = 2000
const PAGE = 2000

/** Finds texts, the newest first. */
export function search(index: IndexStore, spans: Spans, ask: SearchAsk): SearchAnswer {
  const query = parseQuery(ask.text, ask)
  if (query.phrases.length === 0 && ask.pattern === undefined) return { total: 0, isComplete: true, hits: [] }
  const isExact = query.literals.length === 0 && ask.pattern === undefined
  return isExact ? searchWords(index, spans, query, ask) : searchTexts(index, spans, query, ask)
}

function searchWords(index: IndexStore, spans: Spans, query: Query, ask: SearchAsk): SearchAnswer {
  const { filter = {}, limit = LIMIT } = ask
  const texts = index.find(query.phrases, filter, limit)
  const hits = texts.map(found => hitOf(found, textFor(spans, found, query) ?? '', query, null))
  const total = texts.length < limit ? texts.length : index.count(query.phrases, filter)
  return { total, isComplete: true, hits }
}

/** Reads candidates one by one. */
function searchTexts(index: IndexStore, spans: Spans, query: Query, ask: SearchAsk): SearchAnswer {
  const { filter = {}, limit = LIMIT, pattern = null } = ask
  const hits: Hit[] = []
  let [read, total] = [0, 0]
  for (const found of candidates(index, query, filter)) {
    read++
    const text = textFor(spans, found, query)
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

/** The text that was found, read from its file; null where the file has changed or gone. */
function textFor(spans: Spans, found: FoundText, query: Query): string | null {
  const row = spans.read(found.root, found.path, found)
  if (row === null) return null
  const texts: string[] = []
  parseRow(
    { row: found.row, offset: found.offset, length: found.length, text: row, whole: true },
    (json, record) => {
      if (found.node !== null && 'id' in record && record.id !== found.node) return
      for (const { field, text } of textsOf(json, record)) if (field === found.field) texts.push(text)
    },
  )
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
