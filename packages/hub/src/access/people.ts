/** HU31: tenants, and the persons of each. */
import { numberIn, type Queries, type Row, textIn, textOrNull } from '../db/database.js'
import type { PersonId, Role, TenantId } from '../model/index.js'

/** A person of a tenant. */
export interface Person {
  readonly tenant: TenantId
  readonly person: PersonId
}

/** A person as an admin sees one. */
export interface PersonFact extends Person {
  readonly name: string
  readonly role: Role
  /** The identity at the provider of logins; null where the person has not logged in there. */
  readonly subject: string | null
  readonly isDisabled: boolean
}

export const ROLES: readonly Role[] = ['reader', 'member', 'auditor', 'admin']

const COLUMNS = 'tenant, id, name, role, subject, disabled'

/** The number of a tenant; it is made where there is none of that name. */
export async function findOrAddTenant(queries: Queries, name: string): Promise<TenantId> {
  await queries.query('INSERT INTO access_tenant (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [name])
  const [row = {}] = await queries.query('SELECT id FROM access_tenant WHERE name = $1', [name])
  return numberIn(row, 'id')
}

/** Adds a person, or gives one that is known the role. */
export async function setPerson(
  queries: Queries,
  { tenant, name, role }: { readonly tenant: TenantId; readonly name: string; readonly role: Role },
): Promise<PersonFact> {
  const [row = {}] = await queries.query(
    `INSERT INTO access_person (tenant, name, role) VALUES ($1, $2, $3)
     ON CONFLICT (tenant, name) DO UPDATE SET role = $3, disabled = NULL RETURNING ${COLUMNS}`,
    [tenant, name, role],
  )
  return personIn(row)
}

/** A person by name; null where the tenant has none. */
export async function findPerson(
  queries: Queries,
  tenant: TenantId,
  name: string,
): Promise<PersonFact | null> {
  const rows = await queries.query(`SELECT ${COLUMNS} FROM access_person WHERE tenant = $1 AND name = $2`, [
    tenant,
    name,
  ])
  return rows[0] === undefined ? null : personIn(rows[0])
}

/** The person that pushes straight to the database; a member where it is new. */
export async function findOrAddPerson(queries: Queries, tenantName: string, name: string): Promise<Person> {
  const tenant = await findOrAddTenant(queries, tenantName)
  const known = await findPerson(queries, tenant, name)
  const { person } = known ?? (await setPerson(queries, { tenant, name, role: 'member' }))
  return { tenant, person }
}

/** All persons of a tenant, by name. */
export async function listPersons(queries: Queries, tenant: TenantId): Promise<readonly PersonFact[]> {
  const rows = await queries.query(`SELECT ${COLUMNS} FROM access_person WHERE tenant = $1 ORDER BY name`, [
    tenant,
  ])
  return rows.map(personIn)
}

/** Disables a person: tokens, logins and shares of others no longer count. What the person pushed stays. */
export async function disablePerson(queries: Queries, { tenant, person }: Person): Promise<void> {
  const values = [tenant, person]
  await queries.query('UPDATE access_person SET disabled = now() WHERE tenant = $1 AND id = $2', values)
  await queries.query('DELETE FROM access_login WHERE tenant = $1 AND person = $2', values)
  // Who comes back gets new tokens: an old one may be on a machine that was given back or lost.
  await queries.query(
    'UPDATE access_device SET revoked = now() WHERE tenant = $1 AND person = $2 AND revoked IS NULL',
    values,
  )
}

/** Who somebody is at the provider of logins. */
interface Identity {
  readonly subject: string
  /** A confirmed address. */
  readonly email: string | null
}

/**
 * The person of an identity at the provider of logins. At the first login it is the one person whose name is the confirmed
 * address and who has no identity yet; null where there is none, or more than one.
 */
export async function personOfIdentity(
  queries: Queries,
  { subject, email }: Identity,
): Promise<PersonFact | null> {
  const [known] = await queries.query(
    `SELECT ${COLUMNS} FROM access_person WHERE subject = $1 AND disabled IS NULL`,
    [subject],
  )
  if (known !== undefined) return personIn(known)
  const rows = await queries.query(
    `UPDATE access_person person SET subject = $1
     WHERE name = $2 AND subject IS NULL AND disabled IS NULL
       AND (SELECT count(*) FROM access_person WHERE name = $2) = 1
       AND NOT EXISTS (SELECT 1 FROM access_person WHERE subject = $1)
     RETURNING ${COLUMNS}`,
    [subject, email],
  )
  return rows[0] === undefined ? null : personIn(rows[0])
}

export function personIn(row: Row): PersonFact {
  return {
    tenant: numberIn(row, 'tenant'),
    person: numberIn(row, 'id'),
    name: textIn(row, 'name'),
    role: roleIn(row),
    subject: textOrNull(row, 'subject'),
    isDisabled: row['disabled'] !== null,
  }
}

function roleIn(row: Row): Role {
  const role = ROLES.find(each => each === row['role'])
  if (role === undefined) throw new TypeError('role is not known')
  return role
}
