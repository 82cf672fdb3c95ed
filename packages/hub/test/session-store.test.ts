/** The contract of the Agent SDK's `SessionStore`, and imports, on a hub. */
import { describe, expect, it } from 'vitest'
import { SESSION_STORE_CONTRACT } from '../../store/test/session-store-contract.js'
import { listVersions, verifyRaw } from '../src/raw/stream.js'
import { createHubSessionStore, type HubSessionStore } from '../src/session-store/session-store.js'
import { openRawHub } from './hub-support.js'
import { hasPostgres } from './postgres.js'

const KEY = { projectKey: '-home-dev-shop', sessionId: '6262bf4c-407f-4c36-a8af-fe98f84aebf9' }
const entry = (number: number) => ({
  type: 'user',
  uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
})

describe.runIf(hasPostgres('a session store on a hub'))('a session store on a hub', async () => {
  let person = 0
  const opened = async (): Promise<{
    store: HubSessionStore
    other: HubSessionStore
    database: Awaited<ReturnType<typeof openRawHub>>
  }> => {
    const database = await openRawHub()
    const owner = { tenant: 1, person: ++person }
    const open = (): HubSessionStore => createHubSessionStore(database, owner, async () => 0)
    return { store: open(), other: open(), database }
  }

  it.each(SESSION_STORE_CONTRACT)('[HU18] $name', async ({ check }) => {
    await check((await opened()).store)
  })

  it('[HU18] importing twice changes nothing, also from another process', async () => {
    const { store, other, database } = await opened()
    const rows = [
      entry(1),
      { type: 'ai-title', aiTitle: 'shop' },
      entry(2),
      { type: 'mode', mode: 'plan' },
      entry(3),
    ]
    await store.append(KEY, rows)
    const before = await listVersions(database, { tenant: 1, person }, { all: true })
    await store.append(KEY, rows)
    await other.append(KEY, rows)
    expect(await listVersions(database, { tenant: 1, person }, { all: true })).toEqual(before)
    expect(await store.load(KEY)).toEqual(rows)
    expect(await verifyRaw(database, { tenant: 1, person })).toMatchObject({ problems: [] })
  })

  it('[HU18] two processes that append to one session lose nothing', async () => {
    const { store, other } = await opened()
    const all = Array.from({ length: 20 }, (_, at) => entry(at))
    await Promise.all(
      all.map(each => (Number(each.uuid.slice(-1)) % 2 === 0 ? store : other).append(KEY, [each])),
    )
    const loaded = (await store.load(KEY)) ?? []
    expect(loaded.map(({ uuid }) => uuid).sort()).toEqual(all.map(({ uuid }) => uuid))
  })

  it('[HU18] what is said of a subagent is a sidecar, too', async () => {
    const { store, database } = await opened()
    const key = { ...KEY, subpath: 'subagents/agent-a1' }
    await store.append(key, [entry(1), { type: 'agent_metadata', agentType: 'Explore' }])
    const paths = (await listVersions(database, { tenant: 1, person })).map(({ path, kind }) => [path, kind])
    expect(paths).toEqual([
      [`-home-dev-shop@sdk/${KEY.sessionId}/subagents/agent-a1.jsonl`, 'agent'],
      [`-home-dev-shop@sdk/${KEY.sessionId}/subagents/agent-a1.meta.json`, 'meta'],
    ])
    await store.delete(key)
    expect(await listVersions(database, { tenant: 1, person })).toEqual([])
  })
})
