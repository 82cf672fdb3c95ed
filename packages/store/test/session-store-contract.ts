/**
 * What the Agent SDK documents of a `SessionStore`, as checks for any implementation. They use no test library, so that the
 * lab can hold the SDK's own store to them, too.
 */
import { deepEqual, equal, ok } from 'node:assert/strict'

interface Entry {
  type: string
  uuid?: string
  [name: string]: unknown
}

interface Key {
  projectKey: string
  sessionId: string
  subpath?: string
}

/** A store with all that is optional, but summaries. */
export interface TestedStore {
  append(key: Key, entries: Entry[]): Promise<void>
  load(key: Key): Promise<Entry[] | null>
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>
  listSessionSummaries?(
    projectKey: string,
  ): Promise<{ sessionId: string; mtime: number; data: Record<string, unknown> }[]>
  delete(key: Key): Promise<void>
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>
}

/** One sentence of the contract. */
export interface ContractCase {
  readonly name: string
  /** The SDK says "should": its own store for tests does not keep to all of these. */
  readonly isAdvice?: true
  readonly check: (store: TestedStore) => Promise<void>
}

const KEY: Key = { projectKey: '-home-dev-shop', sessionId: '6262bf4c-407f-4c36-a8af-fe98f84aebf9' }
const AGENT: Key = { ...KEY, subpath: 'subagents/agent-a1b2' }
const OTHER: Key = { ...KEY, sessionId: '00000000-407f-4c36-a8af-fe98f84aebf9' }

const entry = (number: number, more: object = {}): Entry => ({
  ...{ type: 'user', uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` },
  ...{ timestamp: '2026-11-01T10:00:00.000Z', message: { role: 'user', content: `prompt ${number}` } },
  ...more,
})
const note = (text: string): Entry => ({ type: 'ai-title', aiTitle: text, sessionId: KEY.sessionId })

/** Values that lose something in careless hands. */
const ODD: readonly Entry[] = [
  entry(1, { text: 'line\nbreak\r\n\u2028\u2029\u0000 "quoted" \\ \ud83e\udd93 ' }),
  entry(2, { deep: [[{ a: [null, true, 0, -1.5, 1e300] }]], empty: {}, none: [] }),
  entry(3, JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')),
  entry(4, { large: 'x'.repeat(300_000) }),
  note('a note'),
]

const CASES: readonly ContractCase[] = [
  {
    name: 'a key that was never written gives null',
    check: async store => {
      equal(await store.load(KEY), null)
      equal(await store.load(AGENT), null)
    },
  },
  {
    name: 'what is loaded is deeply equal to what was appended',
    check: async store => {
      await store.append(KEY, structuredClone([...ODD]))
      deepEqual(await store.load(KEY), ODD)
    },
  },
  {
    name: 'entries are in the order of the calls, also of calls that did not wait',
    check: async store => {
      const all = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? note(`${at}`) : entry(at)))
      const calls = Array.from({ length: 20 }, (_, at) => store.append(KEY, all.slice(at * 3, at * 3 + 3)))
      await Promise.all(calls)
      deepEqual(await store.load(KEY), all)
    },
  },
  {
    name: 'projects, sessions and subagents are apart',
    check: async store => {
      const keys = [
        KEY,
        AGENT,
        OTHER,
        { ...KEY, projectKey: 'tenant-2' },
        { ...AGENT, subpath: 'subagents/agent-c3' },
      ]
      for (const [at, key] of keys.entries()) await store.append(key, [entry(at)])
      for (const [at, key] of keys.entries()) deepEqual(await store.load(key), [entry(at)])
    },
  },
  {
    name: 'an entry that comes again is there once',
    isAdvice: true,
    check: async store => {
      await store.append(KEY, [entry(1), entry(2)])
      await store.append(KEY, [entry(2), entry(3), entry(3)])
      deepEqual(await store.load(KEY), [entry(1), entry(2), entry(3)])
    },
  },
  {
    name: 'a note that is written again is there twice',
    check: async store => {
      await store.append(KEY, [note('same'), entry(1)])
      await store.append(KEY, [note('same')])
      await store.append(KEY, [entry(2), note('same'), note('same')])
      equal((await store.load(KEY))?.filter(({ type }) => type === 'ai-title').length, 4)
    },
  },
  {
    name: 'later changes of what was given do not matter',
    isAdvice: true,
    check: async store => {
      const given = entry(1)
      await store.append(KEY, [given])
      given['changed'] = true
      deepEqual(await store.load(KEY), [entry(1)])
    },
  },
  {
    name: 'sessions of a project are listed with whole milliseconds, subagents are not',
    check: async store => {
      deepEqual(await store.listSessions(KEY.projectKey), [])
      await store.append(KEY, [entry(1)])
      await store.append(AGENT, [entry(2)])
      await store.append({ ...OTHER, projectKey: 'elsewhere' }, [entry(3)])
      const [only, ...more] = await store.listSessions(KEY.projectKey)
      deepEqual([only?.sessionId, more], [KEY.sessionId, []])
      ok(Number.isInteger(only?.mtime))
    },
  },
  {
    name: 'the time of a session does not go back when it is written to',
    check: async store => {
      await store.append(KEY, [entry(1)])
      const [before] = await store.listSessions(KEY.projectKey)
      await store.append(KEY, [entry(2)])
      const [after] = await store.listSessions(KEY.projectKey)
      ok((after?.mtime ?? 0) >= (before?.mtime ?? 0))
    },
  },
  {
    name: 'subkeys of a session are listed as they were given',
    check: async store => {
      const subpaths = ['subagents/agent-a1', 'subagents/agent-b2', 'subagents/workflows/wf_1/agent-c3']
      for (const subpath of subpaths) await store.append({ ...KEY, subpath }, [entry(1)])
      await store.append(KEY, [entry(1)])
      await store.append({ ...OTHER, subpath: 'subagents/agent-z' }, [entry(1)])
      deepEqual((await store.listSubkeys(KEY)).sort(), subpaths)
      deepEqual(await store.listSubkeys({ ...KEY, projectKey: 'none' }), [])
    },
  },
  {
    name: 'a session is deleted with its subagents, a subagent alone',
    check: async store => {
      for (const key of [KEY, AGENT, { ...KEY, subpath: 'subagents/agent-c3' }, OTHER])
        await store.append(key, [entry(1)])
      await store.delete(AGENT)
      equal(await store.load(AGENT), null)
      deepEqual(await store.listSubkeys(KEY), ['subagents/agent-c3'])
      await store.delete(KEY)
      equal(await store.load(KEY), null)
      deepEqual(await store.listSubkeys(KEY), [])
      deepEqual(
        (await store.listSessions(KEY.projectKey)).map(({ sessionId }) => sessionId),
        [OTHER.sessionId],
      )
    },
  },
  {
    name: 'what was deleted can be written again, and nothing can be deleted',
    check: async store => {
      await store.delete(KEY)
      await store.append(KEY, [entry(1), note('one')])
      await store.delete(KEY)
      await store.append(KEY, [entry(1)])
      deepEqual(await store.load(KEY), [entry(1)])
    },
  },
  {
    name: 'summaries are of the listed sessions, with their times, and follow what is appended',
    check: async store => {
      if (store.listSessionSummaries === undefined) return
      await store.append(KEY, [entry(1)])
      await store.append(AGENT, [entry(9)])
      await store.append(OTHER, [entry(2), note('a title')])
      const named = await store.listSessionSummaries(KEY.projectKey)
      const titled = named.find(({ sessionId }) => sessionId === OTHER.sessionId)
      deepEqual(byId(named), byId(await store.listSessions(KEY.projectKey)))
      ok(JSON.stringify(titled?.data).includes('a title'))
    },
  },
]

function byId(sessions: readonly { sessionId: string; mtime: number }[]): object {
  return Object.fromEntries(sessions.map(({ sessionId, mtime }) => [sessionId, mtime]))
}

/** All sentences. Each is checked on a store without sessions. */
export const SESSION_STORE_CONTRACT: readonly ContractCase[] = CASES

/** Makes a store without sessions. */
export type StoreFactory = () => TestedStore | Promise<TestedStore>

/**
 * Checks all sentences on stores of a factory, each on one of its own. Returns what failed; advice counts where it is asked for.
 */
export async function failuresOf(
  newStore: StoreFactory,
  { withAdvice = true }: { readonly withAdvice?: boolean } = {},
): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { name, isAdvice, check } of SESSION_STORE_CONTRACT)
    if (withAdvice || isAdvice !== true)
      await check(await newStore()).catch((error: unknown) => failed.push(`${name}: ${String(error)}`))
  return failed
}
