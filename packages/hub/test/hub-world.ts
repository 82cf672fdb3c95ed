/** A hub on a real port and a real PostgreSQL, with two tenants, persons of all roles, and sessions that were pushed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { discover, syncRoot } from '@dagline/store'
import { expandShape } from '@dagline/testkit'
import { audienceOf } from '../src/access/audiences.js'
import { findOrAddTenant, type Person, setPerson } from '../src/access/people.js'
import { makeToken } from '../src/access/tokens.js'
import { type HubDatabase, openHubDatabase } from '../src/db/database.js'
import { migrateHub } from '../src/db/schema.js'
import { connectSync } from '../src/db/sync-connection.js'
import { openPgIndex } from '../src/index/store.js'
import type { Role, Scope } from '../src/model/index.js'
import { chainOf, makePack, NO_CHAIN, sha256 } from '../src/raw/pack.js'
import { hubPath, rootOf } from '../src/raw/paths.js'
import { openRawStore } from '../src/raw/store.js'
import { type HubServerOptions, type RunningHub, startHub } from '../src/serve/server.js'
import { freshDatabase } from './postgres.js'

export const NAMES = ['ann', 'ben', 'ruth', 'otto', 'ada', 'eve'] as const
export type Name = (typeof NAMES)[number]

const ROLES: Readonly<Record<Name, Role>> = {
  ann: 'member',
  ben: 'member',
  ruth: 'reader',
  otto: 'auditor',
  ada: 'admin',
  // Of another tenant, and an admin there.
  eve: 'admin',
}

export interface HubWorld {
  readonly url: string
  readonly database: HubDatabase
  readonly databaseUrl: string
  readonly people: Readonly<Record<Name, Person>>
  readonly tokens: Readonly<Record<Name, string>>
  readonly hub: RunningHub
  /** Files of sessions by the path below the person's root, in the notation of shapes: one shape for each person. */
  readonly push: (who: Name, shape: string, project?: string, machine?: string) => Promise<void>
  /** Gives sessions these names, as the laptop of the person would. */
  readonly label: (who: Name, names: ReadonlyMap<string, string>) => Promise<void>
  /** Brings the index up to date with what a person pushed, as a judge does. */
  readonly judge: (who: Name) => Promise<void>
  readonly ask: (who: Name | null, path: string, init?: RequestInit) => Promise<Response>
  readonly value: <T>(who: Name, path: string) => Promise<T>
  readonly act: (who: Name, operation: object) => Promise<{ readonly status: number; readonly body: unknown }>
  readonly token: (who: Person, scopes: readonly Scope[], days?: number) => Promise<string>
  readonly close: () => Promise<void>
}

const MACHINE = { name: 'laptop', platform: 'linux' }

/** Starts a hub without sessions. */
export async function startWorld(options: Partial<HubServerOptions> = {}): Promise<HubWorld> {
  const databaseUrl = await freshDatabase()
  const database = openHubDatabase(databaseUrl)
  await migrateHub(database)
  const folder = mkdtempSync(join(tmpdir(), 'dagline-hub-'))
  const [acme, other] = [await findOrAddTenant(database, 'acme'), await findOrAddTenant(database, 'other')]
  const token = (who: Person, scopes: readonly Scope[], days = 1): Promise<string> =>
    makeToken(database, who, { name: 'laptop', scopes, days })
  const people: Partial<Record<Name, Person>> = {}
  const tokens: Partial<Record<Name, string>> = {}
  for (const name of NAMES) {
    const person = await setPerson(database, {
      tenant: name === 'eve' ? other : acme,
      name,
      role: ROLES[name],
    })
    people[name] = person
    tokens[name] = await token(person, ['push', 'read', 'admin'])
  }
  const personOf = (who: Name): Person => {
    const person = people[who]
    if (person === undefined) throw new RangeError(who)
    return person
  }
  const bugs: Error[] = []
  const hub = await startHub({
    database: databaseUrl,
    host: '127.0.0.1',
    port: 0,
    tls: null,
    page: join(folder, 'page'),
    readers: 1,
    report: error => bugs.push(error),
    ...options,
  })
  const ask = (who: Name | null, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${hub.port}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...(who === null ? {} : { authorization: `Bearer ${tokens[who]}` }), ...init.headers },
    })
  return {
    url: hub.url,
    database,
    databaseUrl,
    people: people as Readonly<Record<Name, Person>>,
    tokens: tokens as Readonly<Record<Name, string>>,
    hub,
    token,
    ask,
    value: async (who, path) => {
      const reply = await (await ask(who, path)).json()
      if (reply.ok !== true) throw new Error(`${path}: ${JSON.stringify(reply)}`)
      return reply.value
    },
    act: async (who, operation) => {
      const answer = await ask(who, '/api/hub/do', { method: 'POST', body: JSON.stringify(operation) })
      return { status: answer.status, body: await answer.json() }
    },
    push: async (who, shape, project = 'shop', name = MACHINE.name) => {
      const store = openRawStore(database, personOf(who), audienceOf)
      const { machine } = await store.welcome({ ...MACHINE, name, uuid: `${name} of ${who}` })
      for (const { path, text } of expandShape(shape).files) {
        const pieces = text.match(/[^\n]*\n/g)?.map(row => Buffer.from(row)) ?? []
        const hashes = pieces.map(sha256)
        await store.put(makePack(hashes, pieces))
        const version = {
          place: `/home/${who}/.claude/projects/-${project}/${path}`,
          folder: `-${project}`,
          path,
          kind: path.includes('/') ? 'agent' : 'session',
          session: path.split(/[./]/)[0] ?? null,
          remote: `github.com/acme/${project}`,
          cwd: `/home/${who}/${project}`,
          mtime: 1,
          base: null,
          isOther: false,
          hashes,
          bytes: text.length,
          chain: chainOf(NO_CHAIN, hashes),
          originalBytes: text.length,
          originalSha256: sha256(Buffer.from(text)),
          redacted: null,
        }
        await store.commit(machine, [version])
        const file = join(folder, who, hubPath(`-${project}`, path, name))
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
    },
    label: async (who, names) => {
      const store = openRawStore(database, personOf(who), audienceOf)
      const { machine } = await store.welcome({ ...MACHINE, uuid: `${MACHINE.name} of ${who}` })
      const labels = [...names].map(([id, name]) => ({
        ...{ kind: 'session' as const, id, session: id, name },
        ...{ tags: [`${name} tag`], note: `${name} note` },
      }))
      if ((await store.keepLabels(machine, labels)) !== names.size) throw new RangeError('labels')
    },
    judge: async who => await judge(personOf(who), join(folder, who), databaseUrl),
    close: async () => {
      await hub.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
      if (bugs.length > 0) throw bugs[0]
    },
  }
}

/** The judge reads pushed bytes; here the same files lie in a folder, whose name the index forgets again. */
async function judge({ tenant, person }: Person, folder: string, url: string): Promise<void> {
  const connection = connectSync(url)
  const rename = (from: string, to: string): unknown =>
    connection.query('UPDATE index_root SET path = $3 WHERE tenant = $1 AND path = $2', [tenant, from, to])
  try {
    rename(rootOf(person), folder)
    const files = connection.query('SELECT path, audience FROM raw_file WHERE tenant = $1 AND person = $2', [
      tenant,
      person,
    ])
    const audiences = new Map(files.map(({ path, audience }) => [String(path), Number(audience)]))
    const index = openPgIndex(connection, { tenant, audienceOf: path => audiences.get(path) ?? 0 })
    for (const found of discover([folder])) {
      const isThere = (path: string): boolean => audiences.has(path)
      const projects = found.projects.map(project => ({
        ...project,
        files: project.files.filter(({ path }) => isThere(path)),
      }))
      await syncRoot(index, { ...found, projects })
    }
    index.close()
    rename(folder, rootOf(person))
    connection.query('UPDATE raw_root SET judged = changed WHERE tenant = $1 AND person = $2', [
      tenant,
      person,
    ])
    connection.query(`SELECT pg_notify('dagline_judged', $1)`, [`${tenant}:${person}`])
  } finally {
    connection.close()
  }
}
