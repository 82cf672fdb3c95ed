/** Which archived session a word means. */
import type { SessionId } from '@dagline/core'
import { namedBy } from '../files/labels.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { ambiguousSessions } from '../locate/candidates.js'
import { findSession } from '../locate/session.js'

/** U3: a name or `latest` stands for the id of its session; the archive itself knows ids. */
export function idOf(word: string, host: Host): string {
  if (word === 'latest') return findSession(word, host).id ?? word
  return namedBy(word, host)?.session ?? word
}

/** The id that a word is, or the only one that begins with it; null where there is none. */
export function uniqueId(ids: Iterable<SessionId>, word: string): SessionId | null {
  if (word === '')
    throw new UserError('Give a session id or a unique prefix of one: an empty word names no session.')
  const all = [...new Set(ids)]
  const near = all.some(id => id === word)
    ? all.filter(id => id === word)
    : all.filter(id => id.startsWith(word))
  if (near.length > 1) throw ambiguousSessions(word, near)
  return near[0] ?? null
}

/** The error for a word that names no archived session. */
export function notArchived(word: string): UserError {
  return new UserError(
    `The archive has no session that begins with ${word}. Run \`dagline archive stats\` to see what it holds.`,
  )
}
