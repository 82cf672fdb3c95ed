/** H13: which sessions have what is searched for, and how often. */
import { groupBy } from '@dagline/core/model'
import type { SearchSort } from '@dagline/core/protocol'
import type { IndexStore, SessionCount } from '../db/index-store.js'
import type { RangeReader } from '../files/ranges.js'
import { createTextReader, type TextReader } from './read.js'
import { type Ask, askFor, canAsk, type Hit, MOST_READ, type SearchOptions, searchTexts } from './search.js'
import { type SearchedInstead, secondTries } from './second-try.js'
import { phrasesOf } from './words.js'

/** How many texts were found, session by session. */
interface FoundSessions {
  readonly sessions: readonly SessionCount[]
  /** False where not all texts were looked at. */
  readonly isComplete: boolean
  readonly replaced: readonly SearchedInstead[]
}

/** H13: counts the texts of each session, the session with the newest first; by rank the one with the most. */
export function searchSessions(index: IndexStore, spans: RangeReader, options: SearchOptions): FoundSessions {
  const ask = askFor(index, options, null)
  if (!canAsk(ask, options)) return { sessions: [], isComplete: true, replaced: [] }
  const texts = createTextReader(spans)
  const countIn = (each: Ask): Omit<FoundSessions, 'replaced'> => {
    const { sessions, isComplete } = countOnce(index, texts, each)
    return { sessions: inOrder(sessions, each.sort), isComplete }
  }
  const first = countIn(ask)
  if (first.sessions.length > 0) return { ...first, replaced: [] }
  for (const { parts, replaced } of secondTries(index, ask.parts)) {
    const second = countIn({ ...ask, parts, isSecond: true })
    if (second.sessions.length > 0) return { ...second, replaced }
  }
  return { ...first, replaced: [] }
}

function countOnce(index: IndexStore, texts: TextReader, ask: Ask): Omit<FoundSessions, 'replaced'> {
  if (!ask.parts.some(({ isLiteral }) => isLiteral))
    return {
      sessions: index.countBySession(phrasesOf(ask.parts, { isWhole: false }), ask.filter),
      isComplete: true,
    }
  const { hits, isComplete } = searchTexts(index, texts, { ...ask, offset: 0, limit: MOST_READ })
  return { sessions: countHits(hits), isComplete }
}

/** The hits of each session, the session with the newest first. */
export function countHits(hits: readonly Hit[]): readonly SessionCount[] {
  const counts = [...groupBy(hits, ({ session }) => session)].map(([session, own]) => ({
    session,
    count: own.length,
    last: own.reduce<number | null>(
      (last, { time }) => (time === null ? last : Math.max(last ?? 0, time)),
      null,
    ),
  }))
  return counts.sort((a, b) => (b.last ?? 0) - (a.last ?? 0))
}

/** Sessions in the order that was asked for. They come with the newest hit first. */
export function inOrder(sessions: readonly SessionCount[], sort: SearchSort): readonly SessionCount[] {
  return sort === 'time' ? sessions : sessions.toSorted((a, b) => b.count - a.count)
}
