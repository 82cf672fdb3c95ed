/** U4: what a word could mean, so that the user can choose: with times and titles. */

import { cleanLine } from '@dagline/core/content'
import { dayAndTime } from '@dagline/core/format'
import { withEllipsis } from '@dagline/core/model'
import { openIndex, type SessionFact, StoreError } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import { usualIndex } from '../index/path.js'
import { ambiguous } from '../text/ambiguous.js'

/** The error for a word that begins the ids of several sessions. */
export function ambiguousSessions(word: string, ids: readonly string[]): UserError {
  const facts = knownFacts()
  const describe = (id: string): string => {
    const fact = facts.get(id)
    return fact === undefined ? '' : described(fact.last, fact.title ?? fact.prompt ?? '')
  }
  return new UserError(ambiguous(word, ids, 'sessions', describe), 'ambiguous')
}

/** What is known of a candidate, in brackets. */
export function described(time: number | null, text: string): string {
  const short = withEllipsis(cleanLine(text), LONGEST)
  return ` (${[time === null ? '' : dayAndTime(time), short].filter(part => part !== '').join(', ')})`
}

const LONGEST = 40

/** What the index knows by now; it is only looked at, since a message should not wait for it. */
function knownFacts(): ReadonlyMap<string, SessionFact> {
  try {
    const index = openIndex(usualIndex(), { readOnly: true })
    try {
      return new Map(index.sessions().map(fact => [fact.session, fact]))
    } finally {
      index.close()
    }
  } catch (error) {
    if (error instanceof StoreError) return new Map()
    throw error
  }
}
