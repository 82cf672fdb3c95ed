/** HU16: one judge works on a person at a time. Its lock belongs to the connection that writes, and ends with it. */
import type { SyncConnection } from '../db/sync-connection.js'
import type { Owner } from '../raw/pieces.js'

/** Apart from the locks of pushes, and of roots of the index. */
const JUDGING = 0x20000000

/** Takes the lock of a person, after waiting for whoever has it. */
export function lockPersonToJudge(connection: SyncConnection, { tenant, person }: Owner): void {
  connection.query('SELECT pg_advisory_lock($1, $2)', [JUDGING + tenant, person])
}

/** Takes the lock of a person; false where somebody else has it. */
export function tryLockPersonToJudge(connection: SyncConnection, { tenant, person }: Owner): boolean {
  const lock = [JUDGING + tenant, person]
  const [row] = connection.query('SELECT pg_try_advisory_lock($1, $2) AS locked', lock)
  return row?.['locked'] === true
}

/** Gives the lock back. A connection that is gone has no locks any more. */
export function unlockPerson(connection: SyncConnection, { tenant, person }: Owner): void {
  connection.rollback()
  try {
    connection.query('SELECT pg_advisory_unlock($1, $2)', [JUDGING + tenant, person])
  } catch {
    // The next question says that it is gone.
  }
}
