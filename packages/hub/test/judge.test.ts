/** The judge: what was pushed is in the index as a sync of the same files has it, however it came there. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type IndexStore, openIndex } from '@dagline/store'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { dumpAnswers } from '../../store/test/dump.js'
import { syncFolder } from '../../store/test/indexes.js'
import { temporaryFolder } from '../../store/test/temporary.js'
import { audienceOf } from '../src/access/audiences.js'
import { findOrAddPerson } from '../src/access/people.js'
import { openHubDatabase } from '../src/db/database.js'
import { migrateHub } from '../src/db/schema.js'
import { connectSync } from '../src/db/sync-connection.js'
import { openPgIndex } from '../src/index/store.js'
import { openJudge } from '../src/judge/judge.js'
import { startJudge } from '../src/judge/run.js'
import { rootOf } from '../src/raw/paths.js'
import { removeFiles } from '../src/raw/remove.js'
import { openRawStore } from '../src/raw/store.js'
import { listVersions } from '../src/raw/stream.js'
import { openBytes } from '../src/serve/bytes.js'
import { type Client, makeClient, row } from './hub-support.js'
import { freshDatabase, hasPostgres } from './postgres.js'

const WAITING = 'SELECT 1 FROM raw_root WHERE changed > judged'
/** Ends all connections but the one that asks. */
const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`
const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')

async function openHub() {
  const url = await freshDatabase()
  const database = openHubDatabase(url)
  await migrateHub(database)
  const owner = await findOrAddPerson(database, 'team', 'ann')
  const connection = connectSync(url)
  onTestFinished(async () => {
    connection.close()
    await database.close()
  })
  const index = openPgIndex(connectSync(url), { tenant: owner.tenant, audienceOf: () => 0 })
  return {
    ...{ url, database, owner, connection, index, judge: openJudge(connection) },
    store: openRawStore(database, owner, audienceOf),
    root: () => index.findRoot(rootOf(owner.person)) ?? 0,
  }
}

/** What an index says of a root, but where its bytes are. */
function saidBy(index: IndexStore, root: number, folder: string): unknown {
  const state = (name: string, value: unknown): unknown => (name === 'state' ? null : value)
  const text = JSON.stringify(dumpAnswers(index, root), state)
  return JSON.parse(
    text.replaceAll(folder, '').replace(/((?:isArchived|archivedOnly)\\*":)(?:true|false)/g, '$1null'),
  )
}

/** What a sync says of the files of some clients, in the folders that the hub gives them. */
async function saidBySync(clients: Readonly<Record<string, Client>>): Promise<unknown> {
  const root = temporaryFolder()
  for (const [machine, client] of Object.entries(clients))
    for (const folder of readdirSync(client.root))
      cpSync(join(client.root, folder), join(root, `${folder}@${machine}`), {
        recursive: true,
        preserveTimestamps: true,
      })
  const index = openIndex(':memory:')
  await syncFolder(index, root)
  return saidBy(index, 1, root)
}

describe.runIf(hasPostgres('the judge of a hub'))('the judge', () => {
  it('[HU16] what was pushed is in the index as a sync of the same files has it', {
    timeout: 120_000,
  }, async () => {
    const { store, judge, index, root, owner } = await openHub()
    const client = makeClient('laptop')
    cpSync(SAMPLES, client.root, { recursive: true, preserveTimestamps: true })
    await client.push(store)
    expect((await judge.next())?.report.failed).toEqual([])
    expect(saidBy(index, root(), rootOf(owner.person))).toEqual(await saidBySync({ laptop: client }))
    expect(await judge.next()).toBe(null)
  })

  it('[HU16] a session that grew is read on, and the index is what a cold one would be', {
    timeout: 120_000,
  }, async () => {
    const { store, judge, index, root, owner } = await openHub()
    const client = makeClient('laptop')
    const [path, rows] = longestSample()
    mkdirSync(dirname(join(client.root, path)), { recursive: true })
    let bytes = 0
    for (const part of [0.3, 0.31, 0.6, 1]) {
      const end = Math.ceil(rows.length * part)
      writeFileSync(join(client.root, path), rows.slice(0, end).join(''))
      await client.push(store)
      const judged = await judge.next()
      const size = rows.slice(0, end).join('').length
      expect(judged?.report.bytes).toBeLessThanOrEqual(size - bytes + 5000)
      bytes = size
    }
    expect(saidBy(index, root(), rootOf(owner.person))).toEqual(await saidBySync({ laptop: client }))
  })

  it('[HU17] a session that continues on another machine of the person is one graph', {
    timeout: 120_000,
  }, async () => {
    const { store, judge, index, root, owner } = await openHub()
    const [laptop, desktop] = [makeClient('laptop'), makeClient('desktop')]
    const [path, rows] = longestSample()
    for (const [client, to] of [
      [laptop, Math.ceil(rows.length / 2)],
      [desktop, rows.length],
    ] as const) {
      const place = join(client.root, client === laptop ? path : path.replace(/^[^/]+/, '-home-other-shop'))
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, rows.slice(0, to).join(''))
      await client.push(store)
      await judge.next()
    }
    expect(saidBy(index, root(), rootOf(owner.person))).toEqual(await saidBySync({ laptop, desktop }))
    const groups = new Set(index.grouping(root()).map(({ group }) => group))
    expect([groups.size, index.files(root()).length]).toEqual([1, 2])
    const [whole] = index.sessions([root()])
    expect(index.sessions([root()]).map(({ session }) => session)).toEqual([whole?.session])
  })

  it('[HU16] a judge that ends at any commit leaves the rest to the next one', {
    timeout: 240_000,
  }, async () => {
    const { url, store, judge, index, root, owner, database } = await openHub()
    const client = makeClient('laptop')
    cpSync(SAMPLES, client.root, { recursive: true, preserveTimestamps: true })
    await client.push(store)
    // Its connection is cut after some statements: what was not committed is gone, and so is its lock.
    for (const most of [4, 12, 30]) {
      const connection = connectSync(url)
      let count = 0
      const cutting = <A extends unknown[], T>(call: (...words: A) => T) => {
        return (...words: A): T => {
          if (++count > most) throw new RangeError('cut')
          return call(...words)
        }
      }
      const { query, send, copy } = connection
      const cut = { ...connection, query: cutting(query), send: cutting(send), copy: cutting(copy) }
      await expect(openJudge(cut).judge(owner)).rejects.toThrow('cut')
      connection.close()
    }
    const [{ waiting } = {}] = await database.query('SELECT changed > judged AS waiting FROM raw_root')
    expect(waiting).toBe(true)
    await judge.next()
    expect(saidBy(index, root(), rootOf(owner.person))).toEqual(await saidBySync({ laptop: client }))
  })

  it('[HU16] a judge in a thread of its own hears of what is pushed', { timeout: 120_000 }, async () => {
    const { url, store, index, root, owner, database } = await openHub()
    const failures: string[] = []
    const judge = startJudge(url, message => failures.push(message))
    onTestFinished(() => judge.stop())
    const client = makeClient('laptop')
    for (const text of ['first', 'second']) {
      client.write({ [`-shop/${text}.jsonl`]: row(text) })
      await client.push(store)
      await vi.waitUntil(async () => (await database.query(WAITING)).length === 0, { timeout: 60_000 })
    }
    expect(index.files(root()).map(({ path }) => path)).toHaveLength(2)
    expect(index.findRoot(rootOf(owner.person))).not.toBe(null)
    expect(failures).toEqual([])
  })

  it('[HU16] a judge continues after the database server has ended its connections', {
    timeout: 120_000,
  }, async () => {
    const { url, store, database } = await openHub()
    const failures: string[] = []
    const judge = startJudge(url, message => failures.push(message))
    onTestFinished(() => judge.stop())
    const client = makeClient('laptop')
    for (const text of ['first', 'second', 'third']) {
      client.write({ [`-shop/${text}.jsonl`]: row(text) })
      await client.push(store)
      await vi.waitUntil(async () => (await database.query(WAITING)).length === 0, { timeout: 60_000 })
      await database.query(END_CONNECTIONS)
    }
    expect(failures.filter(message => !message.includes('does not answer'))).toEqual([])
  })

  it('[HU16] what one person pushed holds up nobody else', { timeout: 120_000 }, async () => {
    const { url, store, owner, database } = await openHub()
    const other = await findOrAddPerson(database, 'team', 'ben')
    const bad = makeClient('laptop')
    const agent = '-shop/s1/subagents/agent-a1'
    bad.write({ '-shop/s1.jsonl': row('first'), [`${agent}.jsonl`]: row('a'), [`${agent}.meta.json`]: '{}' })
    await bad.push(store)
    await database.query('UPDATE raw_block SET hash = $1', [Buffer.alloc(32)])
    const good = makeClient('desktop')
    good.write({ '-shop/s2.jsonl': row('second') })
    await good.push(openRawStore(database, other, audienceOf))
    const failures: string[] = []
    const judge = startJudge(url, message => failures.push(message))
    onTestFinished(() => judge.stop())
    const left = async (): Promise<unknown> =>
      await database.query('SELECT person FROM raw_root WHERE changed > judged')
    await vi.waitUntil(
      async () => JSON.stringify(await left()) === JSON.stringify([{ person: owner.person }]),
      {
        timeout: 60_000,
      },
    )
    expect(failures).toHaveLength(1)
    expect(failures[0]).toMatch(/^Person \d+ of team \d+ could not be judged: /)
  })

  it('[HU21] a file that was removed is gone from the index after the next judgement', {
    timeout: 120_000,
  }, async () => {
    const { store, judge, index, root, owner, database } = await openHub()
    const client = makeClient('laptop')
    cpSync(SAMPLES, client.root, { recursive: true, preserveTimestamps: true })
    await client.push(store)
    await judge.next()
    const versions = await listVersions(database, owner)
    await removeFiles(
      database,
      owner,
      versions.map(({ file }) => file),
    )
    expect((await judge.next())?.report.removed).toBeGreaterThan(0)
    expect(index.sessions([root()])).toEqual([])
    expect(index.files(root())).toEqual([])
  })

  it('[HU19] bytes of any file are read at any place, as the graph reads them', async () => {
    const { store, connection, owner, database } = await openHub()
    const client = makeClient('laptop')
    cpSync(SAMPLES, client.root, { recursive: true, preserveTimestamps: true })
    await client.push(store)
    const sources = { reader: connection, owner: connection, tenant: owner.tenant }
    for (const { path } of await listVersions(database, owner)) {
      const [folder = '', ...rest] = path.split('/')
      const bytes = readFileSync(join(client.root, folder.replace('@laptop', ''), ...rest))
      const source = openBytes(sources, `${rootOf(owner.person)}/${path}`)
      const buffer = Buffer.alloc(1000)
      for (let position = 0; position <= bytes.length; position += 777) {
        const got = source?.read(buffer, 3, 900, position) ?? -1
        expect(buffer.subarray(3, 3 + got)).toEqual(bytes.subarray(position, position + 900))
      }
    }
    expect(openBytes(sources, '/hub/999/x')).toBe(null)
  })
})

function longestSample(): readonly [path: string, rows: readonly string[]] {
  const all = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
    .filter(path => /^[^/]+\/[0-9a-f-]{36}\.jsonl$/.test(path))
    .map(path => [path, readFileSync(join(SAMPLES, path), 'utf8').split(/(?<=\n)/)] as const)
  return all.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? ['', []]
}
