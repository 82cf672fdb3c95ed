/** HU41: what persons and admins change on a hub, for the routes and for commands straight on the database. */
import { groupBy } from '@dagline/core/model'
import * as z from 'zod'
import { type MovedFile, NOBODY, shareProject, shareSession } from '../access/audiences.js'
import { listAudit, noteAudit } from '../access/audit.js'
import {
  addHold,
  findSessions,
  listHolds,
  type OwnedSession,
  removeHold,
  setRetention,
} from '../access/keeping.js'
import { disablePerson, findPerson, listPersons, ROLES, setPerson } from '../access/people.js'
import { listDevices, makeToken, revokeDevice, SCOPES } from '../access/tokens.js'
import { type HubDatabase, numberIn, type Queries, textIn } from '../db/database.js'
import { type DroppedFiles, type MovedFiles, removeSession } from '../judge/removal.js'
import type { Caller } from '../model/index.js'
import { markChanged } from '../raw/commit.js'

/** PostgreSQL takes neither NUL nor half of a surrogate pair. */
const isText = (text: string): boolean => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text)
const name = z.string().trim().min(1).max(200).refine(isText)
const session = z.string().min(1).max(200).refine(isText)

/** A change or a question, as it crosses the wire. */
const SCHEMA = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('share'),
    session,
    everyone: z.boolean().default(false),
    persons: z.array(name).max(200).default([]),
  }),
  z.object({ kind: z.literal('unshare'), session }),
  z.object({
    kind: z.literal('policy'),
    project: name,
    everyone: z.boolean().optional(),
    days: z.number().int().min(1).max(36_500).nullable().optional(),
  }),
  z.object({
    kind: z.literal('hold'),
    session: session.nullable().default(null),
    person: name.nullable().default(null),
    project: name.nullable().default(null),
    reason: name,
  }),
  z.object({ kind: z.literal('unhold'), id: z.number().int() }),
  z.object({ kind: z.literal('holds') }),
  z.object({ kind: z.literal('delete'), session }),
  z.object({ kind: z.literal('person'), name, role: z.enum(ROLES) }),
  z.object({ kind: z.literal('disable'), name }),
  z.object({ kind: z.literal('persons') }),
  z.object({
    kind: z.literal('token'),
    device: name,
    scopes: z.array(z.enum(SCOPES)).min(1),
    days: z.number().int().min(1).max(3660),
    person: name.nullable().default(null),
  }),
  z.object({ kind: z.literal('revoke'), device: z.number().int() }),
  z.object({ kind: z.literal('devices') }),
  z.object({
    kind: z.literal('audit'),
    session: session.nullable().default(null),
    limit: z.number().int().min(1).max(10_000).default(100),
  }),
])

type Operation = z.infer<typeof SCHEMA>

/**
 * HU62: what a login of the page may do beside reading: share and hide sessions of its person. All else needs the token of a
 * device.
 */
export function isOfPage(operation: unknown): boolean {
  const read = SCHEMA.safeParse(operation)
  return read.success && (read.data.kind === 'share' || read.data.kind === 'unshare')
}

/** An operation that cannot be done, with what to do. What is not there and what is not the caller's look the same. */
export class HubRefusal extends Error {
  readonly status: 400 | 403 | 404 | 409

  constructor(status: 400 | 403 | 404 | 409, message: string) {
    super(message)
    this.status = status
  }
}

/** What operations are done with. */
export interface Hub {
  readonly database: HubDatabase
  /** Removes rows of the index at once. */
  readonly drop: (files: DroppedFiles) => Promise<void>
  /** Gives rows of the index another audience at once. */
  readonly move: (files: MovedFiles) => Promise<void>
}

/** Does what a caller asks for. Throws `HubRefusal`. */
export async function perform(hub: Hub, caller: Caller, operation: unknown): Promise<unknown> {
  const read = SCHEMA.safeParse(operation)
  if (!read.success)
    throw new HubRefusal(
      400,
      'The hub does not support this request: update dagline on this machine or on the hub.',
    )
  const asked = read.data
  const { database } = hub
  const { tenant } = caller
  switch (asked.kind) {
    case 'share':
      return await share(hub, caller, asked)
    case 'unshare':
      return await setReaders(hub, caller, asked.session, { ...NOBODY, names: [] })
    case 'policy':
      return await policy(hub, caller, asked)
    case 'hold':
      return await hold(database, caller, asked)
    case 'unhold':
      return await unhold(database, caller, asked.id)
    case 'holds':
      requireAdmin(caller)
      return { holds: await listHolds(database, tenant) }
    case 'delete':
      return await deleteSession(hub, caller, asked.session)
    case 'person':
      return await addPerson(database, caller, asked)
    case 'disable':
      return await disable(database, caller, asked.name)
    case 'persons':
      requireAdmin(caller)
      return { persons: await listPersons(database, tenant) }
    case 'token':
      return await token(database, caller, asked)
    case 'revoke':
      return await revoke(database, caller, asked.device)
    case 'devices':
      return { devices: await listDevices(database, tenant, isAdmin(caller) ? null : caller.person) }
    case 'audit':
      requireAdmin(caller)
      return { rows: await listAudit(database, tenant, { session: asked.session, limit: asked.limit }) }
  }
}

type Asked<Kind extends Operation['kind']> = Extract<Operation, { readonly kind: Kind }>

async function hold(database: HubDatabase, caller: Caller, asked: Asked<'hold'>): Promise<unknown> {
  requireAdmin(caller)
  const { session: held, reason } = asked
  const owner = asked.person === null ? null : await personOf(database, caller, asked.person)
  const project = asked.project === null ? null : await projectOf(database, caller, asked.project)
  if (owner === null && project === null && held === null)
    throw new HubRefusal(409, 'Give a session, a person or a project to hold.')
  const { tenant } = caller
  const session = held === null ? null : await heldSession(database, { tenant, owner }, held)
  const id = await addHold(database, caller, { owner, project, session, reason })
  const detail = asked.project === null ? reason : `project ${asked.project}: ${reason}`
  await noteAudit(database, caller, [{ action: 'hold', owner, session, detail }])
  return { id, session }
}

/** HU36: the one id that begins so. A hold on anything else would keep nothing. */
async function heldSession(
  queries: Queries,
  whose: Parameters<typeof findSessions>[1],
  start: string,
): Promise<string> {
  const ids = new Set((await findSessions(queries, whose, start)).map(({ session: id }) => id))
  if (ids.has(start)) return start
  const [id, ...others] = ids
  if (id === undefined) throw new HubRefusal(404, `No session on the hub begins with ${start}.`)
  if (others.length > 0)
    throw new HubRefusal(409, `${ids.size} sessions begin with ${start}: give more of the id.`)
  return id
}

async function unhold(database: HubDatabase, caller: Caller, id: number): Promise<unknown> {
  requireAdmin(caller)
  if (!(await removeHold(database, caller.tenant, id))) throw new HubRefusal(404, `There is no hold ${id}.`)
  await noteAudit(database, caller, [{ action: 'unhold', detail: String(id) }])
  return {}
}

async function addPerson(database: HubDatabase, caller: Caller, asked: Asked<'person'>): Promise<unknown> {
  requireAdmin(caller)
  const person = await setPerson(database, { tenant: caller.tenant, name: asked.name, role: asked.role })
  await noteAudit(database, caller, [{ action: 'person', owner: person.person, detail: asked.role }])
  return person
}

async function disable(database: HubDatabase, caller: Caller, named: string): Promise<unknown> {
  requireAdmin(caller)
  const person = await personOf(database, caller, named)
  await disablePerson(database, { tenant: caller.tenant, person })
  await noteAudit(database, caller, [{ action: 'person', owner: person, detail: 'disabled' }])
  return {}
}

async function revoke(database: HubDatabase, caller: Caller, device: number): Promise<unknown> {
  const whose = { tenant: caller.tenant, person: isAdmin(caller) ? null : caller.person }
  if (!(await revokeDevice(database, whose, device)))
    throw new HubRefusal(404, `There is no device ${device}.`)
  await noteAudit(database, caller, [{ action: 'revoke', detail: String(device) }])
  return {}
}

function isAdmin({ scopes }: Caller): boolean {
  return scopes.has('admin')
}

function requireAdmin(caller: Caller): void {
  if (!isAdmin(caller))
    throw new HubRefusal(403, 'Only an admin may do this, with a token that has the scope "admin".')
}

/** HU41: a token with the scope "read" alone cannot share or delete. Owners may always hide their sessions. */
function requireMoreThanRead({ mayShare }: Caller): void {
  if (!mayShare) throw new HubRefusal(403, 'This needs a token with the scope "push" or "admin".')
}

async function personOf(queries: Queries, { tenant }: Caller, asked: string): Promise<number> {
  const person = await findPerson(queries, tenant, asked)
  if (person === null) throw new HubRefusal(404, `There is no person ${asked}.`)
  return person.person
}

async function projectOf(queries: Queries, { tenant }: Caller, asked: string): Promise<number> {
  const rows = await queries.query(
    'SELECT id, name FROM raw_project WHERE tenant = $1 AND (name = $2 OR person = 0 AND starts_with(reverse(name), reverse($3)))',
    [tenant, asked, `/${asked}`],
  )
  // Any person may push to another project whose name has the same end.
  const exact = rows.filter(each => each['name'] === asked)
  const [row, ...others] = exact.length > 0 ? exact : rows
  if (row === undefined)
    throw new HubRefusal(404, `There is no project ${asked}. Nothing was pushed into it yet.`)
  if (others.length > 0)
    throw new HubRefusal(
      409,
      `Several projects match ${asked}: give the whole name, such as ${textIn(row, 'name')}.`,
    )
  return numberIn(row, 'id')
}

/** The one session of the caller whose id begins so; of all persons where `isAnybodys` is set. */
async function sessionOf(
  queries: Queries,
  caller: Caller,
  start: string,
  isAnybodys: boolean,
): Promise<OwnedSession> {
  const found = await findSessions(
    queries,
    { tenant: caller.tenant, owner: isAnybodys ? null : caller.person },
    start,
  )
  const exact = found.filter(each => each.session === start)
  const [one, ...others] = exact.length > 0 ? exact : found
  if (one === undefined) throw new HubRefusal(404, `No session of yours begins with ${start}.`)
  if (others.length > 0)
    throw new HubRefusal(409, `${found.length} sessions begin with ${start}: give more of the id.`)
  return one
}

type Readers = Parameters<typeof shareSession>[2]['readers']

async function share(hub: Hub, caller: Caller, asked: Asked<'share'>): Promise<unknown> {
  const { session: start, everyone } = asked
  const persons = await Promise.all(asked.persons.map(each => personOf(hub.database, caller, each)))
  if (!everyone && persons.length === 0)
    throw new HubRefusal(409, 'Give the persons to share it with, or "everyone".')
  return await setReaders(hub, caller, start, { everyone, persons, names: asked.persons })
}

async function setReaders(
  hub: Hub,
  caller: Caller,
  start: string,
  { names, ...readers }: Readers & { readonly names: readonly string[] },
): Promise<unknown> {
  const { database } = hub
  const moved = await database.transact(async queries => {
    const found = await sessionOf(queries, caller, start, false)
    const isShared = readers.everyone || readers.persons.length > 0
    if (isShared) requireMoreThanRead(caller)
    const files = await shareSession(queries, caller, { session: found.session, readers })
    const detail = readers.everyone ? 'everyone' : names.join(', ')
    await noteAudit(queries, caller, [
      { action: isShared ? 'share' : 'unshare', owner: caller.person, session: found.session, detail },
    ])
    return { session: found.session, files }
  })
  await reindex(hub, moved.files)
  return { session: moved.session, files: moved.files.length }
}

async function policy(
  hub: Hub,
  caller: Caller,
  { project: named, everyone, days }: Asked<'policy'>,
): Promise<unknown> {
  requireAdmin(caller)
  const { tenant } = caller
  const moved = await hub.database.transact(async queries => {
    const project = await projectOf(queries, caller, named)
    if (days !== undefined) await setRetention(queries, { tenant, project, days })
    const files = everyone === undefined ? [] : await shareProject(queries, { tenant, project, everyone })
    await noteAudit(queries, caller, [
      { action: 'policy', detail: JSON.stringify({ project: named, everyone, days }) },
    ])
    return files
  })
  await reindex(hub, moved)
  return { files: moved.length }
}

/** HU62: rows of the index get their new audience before the answer; pages of those who see them are told by the judge. */
async function reindex(hub: Hub, moved: readonly MovedFile[]): Promise<void> {
  for (const [person, files] of groupBy(moved, each => each.person)) {
    const tenant = files[0]?.tenant ?? 0
    await hub.move({ tenant, person, files })
    await hub.database.transact(queries => markChanged(queries, { tenant, person }))
  }
}

async function deleteSession(hub: Hub, caller: Caller, start: string): Promise<unknown> {
  const found = await sessionOf(hub.database, caller, start, isAdmin(caller))
  requireMoreThanRead(caller)
  const by = { ...caller, detail: null }
  if ((await removeSession(hub, found, { by })) === 'held')
    throw new HubRefusal(
      409,
      `A hold keeps session ${found.session}: an admin removes it with \`dagline hub hold end NUMBER\`.`,
    )
  return { session: found.session, files: found.files.length }
}

async function token(
  database: HubDatabase,
  caller: Caller,
  { device, scopes, days, person: named }: Asked<'token'>,
): Promise<unknown> {
  if (named !== null && named !== caller.name) requireAdmin(caller)
  // A token never gets a scope that the caller does not have.
  const wrong =
    named === null || named === caller.name ? scopes.filter(scope => !caller.scopes.has(scope)) : []
  if (wrong.length > 0)
    throw new HubRefusal(
      403,
      `Your own token does not have the scope ${wrong.join(', ')}, so it cannot give it.`,
    )
  if (named === null && caller.person === 0)
    throw new HubRefusal(409, 'Give the person that the token is for: --person NAME.')
  const person = named === null ? caller.person : await personOf(database, caller, named)
  const made = await makeToken(database, { tenant: caller.tenant, person }, { name: device, scopes, days })
  await noteAudit(database, caller, [
    { action: 'token', owner: person, detail: `${device}: ${scopes.join(', ')}` },
  ])
  return { token: made }
}
