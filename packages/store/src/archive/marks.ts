/** K15, K16: what the archive remembers of sessions besides their files: those forgotten, those held, and erasures. */
import { type SessionId, sessionId } from '@dagline/core'
import type { Database } from '../db/driver.js'
import { numberIn, textCell } from './schema.js'

/** A session, and since when it is forgotten or held, in milliseconds since 1970. */
export interface MarkedSession {
  readonly session: SessionId
  readonly since: number
}

type Mark = 'forgotten' | 'held'

/** The sessions with a mark, in order of their ids. */
export function markedSessions(db: Database, mark: Mark): readonly MarkedSession[] {
  const rows = db.prepare('SELECT session, since FROM mark WHERE kind = ? ORDER BY session').all(mark)
  return rows.map(row => ({ session: sessionId(textCell(row, 'session')), since: numberIn(row, 'since') }))
}

/** Marks a session; one that has the mark keeps its time. */
export function markSession(db: Database, mark: Mark, session: string, now: number): void {
  db.prepare('INSERT OR IGNORE INTO mark (kind, session, since) VALUES (?, ?, ?)').run(mark, session, now)
}

/** Takes a mark from a session. */
export function unmarkSession(db: Database, mark: Mark, session: string): void {
  db.prepare('DELETE FROM mark WHERE kind = ? AND session = ?').run(mark, session)
}

/** How often bytes were erased, and whether traces of them may be left in unused pages of the file. */
interface Erasures {
  readonly count: number
  readonly isPending: boolean
}

/** What was erased so far. */
export function erasuresIn(db: Database): Erasures {
  const row = db.prepare('SELECT count, pending FROM erasure').get()
  return { count: numberIn(row, 'count'), isPending: numberIn(row, 'pending') !== 0 }
}

/** Notes an erasure whose traces are still to be removed. */
export function noteErasure(db: Database): void {
  db.prepare('UPDATE erasure SET count = count + 1, pending = 1').run()
}

/**
 * Writes the file anew from what is in use, which ends an erasure. Until then, unused pages may have bytes from the
 * time before: of the last block, for example, which is replaced as it grows. Throws `StoreError`.
 */
export function finishErasure(db: Database): void {
  db.exec('VACUUM')
  db.prepare('UPDATE erasure SET pending = 0').run()
}
