/**
 * H8: the order of hits, in one place: as SQL for the index, in words that SQLite and PostgreSQL share, and as a comparison for hits
 * of several sources.
 *
 * Texts with all words whole come before texts with parts of words, because a person who typed a whole word means it. Then
 * what is live, because an abandoned branch was given up; then what was said, because outputs repeat words by the
 * thousand; then the newest. Each step decides only where the steps before it are equal, so that the order can be
 * explained in one sentence.
 */
import type { SearchSort } from '@dagline/core/protocol'
import { FIELDS } from './facts.js'
import type { FoundText } from './index-store.js'

/** `FIELDS` has what was said first, then what Claude thought and called, then all others. */
const FIRST_WORK = FIELDS.indexOf('thinking')
const FIRST_OUTPUT = FIELDS.indexOf('output')

/** The order of texts before anything is known of them but their own row. */
export const TEXT_ORDER: Readonly<Record<SearchSort, string>> = {
  rank: `CASE WHEN t.field >= ${FIRST_OUTPUT} THEN 2 WHEN t.field >= ${FIRST_WORK} THEN 1 ELSE 0 END, t.time DESC, t.id DESC`,
  time: 't.time DESC, t.id DESC',
}

const ABANDONED = "(coalesce(v.live, 0) = 0 AND coalesce(l.branch_status, 'live') <> 'live')"

/** The order of texts with their verdicts. */
export const HIT_ORDER: Readonly<Record<SearchSort, string>> = {
  rank: `${ABANDONED}, ${TEXT_ORDER.rank}`,
  time: TEXT_ORDER.time,
}

type Ranked = Pick<FoundText, 'live' | 'line' | 'field' | 'time' | 'text'>

/** Compares texts of which all have the words whole, or none. */
export function compareTexts(a: Ranked, b: Ranked, sort: SearchSort): number {
  const byRank = sort === 'time' ? 0 : abandoned(a) - abandoned(b) || kindOf(a) - kindOf(b)
  // Texts without a time come last; the difference of two of them is not a number.
  const byTime = (b.time ?? Number.NEGATIVE_INFINITY) - (a.time ?? Number.NEGATIVE_INFINITY)
  return byRank || byTime || b.text - a.text
}

function abandoned({ live, line }: Ranked): number {
  return Number(!live && line !== null && line.branchStatus !== 'live')
}

function kindOf({ field }: Ranked): number {
  const at = FIELDS.indexOf(field)
  return Number(at >= FIRST_WORK) + Number(at >= FIRST_OUTPUT)
}
