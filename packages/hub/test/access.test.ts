/** Who may see what, on a real PostgreSQL: tokens, audiences, and the policies of the database with our own checks left out. */
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { audienceOf, NOBODY, shareProject, shareSession } from '../src/access/audiences.js'
import { listAudit, noteAudit } from '../src/access/audit.js'
import {
  addHold,
  expiredSessions,
  findSessions,
  isHeld,
  listHolds,
  markGone,
  removeHold,
  setRetention,
} from '../src/access/keeping.js'
import {
  disablePerson,
  findOrAddPerson,
  findOrAddTenant,
  findPerson,
  listPersons,
  type Person,
  setPerson,
} from '../src/access/people.js'
import {
  callerOfLogin,
  callerOfToken,
  endLogin,
  listDevices,
  makeToken,
  revokeDevice,
  startLogin,
} from '../src/access/tokens.js'
import { databaseSettings } from '../src/db/connect.js'
import { type HubDatabase, openHubDatabase } from '../src/db/database.js'
import { migrate } from '../src/db/migrate.js'
import { migrateHub } from '../src/db/schema.js'
import type { Role } from '../src/model/index.js'
import { freshDatabase, hasPostgres } from './postgres.js'

/** A table like those of the index, and one that nobody has said anything about. */
const PROBES = {
  name: 'probe',
  steps: [
    'CREATE TABLE index_probe (tenant int NOT NULL, audience int NOT NULL, text text)',
    'CREATE TABLE index_open (tenant int NOT NULL, text text)',
  ],
}

describe.runIf(hasPostgres('access to a hub'))('access', () => {
  let database: HubDatabase
  let url: string
  let people: Record<'ann' | 'ben' | 'ruth' | 'otto' | 'eve', Person>

  beforeAll(async () => {
    url = await freshDatabase()
    database = openHubDatabase(url)
    await migrate(database, [PROBES])
    await migrateHub(database)
    const tenant = await findOrAddTenant(database, 'acme')
    const person = (name: string, role: Role): Promise<Person> => setPerson(database, { tenant, name, role })
    people = {
      ann: await person('ann', 'member'),
      ben: await person('ben', 'member'),
      ruth: await person('ruth', 'reader'),
      otto: await person('otto', 'auditor'),
      eve: await findOrAddPerson(database, 'other', 'eve'),
    }
    return async () => await database.close()
  })

  const DEVICE = { name: 'laptop', scopes: ['push', 'read', 'admin'], days: 1 } as const

  describe('tokens', () => {
    it('[HU33] are kept as hashes only, and let in with what the role allows', async () => {
      const token = await makeToken(database, people.ann, DEVICE)
      const caller = await callerOfToken(database, token)
      expect(caller).toMatchObject({ tenant: people.ann.tenant, name: 'ann', role: 'member' })
      expect([...(caller?.scopes ?? [])]).toEqual(['push', 'read'])
      const secret = token.split('_')[2] ?? ''
      const rows = await database.query('SELECT * FROM access_device')
      expect(JSON.stringify(rows)).not.toContain(secret)
    })

    it('[HU33] that are forged, cut, of another device or empty let nobody in', async () => {
      const token = await makeToken(database, people.ann, DEVICE)
      const other = await makeToken(database, people.eve, DEVICE)
      const [prefix, id, secret] = token.split('_')
      const forged = [
        '',
        'dglhub',
        `${prefix}_${id}_`,
        `${prefix}_${id}_${secret?.slice(1)}`,
        `${prefix}_${id}_${'A'.repeat(43)}`,
        `${prefix}_${id}_${other.split('_')[2]}`,
        `${prefix}_999999999_${secret}`,
        `${prefix}_${id} OR 1=1_${secret}`,
        `${token}\n`,
      ]
      for (const each of forged) expect(await callerOfToken(database, each), each).toBeNull()
    })

    it('[HU33] end when they expire, are revoked, or their person is let in no more', async () => {
      const expired = await makeToken(database, people.ann, { ...DEVICE, days: 0 })
      expect(await callerOfToken(database, expired)).toBeNull()
      const token = await makeToken(database, people.ann, DEVICE)
      const login = await startLogin(database, people.ann, { device: Number(token.split('_')[1]), hours: 1 })
      expect(await callerOfLogin(database, login)).toMatchObject({ name: 'ann', device: null })
      const device = Number(token.split('_')[1])
      expect(await revokeDevice(database, { ...people.ann, person: people.ben.person }, device)).toBe(false)
      expect(await revokeDevice(database, { tenant: people.eve.tenant, person: null }, device)).toBe(false)
      expect(await callerOfToken(database, token)).not.toBeNull()
      expect(await revokeDevice(database, people.ann, device)).toBe(true)
      expect(await callerOfToken(database, token)).toBeNull()
      expect(await callerOfLogin(database, login)).toBeNull()
      expect((await listDevices(database, people.ann.tenant, people.ann.person)).at(0)).toMatchObject({
        device,
        isRevoked: true,
      })
      const gone = await setPerson(database, { tenant: people.ann.tenant, name: 'gone', role: 'member' })
      const last = await makeToken(database, gone, DEVICE)
      const cookie = await startLogin(database, gone, { device: null, hours: 1 })
      await disablePerson(database, gone)
      expect(await callerOfToken(database, last)).toBeNull()
      expect(await callerOfLogin(database, cookie)).toBeNull()
      // [HU31] Who comes back gets new tokens.
      await setPerson(database, { tenant: people.ann.tenant, name: 'gone', role: 'member' })
      expect(await callerOfToken(database, last)).toBeNull()
      expect(await callerOfToken(database, await makeToken(database, gone, DEVICE))).not.toBeNull()
    })

    it('[HU33] of the page end with a logout', async () => {
      const cookie = await startLogin(database, people.ben, { device: null, hours: 1 })
      expect(await callerOfLogin(database, cookie)).toMatchObject({ name: 'ben' })
      await endLogin(database, cookie)
      expect(await callerOfLogin(database, cookie)).toBeNull()
      const late = await startLogin(database, people.ben, { device: null, hours: 0 })
      expect(await callerOfLogin(database, late)).toBeNull()
    })
  })

  it('[HU31] lists the persons of one tenant', async () => {
    expect(await findPerson(database, people.eve.tenant, 'ann')).toBeNull()
    const names = (await listPersons(database, people.eve.tenant)).map(({ name }) => name)
    expect(names).toEqual(['eve'])
  })

  /** A file in raw_file, and a row of the index with its audience. */
  const addFile = async (owner: Person, project: number, session: string): Promise<number> => {
    const audience = await audienceOf(database, { ...owner, project, session })
    const [row = {}] = await database.query(
      `INSERT INTO raw_file (tenant, person, machine, project, path, place, kind, session, audience)
       VALUES ($1, $2, 1, $3, $4, $4, 'session', $4, $5) RETURNING id`,
      [owner.tenant, owner.person, project, session, audience],
    )
    await database.query('INSERT INTO index_probe VALUES ($1, $2, $3)', [owner.tenant, audience, session])
    return Number(row['id'])
  }

  /** What straight SQL shows to a person, with nothing of ours in between. */
  const seenBy = async (who: Person, table = 'raw_file', column = 'session'): Promise<readonly string[]> => {
    const client = new pg.Client(databaseSettings(url))
    await client.connect()
    try {
      await client.query(`SET ROLE dagline_reader`)
      await client.query(
        `SELECT set_config('dagline.tenant', $1, false), set_config('dagline.person', $2, false)`,
        [String(who.tenant), String(who.person)],
      )
      const { rows } = await client.query(`SELECT DISTINCT ${column} AS seen FROM ${table} ORDER BY 1`)
      return rows.map(({ seen }) => seen)
    } finally {
      await client.end()
    }
  }

  it('[HU34] own sessions are private until they, or their project, are shared', async () => {
    await addFile(people.ann, 1, 'private')
    await addFile(people.ann, 1, 'for-ben')
    await addFile(people.ann, 2, 'in-project')
    await addFile(people.ann, 2, 'hidden')
    await addFile(people.eve, 2, 'foreign')
    const all = ['for-ben', 'hidden', 'in-project', 'private']
    expect(await seenBy(people.ann)).toEqual(all)
    expect(await seenBy(people.ben)).toEqual([])
    const { tenant } = people.ann
    const readers = { everyone: false, persons: [people.ben.person] }
    await shareSession(database, people.ann, { session: 'for-ben', readers })
    await shareSession(database, people.ann, { session: 'hidden', readers: NOBODY })
    await shareProject(database, { tenant, project: 2, everyone: true })
    // What is pushed later has the audience of its project, too.
    await addFile(people.ann, 2, 'later')
    expect(await seenBy(people.ann)).toEqual([...all, 'later'].sort())
    expect(await seenBy(people.ben)).toEqual(['for-ben', 'in-project', 'later'])
    expect(await seenBy(people.ruth)).toEqual(['in-project', 'later'])
    expect(await seenBy(people.otto)).toEqual([])
    expect(await seenBy(people.eve)).toEqual(['foreign'])
    await shareSession(database, people.ann, { session: 'for-ben', readers: NOBODY })
    await shareProject(database, { tenant, project: 2, everyone: false })
    expect(await seenBy(people.ben)).toEqual([])
  })

  it('[HU34] somebody who is nobody, of no tenant, or of another one sees nothing', async () => {
    const nobody = { tenant: people.ann.tenant, person: 9999 }
    expect(await seenBy(nobody)).toEqual([])
    expect(await seenBy({ tenant: people.eve.tenant, person: people.ann.person })).toEqual([])
    const client = new pg.Client(databaseSettings(url))
    await client.connect()
    await client.query('SET ROLE dagline_reader')
    expect((await client.query('SELECT * FROM raw_file')).rows).toEqual([])
    await client.end()
  })

  it('[HU32] tables of the index have policies, and a new one that says no audience is closed', async () => {
    expect(await seenBy(people.ann, 'index_probe', 'text')).toContain('private')
    expect(await seenBy(people.ben, 'index_probe', 'text')).not.toContain('private')
    await expect(seenBy(people.ann, 'index_open', 'text')).rejects.toThrow('permission denied')
  })

  it('[HU32] readers have no right on any table but those with a policy, and write none', async () => {
    const client = new pg.Client(databaseSettings(url))
    await client.connect()
    onTestFinished(() => client.end())
    const { rows } =
      await client.query(`SELECT relname, qual FROM pg_class LEFT JOIN pg_policies ON tablename = relname
      WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND relnamespace = 'public'::regnamespace`)
    await client.query('SET ROLE dagline_reader')
    for (const { relname, qual } of rows) {
      const isOpen = String(qual).includes('dagline_audiences()')
      const read = client.query(`SELECT * FROM ${relname}`)
      if (isOpen) await expect(read).resolves.toBeDefined()
      else await expect(read, relname).rejects.toThrow('permission denied')
      await expect(client.query(`DELETE FROM ${relname}`), relname).rejects.toThrow(
        /permission denied|cannot/,
      )
    }
    await expect(client.query('SELECT dagline_audiences()')).resolves.toBeDefined()
    await expect(client.query('SET ROLE postgres')).rejects.toThrow()
  })

  it('[HU36] retention ends what nobody holds, and a hold keeps what retention would end', async () => {
    const { ben } = people
    const old = await addFile(ben, 7, 'old')
    await addFile(ben, 7, 'held')
    const young = await addFile(ben, 7, 'young')
    const version = (file: number, days: number): Promise<unknown> =>
      database.query(
        `INSERT INTO raw_version (tenant, file, number, bytes, mtime, taken, chain, original_bytes, original_sha256)
         VALUES ($1, $2, 1, 1, 0, $3, '', 1, '')`,
        [ben.tenant, file, Date.now() - days * 86_400_000],
      )
    await version(old, 40)
    await version(young, 10)
    const ending = async (): Promise<readonly string[]> =>
      (await expiredSessions(database, Date.now())).map(({ session }) => session).toSorted()
    expect(await ending()).toEqual([])
    await setRetention(database, { tenant: ben.tenant, project: 7, days: 30 })
    expect(await ending()).toEqual(['held', 'old'])
    const hold = { owner: null, project: null, session: 'held', reason: 'a lawsuit' }
    const id = await addHold(database, ben, hold)
    expect(await listHolds(database, ben.tenant)).toEqual([
      { id, ...hold, ownerName: null, projectName: null },
    ])
    const [found] = await findSessions(database, { tenant: ben.tenant, owner: null }, 'hel')
    expect(found).toMatchObject({ person: ben.person, session: 'held' })
    expect(await isHeld(database, ben, 'held')).toBe(true)
    expect(await isHeld(database, ben, 'old')).toBe(false)
    expect(await ending()).toEqual(['old'])
    expect(await removeHold(database, people.eve.tenant, id)).toBe(false)
    expect(await removeHold(database, ben.tenant, id)).toBe(true)
    expect(await ending()).toEqual(['held', 'old'])
  })

  it('[HU37] a session that was deleted is remembered as gone, and its share forgotten', async () => {
    const { ben } = people
    await shareSession(database, ben, { session: 'left', readers: { everyone: true, persons: [] } })
    await markGone(database, ben, 'left')
    await markGone(database, ben, 'left')
    expect(await database.query('SELECT session FROM raw_gone')).toEqual([{ session: 'left' }])
    expect(await database.query(`SELECT 1 FROM access_share WHERE session = 'left'`)).toEqual([])
  })

  it('[HU35] what is noted is listed, for its own tenant', async () => {
    const actor = { ...people.ben, device: null }
    const injected = `s'); DROP TABLE access_audit; --`
    await noteAudit(database, actor, [{ action: 'read', owner: people.ann.person, session: injected }])
    const rows = await listAudit(database, actor.tenant, { session: injected, limit: 5 })
    expect(rows).toMatchObject([{ person: 'ben', owner: 'ann', action: 'read', session: injected }])
    expect(await listAudit(database, people.eve.tenant, { limit: 5 })).toEqual([])
  })
})
