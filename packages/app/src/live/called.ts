/** HU50: what a word of a command means among pushed files: a session, by all that names it or a part of it. */
import type { KnownFile } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import type { IndexedSession, LiveIndex } from '../index/live-index.js'
import { agentWord } from '../locate/agent-word.js'
import { ambiguous } from '../text/ambiguous.js'

/** The session that has an entry. Throws `UserError` where none has, or more than one. */
type OfEntry = (uuid: string) => IndexedSession

/**
 * The sessions that a word means: `latest`, an id or a beginning of one, `SESSION@uuid`, `SESSION#agent-id`, `SESSION:uuid`, or
 * a branch, subagent or entry alone. All are of one id; none where nothing is called so.
 */
export function sessionsCalled(
  word: string,
  live: Pick<LiveIndex, 'sessions' | 'find' | 'groupsWith'>,
  ofEntry: OfEntry,
): readonly IndexedSession[] {
  if (word === '') return []
  if (word === 'latest') return live.find(live.sessions().find(({ isIdle }) => !isIdle)?.session ?? '')
  const [, session = ''] = /^(.+?)(?:#.*|@[^@/\\]+|:[^:/\\]*)$/s.exec(word) ?? []
  const found = ofOneId(word, live.find(session === '' ? word : session))
  if (found.length > 0 || session !== '') return found
  const agents = ofAgent(word, live)
  if (agents.length > 0) return agents
  const uuid = word.replace(/^@/, '')
  return /^[0-9a-f][0-9a-f-]{3,}$/i.test(uuid) ? unlessNoEntry(() => ofEntry(uuid)) : []
}

function unlessNoEntry(find: () => IndexedSession): readonly IndexedSession[] {
  try {
    return [find()]
  } catch (error) {
    if (error instanceof UserError && error.code === 'no-entry') return []
    throw error
  }
}

function ofOneId(word: string, sessions: readonly IndexedSession[]): readonly IndexedSession[] {
  const ids = [...new Set(sessions.map(({ fact }) => fact.session))]
  if (ids.length > 1) throw new UserError(ambiguous(word, ids, 'sessions'), 'ambiguous')
  return sessions
}

function ofAgent(word: string, { groupsWith }: Pick<LiveIndex, 'groupsWith'>): readonly IndexedSession[] {
  const named = agentWord(word)
  if (named === null) return []
  const isMeant = ({ facts: { agent } }: KnownFile): boolean => agent !== null && named.matches(agent)
  const found = groupsWith(isMeant)
  const files = found.flatMap(group => group.files.filter(isMeant))
  const agents = [...new Set(files.flatMap(({ facts: { agent } }) => agent ?? []))]
  if (agents.length > 1) throw new UserError(ambiguous(word, agents, 'subagents'), 'ambiguous')
  return found
}
