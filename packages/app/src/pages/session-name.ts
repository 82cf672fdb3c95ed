/** What sessions are called. */
import type { SessionFact } from '@dagline/store'

/** A name is read at a glance: longer ones are cut. */
const LONGEST = 140

/** The title of a session, or else its first words, on one line; null where it has neither. */
export function sessionName(fact: SessionFact | undefined): string | null {
  const words = (fact?.title ?? fact?.prompt ?? '')
    .slice(0, LONGEST * 4)
    .replace(/\s+/g, ' ')
    .trim()
  if (words === '') return null
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words
}
