/** HU41: operations from the terminal: over HTTP with the token of a device, or on the database as its owner. */
import { UserError } from '@dagline/app'
import { findOrAddTenant, findPerson } from '../access/people.js'
import { SCOPES } from '../access/tokens.js'
import { openHubDatabase } from '../db/database.js'
import { migrateHub } from '../db/schema.js'
import type { DroppedFiles, MovedFiles } from '../judge/removal.js'
import { hubAddress, hubPerson, isDatabase } from '../push/client.js'
import { requireHubToken } from '../push/machine.js'
import { unreachableHub } from '../push/unreachable.js'
import { ANSWERS, type Answers } from './answers.js'
import { HubRefusal, perform } from './operations.js'
import { openSources } from './sources.js'

interface HubTarget {
  /** The hub; the one of the settings where it is null. */
  readonly url: string | null
  /** With `postgres://`: the tenant, and for whom. */
  readonly team: string | null
  readonly person: string | null
}

/** Sends an operation to a hub. Throws `UserError` with what to do where it is refused. */
export async function askHub<Kind extends keyof Answers>(
  target: HubTarget,
  kind: Kind,
  fields: object = {},
): Promise<Answers[Kind]> {
  const url = hubAddress(target.url)
  const operation = { ...fields, kind }
  try {
    // HU35: for a token the person is the one who gets it, and not the one who makes it.
    const person = kind === 'token' ? null : target.person
    const value = isDatabase(url)
      ? await askDatabase({ ...target, person, url }, operation)
      : await askServer(url, operation)
    const answer = ANSWERS[kind].safeParse(value)
    if (!answer.success)
      throw new UserError(
        'The answer of the hub has an unknown form: update dagline on this machine or on the hub.',
      )
    return answer.data
  } catch (error) {
    throw error instanceof HubRefusal ? new UserError(error.message) : error
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** The owner of the tables may do everything. The record names the given person, or 0. */
async function askDatabase(
  { url, team, person: name }: HubTarget & { readonly url: string },
  operation: object,
): Promise<unknown> {
  const database = openHubDatabase(url)
  const sources = openSources(url)
  try {
    await migrateHub(database)
    const tenant = await findOrAddTenant(database, team ?? 'default')
    const known = await findPerson(database, tenant, hubPerson(name))
    const caller = {
      tenant,
      person: known?.person ?? 0,
      name: known?.name ?? '',
      role: 'admin' as const,
      scopes: new Set(SCOPES),
      mayShare: true,
      device: null,
    }
    const hub = {
      database,
      drop: async (files: DroppedFiles) => sources.drop(files),
      move: async (files: MovedFiles) => sources.move(files),
    }
    return await perform(hub, caller, operation)
  } finally {
    sources.close()
    await database.close()
  }
}

/** Milliseconds: a change waits for the judge of a person. */
const LONGEST = 120_000

async function askServer(url: string, operation: object): Promise<unknown> {
  const token = requireHubToken(url)
  const address = new URL('/api/hub/do', url)
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(operation),
  }
  const signal = AbortSignal.timeout(LONGEST)
  const answer = await fetch(address, { ...init, redirect: 'error', signal }).catch((error: unknown) => {
    throw new UserError(unreachableHub(url, error))
  })
  const reply: unknown = await answer.json().catch(() => null)
  const { ok, value, error } = fieldsOf(reply)
  if (ok === true) return value
  const message = fieldsOf(error)['message']
  if (typeof message === 'string') throw new UserError(message)
  throw new UserError(
    answer.status >= 500
      ? `The hub ${url} is not ready (status ${answer.status}). Try again later.`
      : `${url} does not answer like a hub (status ${answer.status}). Check the address.`,
  )
}
