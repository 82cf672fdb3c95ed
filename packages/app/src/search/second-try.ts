/** H10: what a second try searched for, in one sentence. */
import { plural } from '@dagline/core/format'
import type { SearchedInstead } from '@dagline/store'

const MOST_NAMED = 5

/** `No entry has "autentication"; searched for "authentication".` Null where nothing was replaced. */
export function secondTryNote(replaced: readonly SearchedInstead[]): string | null {
  const [only, ...more] = replaced
  if (only === undefined) return null
  const missing = more.length === 0 ? `"${only.typed}"` : 'all of these words'
  return `No entry has ${missing}; searched for ${replaced.map(searchedFor).join(', ')}.`
}

function searchedFor({ typed, kind, searched }: SearchedInstead): string {
  const named = namedWords(searched)
  if (kind === 'parts') return `words that contain "${typed}" (${named})`
  if (kind === 'apart') return `the ${searched.length === 1 ? 'word' : 'words'} ${named}`
  return named
}

function namedWords(words: readonly string[]): string {
  const named = words.slice(0, MOST_NAMED).map(word => `"${word}"`)
  const more = words.length - named.length
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${plural(more, 'other word')}`
}
