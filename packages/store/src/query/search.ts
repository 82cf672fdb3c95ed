/**
 * H4, H7, H8: searching: the index gives texts that hold the words; what it cannot know (characters between words,
 * patterns) is looked for in the texts themselves, which are read from their files.
 */
import type { SearchSort } from '@dagline/core/protocol'
import type { FoundText, IndexStore, TextFilter } from '../db/index-store.js'
import type { RangeReader } from '../files/ranges.js'
import { createTextReader, type TextReader } from './read.js'
import { snippetOf } from './snippet.js'
import { foldText, type Part, parseQuery, phrasesOf } from './words.js'

export interface SearchOptions {
  readonly text: string
  /** The text must match it, too; without words every text is tried. */
  readonly pattern?: RegExp
  readonly filter?: TextFilter
  /** How many of the first hits to pass over: those that were given before. */
  readonly offset?: number
  readonly limit?: number
  readonly sort?: SearchSort
}

/** A text that was found, with the place in it. */
export interface Hit extends FoundText {
  /** Whether it has all words whole; null in the order of time, where that does not count. */
  readonly isWhole: boolean | null
  readonly snippet: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

interface SearchResult {
  /** How many texts were found; where `isComplete` is false, there are at least so many. */
  readonly total: number
  /** False where there are more than were looked at. */
  readonly isComplete: boolean
  readonly hits: readonly Hit[]
}

const LIMIT = 20
/** Texts that are counted before the total is called incomplete: counting them all takes longer than finding the first. */
const MOST_COUNTED = 10_000
/** Texts that are read to look for characters or a pattern, before the result is called incomplete. */
const MOST_READ = 2000
/** Texts that are read for a total, even where the wanted hits are found. */
const LEAST_READ = 100

/** What is searched for, with everything decided. */
interface Ask {
  readonly parts: readonly Part[]
  readonly pattern: RegExp | null
  readonly filter: TextFilter
  readonly offset: number
  readonly limit: number
  readonly sort: SearchSort
}

/** Finds texts, the best first, or the newest. */
export function search(index: IndexStore, spans: RangeReader, options: SearchOptions): SearchResult {
  const { text, pattern = null, filter = {}, offset = 0, limit = LIMIT, sort = 'rank' } = options
  const ask: Ask = { parts: parseQuery(text), pattern, filter, offset, limit, sort }
  if (!hasWords(ask) && pattern === null) return { total: 0, isComplete: true, hits: [] }
  const texts = createTextReader(spans)
  const isExact = pattern === null && !ask.parts.some(({ isLiteral }) => isLiteral)
  return isExact ? searchWords(index, texts, ask) : searchTexts(index, texts, ask)
}

function hasWords({ parts }: Ask): boolean {
  return parts.some(({ words }) => words.length > 0)
}

/** A text that has the words. */
interface Candidate extends FoundText {
  readonly isWhole: boolean | null
}

function searchWords(index: IndexStore, texts: TextReader, ask: Ask): SearchResult {
  const { parts, filter, offset, limit } = ask
  const found = [...candidates(index, ask, offset + limit)].slice(0, offset + limit)
  const hits = found.slice(offset).map(each => hitOf(each, texts(each, parts) ?? '', ask))
  if (found.length < offset + limit) return { total: found.length, isComplete: true, hits }
  const counted = index.count(phrasesOf(parts, { isWhole: false }), filter, MOST_COUNTED + 1)
  return { total: Math.min(counted, MOST_COUNTED), isComplete: counted <= MOST_COUNTED, hits }
}

/** Reads candidates one by one. */
function searchTexts(index: IndexStore, texts: TextReader, ask: Ask): SearchResult {
  const { parts, pattern, offset, limit } = ask
  const hits: Hit[] = []
  let [read, total] = [0, 0]
  for (const found of hasWords(ask) ? candidates(index, ask, MOST_READ) : unworded(index, ask)) {
    const isEnough = pattern === null && total > offset + limit && read >= LEAST_READ
    if (isEnough || (hasWords(ask) && read === MOST_READ)) return { total, isComplete: false, hits }
    read++
    const text = texts(found, parts)
    if (text === null || !holds(text, parts, pattern)) continue
    total++
    if (total > offset && hits.length < limit) hits.push(hitOf(found, text, ask))
  }
  return { total, isComplete: true, hits }
}

/**
 * H8: the texts that have the words: at most `most` of those that have them whole, then of those with parts of them. The
 * second question is not asked where the answers to the first suffice.
 */
function* candidates(index: IndexStore, { parts, filter, sort }: Ask, most: number): Generator<Candidate> {
  const phrases = phrasesOf(parts, { isWhole: false })
  const isPartial = phrases.some(({ isPrefix }) => isPrefix)
  if (sort === 'time') {
    for (const found of index.find(phrases, filter, most, sort)) yield { ...found, isWhole: null }
    return
  }
  const whole = index.find(phrasesOf(parts, { isWhole: true }), filter, most, sort)
  for (const found of whole) yield { ...found, isWhole: true }
  if (!isPartial || whole.length >= most) return
  const known = new Set(whole.map(({ text }) => text))
  for (const found of index.find(phrases, filter, most, sort))
    if (!known.has(found.text)) yield { ...found, isWhole: false }
}

/** H7: without words every text is a candidate. */
function* unworded(index: IndexStore, { filter, sort }: Ask): Generator<Candidate> {
  for (const found of index.each(filter, sort)) yield { ...found, isWhole: null }
}

function holds(text: string, parts: readonly Part[], pattern: RegExp | null): boolean {
  // Unlike a test, a search leaves the pattern at its beginning: the marks are looked for with it.
  if (pattern !== null && text.search(pattern) < 0) return false
  const literals = parts.filter(({ isLiteral }) => isLiteral)
  if (literals.length === 0) return true
  const folded = foldText(text)
  return literals.every(literal => folded.includes(literal.text))
}

function hitOf(found: Candidate, text: string, { parts, pattern }: Ask): Hit {
  const texts = parts.map(part => part.text)
  const { text: snippet, marks } = snippetOf(text, texts, pattern)
  return { ...found, snippet, marks }
}
