/** HU35: the record of who read a session of another person, and who shared, held or deleted what. Its rows never change. */
import { numberIn, numberOrNull, type Queries, textIn, textOrNull, timeIn } from '../db/database.js'
import type { Caller, PersonId, TenantId } from '../model/index.js'

/** What is noted. */
type AuditAction =
  | 'read'
  | 'search'
  | 'export'
  | 'fetch'
  | 'share'
  | 'unshare'
  | 'delete'
  | 'hold'
  | 'unhold'
  | 'policy'
  | 'person'
  | 'token'
  | 'revoke'

interface AuditNote {
  readonly action: AuditAction
  readonly owner?: PersonId | null
  readonly session?: string | null
  readonly detail?: string | null
}

/** Who did it: a caller, a command that runs on the database (person 0), or the policy of a project. */
export type Actor = Pick<Caller, 'tenant' | 'person' | 'device'>

/** The person that stands for the policies of projects in the record. */
export const POLICY: PersonId = -1

/** Notes what an actor did, in one statement. */
export async function noteAudit(queries: Queries, actor: Actor, notes: readonly AuditNote[]): Promise<void> {
  if (notes.length === 0) return
  await queries.query(
    `INSERT INTO access_audit (tenant, person, device, action, owner, session, detail)
     SELECT $1, $2, $3, action, owner, session, detail
     FROM unnest($4::text[], $5::int[], $6::text[], $7::text[]) AS note (action, owner, session, detail)`,
    [
      actor.tenant,
      actor.person,
      actor.device,
      notes.map(({ action }) => action),
      notes.map(({ owner }) => owner ?? null),
      notes.map(({ session }) => session ?? null),
      notes.map(({ detail }) => detail ?? null),
    ],
  )
}

/** A row of the record. */
export interface HubAuditRow {
  readonly at: number
  readonly person: string
  readonly device: number | null
  readonly action: string
  readonly owner: string | null
  readonly session: string | null
  readonly detail: string | null
}

/** The last rows of a tenant, the newest first; of sessions whose id begins so where that is given. */
export async function listAudit(
  queries: Queries,
  tenant: TenantId,
  { session = null, limit }: { readonly session?: string | null; readonly limit: number },
): Promise<readonly HubAuditRow[]> {
  const rows = await queries.query(
    `SELECT audit.*, person.name AS name, owner.name AS owner_name FROM access_audit audit
     LEFT JOIN access_person person ON person.tenant = audit.tenant AND person.id = audit.person
     LEFT JOIN access_person owner ON owner.tenant = audit.tenant AND owner.id = audit.owner
     WHERE audit.tenant = $1 AND ($2::text IS NULL OR starts_with(audit.session, $2)) ORDER BY audit.id DESC LIMIT $3`,
    [tenant, session, limit],
  )
  return rows.map(row => ({
    at: timeIn(row, 'at'),
    person: textOrNull(row, 'name') ?? nameOf(numberIn(row, 'person')),
    device: numberOrNull(row, 'device'),
    action: textIn(row, 'action'),
    owner: textOrNull(row, 'owner_name'),
    session: textOrNull(row, 'session'),
    detail: textOrNull(row, 'detail'),
  }))
}

function nameOf(person: PersonId): string {
  return person === POLICY ? 'policy' : String(person)
}
