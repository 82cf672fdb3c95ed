/**
 * H4, H8: searching: the index gives texts that hold the words; what it cannot know (characters between words, and in
 * `pattern-search.ts` patterns) is looked for in the texts themselves, which are read from their files.
 */
import type { SearchSort } from '@dagline/core/protocol'
import type { FoundText, IndexStore, Phrase, TextFilter } from '../db/index-store.js'
import type { RangeReader } from '../files/ranges.js'
import { createTextReader, type TextReader } from './read.js'
import { type SearchedInstead, secondTries, widenStar } from './second-try.js'
import { snippetOf } from './snippet.js'
import { foldText, type Part, parseQuery, phrasesOf } from './words.js'

export interface SearchOptions {
  readonly text: string
  readonly filter?: TextFilter
  /** How many of the first hits to pass over: those that were given before. */
  readonly offset?: number
  readonly limit?: number
  readonly sort?: SearchSort
  /** Counts all texts that have the words, also where very many do. */
  readonly countAll?: boolean
}

/** A text that was found, with the place in it. */
export interface Hit extends FoundText {
  /** Whether it has all words whole; null in the order of time, where that does not count. */
  readonly isWhole: boolean | null
  readonly snippet: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** What was found by one query. */
export interface Found {
  /** How many texts were found; where `isComplete` is false, there are at least so many. */
  readonly total: number
  /** False where there are more than were looked at. */
  readonly isComplete: boolean
  readonly hits: readonly Hit[]
}

interface SearchResult extends Found {
  /** H10: what was searched for instead, where nothing has the words that were typed. */
  readonly replaced: readonly SearchedInstead[]
}

const LIMIT = 20
/** Texts that are counted unless all are asked for: counting them takes longer than finding the first. */
const MOST_COUNTED = 2000
/** Texts with the words that are read to look for characters or a pattern, before the result is called incomplete. */
export const MOST_READ = 2000
/** The same for words that stand in place of those that were typed: most of the texts that have them are not meant. */
const MOST_READ_AGAIN = 500
/** Texts that are read for a total, even where the wanted hits are found. */
const LEAST_READ = 50

/** What is searched for, with everything decided. */
export interface Ask {
  readonly parts: readonly Part[]
  readonly pattern: RegExp | null
  readonly filter: TextFilter
  readonly offset: number
  readonly limit: number
  readonly sort: SearchSort
  readonly countAll: boolean
  /** Whether the words are in place of others: then none of them is what was typed. */
  readonly isSecond: boolean
}

/** Finds texts, the best first, or the newest. */
export function search(index: IndexStore, spans: RangeReader, options: SearchOptions): SearchResult {
  const ask = askFor(index, options, null)
  if (!canAsk(ask, options)) return { total: 0, isComplete: true, hits: [], replaced: [] }
  const texts = createTextReader(spans)
  const first = searchOnce(index, texts, ask)
  if (first.total > 0) return { ...first, replaced: [] }
  for (const { parts, replaced } of secondTries(index, ask.parts)) {
    const second = searchOnce(index, texts, { ...ask, parts, isSecond: true })
    if (second.total > 0) return { ...second, replaced }
  }
  return { ...first, replaced: [] }
}

function searchOnce(index: IndexStore, texts: TextReader, ask: Ask): Found {
  const isExact = !ask.parts.some(({ isLiteral }) => isLiteral)
  return isExact ? searchWords(index, texts, ask) : searchTexts(index, texts, ask)
}

/** What is searched for, with everything decided. */
export function askFor(index: IndexStore, options: SearchOptions, pattern: RegExp | null): Ask {
  const { text, filter = {}, offset = 0, limit = LIMIT, countAll = false } = options
  const parts = parseQuery(text).map(part => widenStar(index, part))
  // H8: where no words are given, none of the texts fits better than another.
  const sort = options.sort ?? (parts.length === 0 ? 'time' : 'rank')
  return { parts, pattern, filter, offset, limit, sort, countAll, isSecond: false }
}

export function hasWords({ parts }: Ask): boolean {
  return parts.some(({ words }) => words.length > 0)
}

/** H13: without words, filters alone say what is searched for; all texts of all roots are not a question. */
export function canAsk(ask: Ask, { text }: SearchOptions): boolean {
  return text.trim() === '' ? isNarrowed(ask.filter) : hasWords(ask)
}

/** Whether a filter says more than which roots are searched. */
export function isNarrowed({ roots: _, ...filter }: TextFilter): boolean {
  return Object.values(filter).some(value => value !== undefined && value !== false)
}

/** A text that has the words. */
export interface Candidate extends FoundText {
  readonly isWhole: boolean | null
}

function searchWords(index: IndexStore, texts: TextReader, ask: Ask): Found {
  const { parts, offset, limit } = ask
  const { ids, whole, total, isComplete } = findWords(index, ask)
  const found = index.texts(ids.slice(offset, offset + limit))
  const hits = found.map((each, at) => {
    const isWhole = whole === null ? null : offset + at < whole
    return hitOf({ ...each, isWhole }, texts(each, parts) ?? '', ask)
  })
  if (isComplete || !ask.countAll) return { total, isComplete, hits }
  return { total: index.count(phrasesOf(parts, { isWhole: false }), ask.filter), isComplete: true, hits }
}

/** The numbers of texts that have the words, in order. */
interface FoundIds extends Pick<Found, 'total' | 'isComplete'> {
  readonly ids: readonly number[]
  /** How many of them, at the start, have all words whole; null in the order of time. */
  readonly whole: number | null
}

/** The same order as that of `candidates`, and how many there are. */
function findWords(index: IndexStore, { parts, filter, offset, limit, sort, isSecond }: Ask): FoundIds {
  const phrases = phrasesOf(parts, { isWhole: false })
  const most = Math.max(MOST_COUNTED, offset + limit) + 1
  const find = (wanted: readonly Phrase[]): readonly number[] => index.findIds(wanted, filter, most, sort)
  const found = (ids: readonly number[], whole: number | null, total = ids.length): FoundIds => ({
    ids,
    whole,
    total: Math.min(total, most - 1),
    isComplete: total < most,
  })
  if (sort === 'time') return found(find(phrases), null)
  if (isSecond) return found(find(phrases), 0)
  const whole = find(phrasesOf(parts, { isWhole: true }))
  if (!phrases.some(isPartial) || whole.length >= most) return found(whole, whole.length)
  if (whole.length >= offset + limit) return found(whole, whole.length, index.count(phrases, filter, most))
  const known = new Set(whole)
  return found([...whole, ...find(phrases).filter(id => !known.has(id))], whole.length)
}

/** Whether a phrase is more than its words. */
function isPartial({ isPrefix, others }: Phrase): boolean {
  return isPrefix || others !== undefined
}

/** Reads candidates one by one. */
export function searchTexts(index: IndexStore, texts: TextReader, ask: Ask): Found {
  const { parts, offset, limit, isSecond } = ask
  const most = isSecond ? MOST_READ_AGAIN : MOST_READ
  const hits: Hit[] = []
  let [read, total] = [0, 0]
  for (const found of candidates(index, ask, most + 1)) {
    const isEnough = total > offset + limit && read >= LEAST_READ
    if (isEnough || read === most) return { total, isComplete: false, hits }
    read++
    const text = texts(found, parts)
    if (text === null || !hasLiterals(text, parts)) continue
    total++
    if (total > offset && hits.length < limit) hits.push(hitOf(found, text, ask))
  }
  return { total, isComplete: true, hits }
}

/**
 * H8: the texts that have the words: at most `most` of those that have them whole, then of those with parts of them. The
 * second question is not asked where the answers to the first suffice.
 */
export function* candidates(index: IndexStore, ask: Ask, most: number): Generator<Candidate> {
  const { parts, filter, sort, isSecond } = ask
  const phrases = phrasesOf(parts, { isWhole: false })
  if (sort === 'time' || isSecond) {
    const isWhole = isSecond ? false : null
    for (const found of index.find(phrases, filter, most, sort)) yield { ...found, isWhole }
    return
  }
  const whole = index.find(phrasesOf(parts, { isWhole: true }), filter, most, sort)
  for (const found of whole) yield { ...found, isWhole: true }
  if (!phrases.some(isPartial) || whole.length >= most) return
  const known = new Set(whole.map(({ text }) => text))
  for (const found of index.find(phrases, filter, most, sort))
    if (!known.has(found.text)) yield { ...found, isWhole: false }
}

/** H7: without words every text is a candidate. */
export function* unworded(index: IndexStore, { filter, sort }: Ask): Generator<Candidate> {
  for (const found of index.each(filter, sort)) yield { ...found, isWhole: null }
}

/** Whether a text has the parts of a query that are compared character by character. */
export function hasLiterals(text: string, parts: readonly Part[]): boolean {
  const literals = parts.filter(({ isLiteral }) => isLiteral)
  if (literals.length === 0) return true
  const folded = foldText(text)
  return literals.every(literal => folded.includes(literal.text))
}

export function hitOf(found: Candidate, text: string, { parts, pattern }: Ask): Hit {
  const words = parts.flatMap(part => part.marks)
  const { text: snippet, marks } = snippetOf(text, words, pattern)
  return { ...found, snippet, marks }
}
