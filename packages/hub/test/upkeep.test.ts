/** What a hub deletes by itself: sessions whose time is over, and what an interrupted deletion has left. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { audienceOf } from '../src/access/audiences.js'
import { listAudit } from '../src/access/audit.js'
import { addHold, markGone, removeHold, setRetention } from '../src/access/keeping.js'
import { findOrAddPerson } from '../src/access/people.js'
import { numberIn, openHubDatabase, textIn } from '../src/db/database.js'
import { migrateHub } from '../src/db/schema.js'
import { connectSync } from '../src/db/sync-connection.js'
import { dropFiles } from '../src/judge/removal.js'
import { judgeOnce, runJudge } from '../src/judge/run.js'
import { makePack, sha256 } from '../src/raw/pack.js'
import { openRawStore } from '../src/raw/store.js'
import { makeClient, row } from './hub-support.js'
import { freshDatabase, hasPostgres } from './postgres.js'

const DAY = 86_400_000

/** Ids as Claude Code gives them. */
const OLD = '00000000-0000-4000-8000-00000000001d'
const HELD = '00000000-0000-4000-8000-0000000000e1'
const OTHER = '00000000-0000-4000-8000-0000000000f2'

async function openHub() {
  const url = await freshDatabase()
  const database = openHubDatabase(url)
  onTestFinished(() => database.close())
  await migrateHub(database)
  const owner = await findOrAddPerson(database, 'team', 'ann')
  const column = async (sql: string): Promise<readonly string[]> =>
    (await database.query(sql)).map(each => textIn(each, 'session')).toSorted()
  return {
    ...{ url, database, owner, store: openRawStore(database, owner, audienceOf), client: makeClient() },
    kept: () => column('SELECT session FROM raw_file'),
    indexed: async (session: string): Promise<boolean> =>
      (await database.query('SELECT 1 FROM index_file WHERE path LIKE $1', [`%${session}%`])).length > 0,
  }
}

/** Pushes sessions of a project, each with a text of its own. */
async function push(
  { client, store }: Awaited<ReturnType<typeof openHub>>,
  ...sessions: readonly (readonly [project: string, session: string])[]
): Promise<void> {
  for (const [project, session] of sessions)
    client.write({ [`-${project}/${session}.jsonl`]: row(`of ${session}`, { cwd: `/nowhere/${project}` }) })
  await client.push(store)
}

describe.runIf(hasPostgres('what a hub deletes by itself'))('what a hub deletes by itself', () => {
  it('[HU36] ends what is over at the time that is given, but for holds, and the record names the policy', {
    timeout: 120_000,
  }, async () => {
    const hub = await openHub()
    const { url, database, owner } = hub
    await push(hub, ['shop', OLD], ['shop', HELD], ['other', OTHER])
    const [file = {}] = await database.query('SELECT project FROM raw_file WHERE session = $1', [OLD])
    const { tenant } = owner
    await setRetention(database, { tenant, project: numberIn(file, 'project'), days: 30 })
    const held = await addHold(database, owner, {
      ...{ owner: null, project: null, session: HELD, reason: 'a dispute' },
    })
    const start = Date.now()
    await judgeOnce({ database: url, now: () => start + 29 * DAY })
    expect(await hub.kept()).toEqual([OLD, HELD, OTHER])
    expect(await hub.indexed(OLD)).toBe(true)
    await judgeOnce({ database: url, now: () => start + 31 * DAY })
    await judgeOnce({ database: url, now: () => start + 31 * DAY })
    expect(await hub.kept()).toEqual([HELD, OTHER])
    expect(await hub.indexed(OLD)).toBe(false)
    expect(await hub.indexed(HELD)).toBe(true)
    expect(await listAudit(database, tenant, { limit: 9 })).toMatchObject([
      { person: 'policy', action: 'delete', owner: 'ann', session: OLD, detail: 'retention of its project' },
    ])
    // A judge that stays looks when it starts, and again after a day.
    let now = start + 31 * DAY
    const stop = new AbortController()
    const judging = runJudge({ database: url, now: () => now, signal: stop.signal })
    const judged = async (text: string): Promise<void> => {
      await push(hub, ['other', text])
      await vi.waitUntil(() => hub.indexed(text), { timeout: 60_000 })
    }
    await judged('00000000-0000-4000-8000-0000000000a1')
    await removeHold(database, tenant, held)
    now += DAY / 2
    await judged('00000000-0000-4000-8000-0000000000a2')
    expect(await hub.kept()).toContain(HELD)
    now += DAY / 2
    await judged('00000000-0000-4000-8000-0000000000a3')
    expect(await hub.kept()).not.toContain(HELD)
    expect(await hub.kept()).toContain(OTHER)
    stop.abort()
    await judging
  })

  it('[HU42] finishes a deletion that was interrupted, unless a hold came meanwhile', {
    timeout: 120_000,
  }, async () => {
    const hub = await openHub()
    const { url, database, owner } = hub
    await push(hub, ['shop', OLD], ['shop', HELD], ['shop', OTHER])
    await judgeOnce({ database: url })
    const hold = await addHold(database, owner, {
      ...{ owner: null, project: null, session: HELD, reason: 'a dispute' },
    })
    // One ended before the rows of the index went, one before the bytes did.
    for (const session of [OLD, HELD, OTHER]) await markGone(database, owner, session)
    const connection = connectSync(url)
    onTestFinished(() => connection.close())
    const [file = {}] = await database.query('SELECT path FROM raw_file WHERE session = $1', [OTHER])
    dropFiles(connection, { ...owner, paths: [textIn(file, 'path')] })
    await judgeOnce({ database: url })
    expect(await hub.kept()).toEqual([HELD])
    for (const session of [OLD, OTHER]) expect(await hub.indexed(session)).toBe(false)
    await removeHold(database, owner.tenant, hold)
    await judgeOnce({ database: url })
    for (const table of ['raw_file', 'raw_version', 'raw_run', 'raw_block', 'raw_piece'])
      expect([table, await database.query(`SELECT * FROM ${table}`)]).toEqual([table, []])
  })

  it('[HU21] what a push that never ended has left goes after a day', async () => {
    const { url, database, store } = await openHub()
    const texts = ['never committed\n', 'nor this\n'].map(text => Buffer.from(text))
    const missing = async (): Promise<readonly boolean[]> => await store.missing(texts.map(sha256))
    const age = (): Promise<unknown> =>
      database.query("UPDATE raw_block SET taken = now() - interval '2 days'")
    for (const piece of texts) {
      await age()
      await store.put(makePack([sha256(piece)], [piece]))
    }
    // The second one came into the old block of the first one: its push may go on.
    await judgeOnce({ database: url })
    expect(await missing()).toEqual([false, false])
    await age()
    await judgeOnce({ database: url })
    expect(await missing()).toEqual([true, true])
  })
})
