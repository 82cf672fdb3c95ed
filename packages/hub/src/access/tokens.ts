/**
 * HU33: tokens of devices, and logins of browsers. The database holds hashes only: a token is shown once, when it is made. Both
 * are random numbers of 256 bits, so that a plain hash is enough.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { bytesIn, numberIn, type Queries, type Row, textIn, timeIn, timeOrNull } from '../db/database.js'
import type { Caller, Role, Scope, TenantId } from '../model/index.js'
import { type Person, type PersonFact, personIn } from './people.js'

/** A device as its person and admins see it. */
interface DeviceFact {
  readonly device: number
  readonly person: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly made: number
  readonly expires: number
  readonly seen: number | null
  readonly isRevoked: boolean
}

export const SCOPES: readonly Scope[] = ['push', 'read', 'admin']

/** The scopes that tokens of a role can have. With an auditor's token, reading shows figures only. */
const OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  reader: ['read'],
  member: ['push', 'read'],
  auditor: ['read'],
  admin: ['push', 'read', 'admin'],
}

interface NewDevice {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly days: number
}

/** Begins every token, so that scanners for secrets find one. */
const PREFIX = 'dglhub'

/** Makes the token of a new device, which nobody can ask for again. */
export async function makeToken(
  queries: Queries,
  { tenant, person }: Person,
  { name, scopes, days }: NewDevice,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const [row = {}] = await queries.query(
    `INSERT INTO access_device (tenant, person, name, hash, scopes, expires)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(days => $6)) RETURNING id`,
    [tenant, person, name, hashOf(secret), scopes, days],
  )
  return `${PREFIX}_${numberIn(row, 'id')}_${secret}`
}

/** The caller with a token; null for a token that is forged, expired or revoked, or whose person is disabled. */
export async function callerOfToken(queries: Queries, token: string): Promise<Caller | null> {
  const [, id, secret] = /^dglhub_(\d{1,9})_([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || secret === undefined) return null
  const [row] = await queries.query(
    `SELECT person.*, device.id AS device, device.hash, device.scopes
     FROM access_device device JOIN access_person person ON person.tenant = device.tenant AND person.id = device.person
     WHERE device.id = $1 AND device.revoked IS NULL AND device.expires > now() AND person.disabled IS NULL`,
    [Number(id)],
  )
  // The same work for an unknown device.
  const kept = row === undefined ? hashOf('') : bytesIn(row, 'hash')
  const isSame = timingSafeEqual(kept, hashOf(secret))
  if (row === undefined || !isSame) return null
  const device = numberIn(row, 'device')
  await queries.query(
    `UPDATE access_device SET seen = now() WHERE id = $1 AND (seen IS NULL OR seen < now() - interval '1 minute')`,
    [device],
  )
  return callerOf(personIn(row), device, scopesIn(row))
}

/** Makes the secret of a login cookie, valid for some hours. A login by the token of a device ends with that token. */
export async function startLogin(
  queries: Queries,
  { tenant, person }: Person,
  { device, hours }: { readonly device: number | null; readonly hours: number },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await queries.query('DELETE FROM access_login WHERE tenant = $1 AND expires < now()', [tenant])
  await queries.query(
    `INSERT INTO access_login (tenant, hash, person, device, expires)
     VALUES ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
    [tenant, hashOf(secret), person, device, hours],
  )
  return secret
}

/** The caller with a login cookie; null where it is not valid, or has expired. */
export async function callerOfLogin(queries: Queries, secret: string): Promise<Caller | null> {
  const [row] = await queries.query(
    `SELECT person.*, device.id AS device, device.scopes FROM access_login login
     JOIN access_person person ON person.tenant = login.tenant AND person.id = login.person
     LEFT JOIN access_device device ON device.tenant = login.tenant AND device.id = login.device
     WHERE login.hash = $1 AND login.expires > now() AND person.disabled IS NULL
       AND (login.device IS NULL OR device.revoked IS NULL AND device.expires > now())`,
    [hashOf(secret)],
  )
  if (row === undefined) return null
  // The page neither pushes nor administers, whatever its person may do elsewhere, and reads only what its token may.
  const whole = callerOf(personIn(row), null, row['device'] === null ? SCOPES : scopesIn(row))
  return { ...whole, scopes: new Set([...whole.scopes].filter(scope => scope === 'read')) }
}

/** Ends a login. */
export async function endLogin(queries: Queries, secret: string): Promise<void> {
  await queries.query('DELETE FROM access_login WHERE hash = $1', [hashOf(secret)])
}

/** The devices of a tenant, or of one person of it, the newest first. */
export async function listDevices(
  queries: Queries,
  tenant: TenantId,
  person: number | null,
): Promise<readonly DeviceFact[]> {
  const rows = await queries.query(
    `SELECT device.id, person.name AS person, device.name, device.scopes, device.made, device.expires, device.seen,
       device.revoked
     FROM access_device device JOIN access_person person ON person.tenant = device.tenant AND person.id = device.person
     WHERE device.tenant = $1 AND ($2::int IS NULL OR device.person = $2) ORDER BY device.id DESC`,
    [tenant, person],
  )
  return rows.map(row => ({
    device: numberIn(row, 'id'),
    person: textIn(row, 'person'),
    name: textIn(row, 'name'),
    scopes: scopesIn(row),
    made: timeIn(row, 'made'),
    expires: timeIn(row, 'expires'),
    seen: timeOrNull(row, 'seen'),
    isRevoked: row['revoked'] !== null,
  }))
}

/** Revokes a token, and the logins that were made with it. Returns whether the tenant (or the person) has the device. */
export async function revokeDevice(
  queries: Queries,
  { tenant, person }: { readonly tenant: TenantId; readonly person: number | null },
  device: number,
): Promise<boolean> {
  const rows = await queries.query(
    `UPDATE access_device SET revoked = coalesce(revoked, now())
     WHERE tenant = $1 AND id = $2 AND ($3::int IS NULL OR person = $3) RETURNING id`,
    [tenant, device, person],
  )
  return rows.length > 0
}

function callerOf(person: PersonFact, device: number | null, scopes: readonly Scope[]): Caller {
  const possible = new Set(scopes.filter(scope => OF_ROLE[person.role].includes(scope)))
  return {
    tenant: person.tenant,
    person: person.person,
    name: person.name,
    role: person.role,
    scopes: possible,
    mayShare: possible.has('push') || possible.has('admin'),
    device,
  }
}

function scopesIn(row: Row): readonly Scope[] {
  const named = row['scopes']
  return Array.isArray(named) ? SCOPES.filter(scope => named.includes(scope)) : []
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
