/** HU36, HU37: how long sessions are kept, and holds, which override every other rule. */
import { numberIn, numberOrNull, type Queries, textIn, textOrNull } from '../db/database.js'
import type { PersonId, ProjectId, TenantId } from '../model/index.js'
import type { Person } from './people.js'

/** What a hold is about: all sessions of a person, of a project, or one session. */
interface HoldSubject {
  readonly owner: PersonId | null
  readonly project: ProjectId | null
  readonly session: string | null
}

interface HoldFact extends HoldSubject {
  readonly id: number
  readonly ownerName: string | null
  readonly projectName: string | null
  readonly reason: string
}

/** Keeps what a hold is about from being deleted. Returns its number. */
export async function addHold(
  queries: Queries,
  { tenant, person }: Person,
  { owner, project, session, reason }: HoldSubject & { readonly reason: string },
): Promise<number> {
  const [row = {}] = await queries.query(
    `INSERT INTO access_hold (tenant, owner, project, session, reason, person) VALUES ($1, $2, $3, $4, $5, $6)
     RETURNING id`,
    [tenant, owner, project, session, reason, person],
  )
  return numberIn(row, 'id')
}

/** Ends a hold; false where there is none of that number. */
export async function removeHold(queries: Queries, tenant: TenantId, id: number): Promise<boolean> {
  const rows = await queries.query('DELETE FROM access_hold WHERE tenant = $1 AND id = $2 RETURNING id', [
    tenant,
    id,
  ])
  return rows.length > 0
}

export async function listHolds(queries: Queries, tenant: TenantId): Promise<readonly HoldFact[]> {
  const rows = await queries.query(
    `SELECT hold.*, person.name AS owner_name, project.name AS project_name FROM access_hold hold
     LEFT JOIN access_person person ON person.tenant = hold.tenant AND person.id = hold.owner
     LEFT JOIN raw_project project ON project.tenant = hold.tenant AND project.id = hold.project
     WHERE hold.tenant = $1 ORDER BY hold.id`,
    [tenant],
  )
  return rows.map(row => ({
    id: numberIn(row, 'id'),
    owner: numberOrNull(row, 'owner'),
    project: numberOrNull(row, 'project'),
    session: textOrNull(row, 'session'),
    ownerName: textOrNull(row, 'owner_name'),
    projectName: textOrNull(row, 'project_name'),
    reason: textIn(row, 'reason'),
  }))
}

/** Sets for how many days after its last push a session of a project is kept; null means for ever. */
export async function setRetention(
  queries: Queries,
  {
    tenant,
    project,
    days,
  }: { readonly tenant: TenantId; readonly project: ProjectId; readonly days: number | null },
): Promise<void> {
  await queries.query(
    `INSERT INTO access_policy (tenant, project, days) VALUES ($1, $2, $3)
     ON CONFLICT (tenant, project) DO UPDATE SET days = $3`,
    [tenant, project, days],
  )
}

/** A session of a person, with the files that the hub has of it. */
export interface OwnedSession extends Person {
  readonly session: string
  readonly files: readonly number[]
}

const IS_HELD = `EXISTS (SELECT 1 FROM access_hold hold WHERE hold.tenant = file.tenant
  AND (hold.owner IS NULL OR hold.owner = file.person) AND (hold.project IS NULL OR hold.project = file.project)
  AND (hold.session IS NULL OR hold.session = file.session))`

/** Whether a hold covers any file of a session. */
export async function isHeld(
  queries: Queries,
  { tenant, person }: Person,
  session: string,
): Promise<boolean> {
  const rows = await queries.query(
    `SELECT 1 FROM raw_file file WHERE tenant = $1 AND person = $2 AND session = $3 AND ${IS_HELD} LIMIT 1`,
    [tenant, person, session],
  )
  return rows.length > 0
}

/** The sessions of a person with an id that begins so; an owner of null for all persons of the tenant. */
export async function findSessions(
  queries: Queries,
  { tenant, owner }: { readonly tenant: TenantId; readonly owner: PersonId | null },
  start: string,
): Promise<readonly OwnedSession[]> {
  const rows = await queries.query(
    `SELECT tenant, person, session, array_agg(id ORDER BY id) AS files FROM raw_file
     WHERE tenant = $1 AND ($2::int IS NULL OR person = $2) AND starts_with(session, $3)
     GROUP BY tenant, person, session ORDER BY session, person`,
    [tenant, owner, start],
  )
  return rows.map(sessionIn)
}

/**
 * Sessions whose time is over: none of their files has grown for the days of its project, and no hold covers them. `only`
 * limits the answer to one session. Sessions that were deleted are left out.
 */
export async function expiredSessions(
  queries: Queries,
  now: number,
  only: (Person & { readonly session: string }) | null = null,
): Promise<readonly OwnedSession[]> {
  const rows = await queries.query(
    `SELECT file.tenant, file.person, file.session, array_agg(file.id ORDER BY file.id) AS files
     FROM raw_file file LEFT JOIN access_policy policy ON policy.tenant = file.tenant AND policy.project = file.project
     WHERE file.session IS NOT NULL
       AND ($2::int IS NULL OR file.tenant = $2 AND file.person = $3 AND file.session = $4)
       AND NOT EXISTS (SELECT 1 FROM raw_gone gone
         WHERE gone.tenant = file.tenant AND gone.person = file.person AND gone.session = file.session)
     GROUP BY file.tenant, file.person, file.session
     HAVING bool_and(policy.days IS NOT NULL AND NOT ${IS_HELD} AND NOT EXISTS (
       SELECT 1 FROM raw_version version WHERE version.tenant = file.tenant AND version.file = file.id
         AND version.taken > $1::float8 - policy.days * 86400000::float8))
     ORDER BY file.tenant, file.person, file.session`,
    [now, only?.tenant ?? null, only?.person ?? null, only?.session ?? null],
  )
  return rows.map(sessionIn)
}

/** Sessions that are marked as deleted and still have files, because the deletion was interrupted. Held ones wait. */
export async function unfinishedSessions(queries: Queries): Promise<readonly OwnedSession[]> {
  const rows = await queries.query(
    `SELECT file.tenant, file.person, file.session, array_agg(file.id ORDER BY file.id) AS files
     FROM raw_gone gone JOIN raw_file file
       ON file.tenant = gone.tenant AND file.person = gone.person AND file.session = gone.session
     GROUP BY file.tenant, file.person, file.session HAVING NOT bool_or(${IS_HELD})
     ORDER BY file.tenant, file.person, file.session`,
  )
  return rows.map(sessionIn)
}

function sessionIn(row: Readonly<Record<string, unknown>>): OwnedSession {
  const files = row['files']
  return {
    tenant: numberIn(row, 'tenant'),
    person: numberIn(row, 'person'),
    session: textIn(row, 'session'),
    files: Array.isArray(files) ? files.map(Number) : [],
  }
}

/** HU37: a session that was deleted is not taken again when a machine that still has it pushes. */
export async function markGone(queries: Queries, { tenant, person }: Person, session: string): Promise<void> {
  await queries.query(
    'INSERT INTO raw_gone (tenant, person, session) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [tenant, person, session],
  )
  await queries.query('DELETE FROM access_share WHERE tenant = $1 AND owner = $2 AND session = $3', [
    tenant,
    person,
    session,
  ])
}
