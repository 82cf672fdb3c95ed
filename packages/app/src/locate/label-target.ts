/** What is to be named: a REF or SESSION on the command line to the session, line or entry that it means. */
import type { Line } from '@dagline/core'
import type { Labelled } from '@dagline/store'
import { namedBy } from '../files/labels.js'
import { refuseUnread } from '../graphs/unread.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { ambiguousSessions } from './candidates.js'
import { type FoundNode, isEntryForm, lineForm, openRef } from './ref.js'
import { isSessionWord, openSession, sessionIds } from './session.js'

/** What the uuid of the first entry of a branch or subagent means: the whole line, or the entry. */
type FirstEntry = 'line' | 'entry'

/** Finds what a word means. */
export function findLabelled(word: string, host: Host, first: FirstEntry = 'line'): Labelled {
  if (word === '') throw new UserError('The REF is empty. Give a SESSION, a branch or a uuid.')
  const named = namedBy(word, host)
  if (named !== null) return named
  if (isEntryForm(word) || lineForm(word, host) !== null) return labelledNode(openRef(word, host), first)
  return isSession(word, host) ? labelledSession(word, host) : labelledEntry(word, host, first)
}

/** Whether a word means a session by its form, or begins the id of exactly one. */
export function isSession(word: string, host: Host): boolean {
  if (isSessionWord(word)) return true
  const near = sessionIds(host).filter(id => id.startsWith(word))
  if (near.length > 1 && !near.some(id => id === word)) throw ambiguousSessions(word, near)
  return near.length > 0
}

function labelledSession(word: string, host: Host): Labelled {
  const { loaded, session, line } = openSession(word, host)
  // A transcript that could not be read may be the latest one.
  if (word === 'latest') refuseUnread(host, loaded)
  if (line !== null) return labelledLine(line)
  return { kind: 'session', id: session.id, session: session.id }
}

/** An entry; else a session that only the archive or the rows of other files know. */
function labelledEntry(word: string, host: Host, first: FirstEntry): Labelled {
  try {
    return labelledNode(openRef(word, host), first)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    try {
      return labelledSession(word, host)
    } catch {
      throw error
    }
  }
}

function labelledNode({ loaded: { graph }, node, line: named }: FoundNode, first: FirstEntry): Labelled {
  const line = graph.lineOf(node)
  if (named !== null) return labelledLine(named)
  const isHead = line !== null && line.head !== null && graph.id(line.head) === graph.id(node)
  if (first === 'line' && isHead && line.kind !== 'trunk') return labelledLine(line)
  return { kind: 'entry', id: graph.id(node), session: line?.domain.session ?? graph.node(node).session }
}

function labelledLine(line: Line): Labelled {
  const kind = line.kind === 'agent' ? 'agent' : 'branch'
  return { kind, id: line.id, session: line.domain.session }
}
