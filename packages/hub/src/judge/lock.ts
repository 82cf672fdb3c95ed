/** HU16: one judge works on a person at a time. Its lock belongs to the connection that writes, and ends with it. */
import type { SyncConnection } from '../db/sync-connection.js'
import type { Owner } from '../raw/pieces.js'

/** Apart from the locks of pushes, and of roots of the index. */
const JUDGING = 0x20000000

/** Takes the lock of a person, or waits for it. False where it was only tried, and somebody else has it. */
export function lockPersonToJudge(
  connection: SyncConnection,
  { tenant, person }: Owner,
  isTried: boolean,
): boolean {
  const call = isTried ? 'pg_try_advisory_lock' : 'pg_advisory_lock'
  const [row] = connection.query(`SELECT ${call}($1, $2) AS locked`, [JUDGING + tenant, person])
  return row?.['locked'] !== false
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
