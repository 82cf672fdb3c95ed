/** H7: texts that match a pattern, read and tried in slices between which other work is done. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { IndexStore } from '../db/index-store.js'
import type { RangeReader } from '../files/ranges.js'
import { createMatcher, limited } from './pattern.js'
import { createTextReader, type TextReader } from './read.js'
import {
  type Ask,
  askFor,
  type Candidate,
  candidates,
  type Found,
  type Hit,
  hasLiterals,
  hasWords,
  hitOf,
  MOST_READ,
  type SearchOptions,
  unworded,
} from './search.js'

/** What a pattern is searched with. */
interface PatternOptions extends SearchOptions {
  readonly pattern: RegExp
  readonly signal?: AbortSignal | undefined
}

/** What a pattern has found. */
interface PatternResult extends Found {
  /** Texts that were skipped because the pattern took too long on them. */
  readonly slow: number
  /** After too many of these the rest was not searched. */
  readonly isGivenUp: boolean
}

/** Texts that may take too long before the pattern is given up. */
const MOST_SLOW = 3
/** Milliseconds and texts after which others have their turn. */
const SLICE = 25
const MOST_IN_BATCH = 500

/**
 * Finds texts that match a pattern, in the order of other searches. It ends with the first hit that is not wanted any
 * more, so that a frequent pattern does not read everything. Once the signal is aborted, it returns what it has.
 */
export async function searchPattern(
  index: IndexStore,
  spans: RangeReader,
  { pattern, signal, ...options }: PatternOptions,
): Promise<PatternResult> {
  const ask = askFor(index, options, pattern)
  const { match, canHold } = createMatcher(pattern)
  const { offset, limit } = ask
  // Without words all texts are tried.
  const worded = hasWords(ask) ? [...candidates(index, ask, MOST_READ)] : null
  const tryable = worded?.slice(0, MOST_READ) ?? unworded(index, ask)
  const hits: Hit[] = []
  let [total, slow] = [0, 0]
  const result = (isComplete: boolean): PatternResult => ({
    total,
    isComplete: isComplete && slow === 0,
    hits,
    slow,
    isGivenUp: slow >= MOST_SLOW,
  })
  for (const batch of batches(tryable, createTextReader(spans, canHold), ask)) {
    let rest = batch
    do {
      const { matched, tried, isSlow } = match(rest)
      rest = rest.slice(tried)
      if (isSlow) slow++
      for (const { item, text } of matched) {
        total++
        if (total > offset + limit) return result(false)
        const hit = total > offset ? limited(() => hitOf(item, text, ask)) : null
        if (hit !== null) hits.push(hit)
      }
      if (slow >= MOST_SLOW) return result(false)
      // After a text that took long, others have as long as a slice.
      await (isSlow ? setTimeout(SLICE) : setImmediate())
      if (signal?.aborted === true) return result(false)
    } while (rest.length > 0)
  }
  return result(worded === null || worded.length < MOST_READ)
}

interface Readable {
  readonly item: Candidate
  readonly text: string
}

/** Candidates with their texts, as many as can be read in a slice; an empty batch where none can match. */
function* batches(
  candidates: Iterable<Candidate>,
  texts: TextReader,
  { parts }: Ask,
): Generator<readonly Readable[]> {
  let batch: Readable[] = []
  let start = performance.now()
  for (const item of candidates) {
    const text = texts(item, parts)
    if (text !== null && hasLiterals(text, parts)) batch.push({ item, text })
    if (batch.length < MOST_IN_BATCH && performance.now() - start < SLICE) continue
    yield batch
    batch = []
    start = performance.now()
  }
  yield batch
}
