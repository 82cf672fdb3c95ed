/**
 * HU16, HU17, HU75: the judge brings the index up to date with what was pushed, person by person, so that one version of the core decides
 * for all clients. It locks the person; the lock belongs to the connection that writes, and ends with it.
 */
import { StoreError, type SyncReport, syncRoot } from '@dagline/store'
import { JUDGED } from '../db/listen.js'
import type { SyncConnection } from '../db/sync-connection.js'
import { countNewTables } from '../index/statistics.js'
import { openPgIndex } from '../index/store.js'
import { openJudgedPart, type SidecarCache } from '../raw/archive.js'
import { rootOf } from '../raw/paths.js'
import type { Owner } from '../raw/pieces.js'
import { lockPersonToJudge, tryLockPersonToJudge, unlockPerson } from './lock.js'

/** What was judged of a person. */
export interface Judged extends Owner {
  readonly report: SyncReport
}

/** A judge on a connection. */
interface Judge {
  /** Judges one person with something new; null where there is none, or other judges work on them. */
  readonly next: () => Promise<Judged | null>
  /** Judges one person, whether or not something is new. Waits for other judges of that person. */
  readonly judge: (owner: Owner) => Promise<Judged>
}

/** A judge that uses a connection for nothing else. `onFailure` receives why a person could not be judged. */
export function openJudge(connection: SyncConnection, onFailure?: (failure: Error) => void): Judge {
  /** Persons that could not be judged, and when they are tried again: they do not keep others waiting. */
  const failed = new Map<string, number>()
  const isFailed = ({ tenant, person }: Owner): boolean =>
    (failed.get(`${tenant}:${person}`) ?? 0) > Date.now()
  const noteFailure = ({ tenant, person }: Owner, error: unknown): void => {
    const isOfDatabase = error instanceof StoreError && error.kind !== 'damaged'
    if (onFailure === undefined || isOfDatabase) throw error
    failed.set(`${tenant}:${person}`, Date.now() + WAIT_AFTER_FAILURE)
    const why = error instanceof Error ? error.message : String(error)
    onFailure(new Error(`Person ${person} of team ${tenant} could not be judged: ${why}`))
  }
  const caches = new Map<string, SidecarCache>()
  const work = async (owner: Owner): Promise<Judged> => {
    const key = `${owner.tenant}:${owner.person}`
    const cache = caches.get(key) ?? new Map()
    caches.set(key, cache)
    if (caches.size > MOST_CACHES) caches.delete(caches.keys().next().value ?? '')
    return { ...owner, report: await judgeLocked(connection, owner, cache) }
  }
  return {
    next: async () => {
      for (const owner of waiting(connection, MOST_WAITING + failed.size))
        if (!isFailed(owner) && tryLockPersonToJudge(connection, owner))
          try {
            // Another judge may have done it between the query and the lock.
            if (changesOf(connection, owner) !== null) return await work(owner)
          } catch (error) {
            noteFailure(owner, error)
          } finally {
            unlockPerson(connection, owner)
          }
      return null
    },
    judge: async owner => {
      lockPersonToJudge(connection, owner)
      try {
        return await work(owner)
      } finally {
        unlockPerson(connection, owner)
      }
    },
  }
}

/** Persons whose small files are remembered. */
const MOST_CACHES = 200
/** Persons that are looked at in one go. */
const MOST_WAITING = 100
/** Milliseconds until a person that could not be judged is tried again. */
const WAIT_AFTER_FAILURE = 10 * 60_000

function waiting(connection: SyncConnection, most: number): readonly Owner[] {
  const rows = connection.query(
    'SELECT tenant, person FROM raw_root WHERE changed > judged ORDER BY tenant, person LIMIT $1',
    [most],
  )
  return rows.map(row => ({ tenant: Number(row['tenant']), person: Number(row['person']) }))
}

/** How often the files of a person have changed, where that was not judged yet; else null. */
function changesOf(connection: SyncConnection, { tenant, person }: Owner): number | null {
  const [row] = connection.query(
    'SELECT changed FROM raw_root WHERE tenant = $1 AND person = $2 AND changed > judged',
    [tenant, person],
  )
  return row === undefined ? null : Number(row['changed'])
}

/**
 * A change during this work has a higher number and is judged next. After a crash the number is the earlier one: the next
 * judge finds in the index what was done, and does the rest.
 */
async function judgeLocked(
  connection: SyncConnection,
  owner: Owner,
  cache: SidecarCache,
): Promise<SyncReport> {
  const changed = changesOf(connection, owner)
  const { part, audienceOf, reader } = openJudgedPart(connection, owner, cache)
  const index = openPgIndex(connection, { tenant: owner.tenant, audienceOf })
  try {
    const nothing = { root: rootOf(owner.person), projects: [], diagnostics: [] }
    const report = await syncRoot(index, nothing, { archived: part, reader })
    if (report.rows > 0) countNewTables(connection)
    if (changed !== null) noteJudged(connection, owner, changed)
    return report
  } finally {
    index.close()
  }
}

function noteJudged(connection: SyncConnection, { tenant, person }: Owner, changed: number): void {
  connection.query('UPDATE raw_root SET judged = greatest(judged, $3) WHERE tenant = $1 AND person = $2', [
    tenant,
    person,
    changed,
  ])
  connection.query('SELECT pg_notify($1, $2)', [JUDGED, `${tenant}:${person}`])
}
