/** HU36, HU42: what a hub does once a day: it removes sessions whose time is over, and finishes what was interrupted. */
import { POLICY } from '../access/audit.js'
import { expiredSessions, unfinishedSessions } from '../access/keeping.js'
import { numberIn, type Queries } from '../db/database.js'
import { sweepUnused } from '../raw/remove.js'
import { type Remover, removeSession } from './removal.js'

/** What was done. */
interface Upkeep {
  /** Sessions whose time was over. */
  readonly expired: number
  /** Sessions whose deletion had been interrupted. */
  readonly finished: number
  /** Bytes of pushes that were never finished. */
  readonly bytes: number
}

/** Does the daily work, as of a time. Other processes may do the same at once; the next run finishes what is interrupted. */
export async function keepUp(remover: Remover, now: number): Promise<Upkeep> {
  const { database } = remover
  let [finished, expired, bytes] = [0, 0, 0]
  for (const found of await unfinishedSessions(database))
    if ((await removeSession(remover, found, { by: null })) === 'removed') finished++
  for (const found of await expiredSessions(database, now)) {
    const by = { tenant: found.tenant, person: POLICY, device: null, detail: 'retention of its project' }
    // It may have been pushed to, or deleted, since it was listed.
    const isDue = async (queries: Queries): Promise<boolean> =>
      (await expiredSessions(queries, now, found)).length > 0
    if ((await removeSession(remover, found, { by, isDue })) === 'removed') expired++
  }
  for (const row of await database.query('SELECT tenant, person FROM raw_root ORDER BY tenant, person'))
    bytes += await sweepUnused(database, { tenant: numberIn(row, 'tenant'), person: numberIn(row, 'person') })
  return { expired, finished, bytes }
}
