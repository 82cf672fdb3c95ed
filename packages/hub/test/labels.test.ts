/** HU80, HU81: names, tags and notes on a hub: what leaves, who sees it, and what becomes of it. */
import { addTags, discover, giveName, giveNote, type Labelled, type Labels, NO_LABELS } from '@dagline/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audienceOf } from '../src/access/audiences.js'
import type { HubDatabase, Row } from '../src/db/database.js'
import { tryPush } from '../src/push/push.js'
import { openRawStore } from '../src/raw/store.js'
import { makeClient, openRawHub, recordingStore, row, storeOf } from './hub-support.js'
import { type HubWorld, startWorld } from './hub-world.js'
import { hasPostgres } from './postgres.js'

const S1 = '11111111-0000-4000-8000-000000000001'
const S2 = '22222222-0000-4000-8000-000000000002'
const FILES = { [`-shop/${S1}.jsonl`]: row('one'), [`-shop/${S2}.jsonl`]: row('two') }
const FIRST: Labelled = { kind: 'session', id: S1, session: S1 }
const BRANCH: Labelled = { kind: 'branch', id: `${S1}@07e8e1e4`, session: S1 }
const SECOND: Labelled = { kind: 'session', id: S2, session: S2 }
const TOKEN = `ghp_${'aZ3kQ9xW1bT7mN5cR2vL8pY4dH6fJ0gS1uEo'}`

const named = (thing: Labelled, name: string, labels: Labels = NO_LABELS): Labels =>
  giveName(labels, thing, name)

const onHub = (database: HubDatabase): Promise<readonly Row[]> =>
  database.query('SELECT id, name, tags, note FROM raw_label ORDER BY machine, id')

describe.runIf(hasPostgres('names, tags and notes'))('names, tags and notes that are pushed', () => {
  it('[HU80] they leave with their sessions, and once', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write(FILES)
    const labels = addTags(named(BRANCH, 'tax', named(FIRST, 'totals')), SECOND, ['later', 'ui'])
    const { store, calls } = recordingStore(storeOf(database))
    expect((await client.push(store, { labels })).labels).toBe(3)
    expect(await onHub(database)).toEqual([
      { id: S1, name: 'totals', tags: [], note: null },
      { id: `${S1}@07e8e1e4`, name: 'tax', tags: [], note: null },
      { id: S2, name: null, tags: ['later', 'ui'], note: null },
    ])
    calls.length = 0
    expect((await client.push(store, { labels })).labels).toBe(0)
    expect(calls).toEqual(['welcome'])
  })

  it('[HU80] a change replaces what this machine gave, and nothing of another one', async () => {
    const database = await openRawHub()
    const [laptop, desk] = [makeClient('laptop'), makeClient('desk')]
    for (const client of [laptop, desk]) client.write(FILES)
    await laptop.push(storeOf(database), { labels: named(FIRST, 'totals', named(SECOND, 'pages')) })
    await desk.push(storeOf(database), { labels: named(FIRST, 'sums') })
    await laptop.push(storeOf(database), { labels: giveNote(named(FIRST, 'rounding'), FIRST, 'see #12') })
    expect(await onHub(database)).toEqual([
      { id: S1, name: 'rounding', tags: [], note: 'see #12' },
      { id: S1, name: 'sums', tags: [], note: null },
    ])
    await laptop.push(storeOf(database), { labels: NO_LABELS })
    expect(await onHub(database)).toEqual([{ id: S1, name: 'sums', tags: [], note: null }])
  })

  it('[HU13] [HU80] of sessions that stay, and of those that the hub deleted, nothing leaves', async () => {
    const database = await openRawHub()
    const client = makeClient('laptop', { allow: ['/nowhere/shop'], deny: [], plain: [] })
    const home = S2.replace('2', '3')
    client.write({ ...FILES, [`-home/${home}.jsonl`]: row('three', { cwd: '/nowhere/home' }) })
    const labels = named({ kind: 'session', id: home, session: home }, 'private', named(SECOND, 'pages'))
    await client.push(storeOf(database), { labels })
    expect(await onHub(database)).toMatchObject([{ id: S2, name: 'pages' }])
    await database.query('INSERT INTO raw_gone (tenant, person, session) VALUES (1, 1, $1)', [S2])
    await client.push(storeOf(database), { labels })
    expect(await onHub(database)).toEqual([])
  })

  it('[HU14] [HU80] secrets in them are replaced, and a trial says how many leave', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write(FILES)
    const labels = giveNote(named(FIRST, 'totals'), FIRST, `the token is ${TOKEN}`)
    const { state } = client
    const choice = { allow: ['*'], deny: [], plain: [] }
    const trial = await tryPush({ state, choice, roots: discover([client.root]), labels })
    expect([trial.labels, trial.redacted]).toEqual([1, { 'github-token': 1 }])
    const report = await client.push(storeOf(database), { labels })
    expect(report.redacted).toEqual({ 'github-token': 1 })
    const [first] = await onHub(database)
    expect(first?.['name']).toBe('totals')
    expect(first?.['note']).toMatch(/^the token is \S*github-token/)
    expect(JSON.stringify(first)).not.toContain(TOKEN)
  })

  it('[HU80] a hub that is older than names takes the rest', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write(FILES)
    const store = storeOf(database)
    const older = {
      ...store,
      welcome: async () => ({ ...(await store.welcome(MACHINE)), takesLabels: false }),
    }
    expect(await client.push(older, { labels: named(FIRST, 'totals') })).toMatchObject({
      files: 2,
      labels: 0,
    })
    expect(await onHub(database)).toEqual([])
    expect((await client.push(store, { labels: named(FIRST, 'totals') })).labels).toBe(1)
  })
})

const MACHINE = { uuid: '5a4b8a4e-0000-4000-8000-000000000001', name: 'laptop', platform: 'linux' }

describe.runIf(hasPostgres('names, tags and notes that are read'))(
  'names, tags and notes that are read',
  () => {
    let world: HubWorld
    beforeAll(async () => {
      world = await startWorld()
      await world.push('ann', 's1: u1 a1\ns2: u2 a2')
      await world.push('ben', 's3: u3 a3')
      await world.label(
        'ann',
        new Map([
          ['s1', 'totals'],
          ['s2', 'private'],
        ]),
      )
      for (const who of ['ann', 'ben'] as const) await world.judge(who)
      await world.act('ann', { kind: 'share', session: 's1', persons: ['ben'] })
    }, 240_000)
    afterAll(() => world.close())

    interface Cards {
      readonly rows: readonly {
        readonly session?: string
        readonly label?: { readonly name: string } | null
      }[]
    }
    const namesFor = async (who: 'ann' | 'ben'): Promise<readonly string[]> => {
      const text = JSON.stringify(await world.value<Cards>(who, '/api/home'))
      return [...text.matchAll(/"label":\{"kind":"session","id":"[^"]*","name":"([^"]*)"/g)].map(
        ([, name = '']) => name,
      )
    }

    it('[HU80] the list shows those of the sessions that are shown', async () => {
      expect((await namesFor('ann')).toSorted()).toEqual(['private', 'totals'])
      expect(await namesFor('ben')).toEqual(['totals'])
      expect(await world.value('ben', '/api/sessions/s1/labels')).toMatchObject([
        { id: 's1', name: 'totals', tags: ['totals tag'], note: 'totals note' },
      ])
    })

    it('[HU80] nobody labels the sessions of others, or takes a word that means another session', async () => {
      const store = openRawStore(world.database, world.people.ben, audienceOf)
      const { machine } = await store.welcome({ uuid: 'forged', name: 'forged', platform: 'linux' })
      const label = { kind: 'session' as const, session: 's3', tags: [], note: null }
      const forged = [
        { ...label, id: 's1', name: 'forged' },
        { ...label, id: 's1@07e8e1e4', kind: 'branch' as const, name: 'forged-too' },
        { ...label, id: 's3', name: 'latest' },
      ]
      for (const each of forged) expect(await store.keepLabels(machine, [each]), each.id).toBe(0)
      expect(await store.keepLabels(machine, [{ ...label, id: 's3', name: 'own' }])).toBe(1)
      expect(await store.keepLabels(machine, [])).toBe(0)
    })

    it('[HU80] a new name is shown at once, and a deleted session leaves none', async () => {
      await world.label(
        'ann',
        new Map([
          ['s1', 'sums'],
          ['s2', 'private'],
        ]),
      )
      expect(await namesFor('ben')).toEqual(['sums'])
      await world.act('ann', { kind: 'delete', session: 's1' })
      expect(await world.database.query('SELECT name FROM raw_label')).toEqual([{ name: 'private' }])
      expect(await namesFor('ben')).toEqual([])
    })
  },
)
