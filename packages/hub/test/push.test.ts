/** A client against a hub with a real database: what leaves, what it costs, and what becomes of interruptions. */
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { discover, StoreError } from '@dagline/store'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PUSHED } from '../src/db/listen.js'
import { tryPush } from '../src/push/push.js'
import type { RawStore } from '../src/raw/model.js'
import { listVersions, verifyRaw } from '../src/raw/stream.js'
import { contentsOf, makeClient, openRawHub, recordingStore, row, storeOf } from './hub-support.js'
import { hasPostgres } from './postgres.js'

const S1 = '-shop/11111111-0000-4000-8000-000000000001.jsonl'
const A1 = '-shop/11111111-0000-4000-8000-000000000001/subagents/agent-a1.jsonl'
const S2 = '-shop/22222222-0000-4000-8000-000000000002.jsonl'
const TOOL = '-shop/11111111-0000-4000-8000-000000000001/tool-results/t1.txt'
const TOKEN = `ghp_${'aZ3kQ9xW1bT7mN5cR2vL8pY4dH6fJ0gS1uEo'}`

const onHub = (path: string): string => path.replace('-shop/', '-shop@laptop/')
const OWNER = { tenant: 1, person: 1 }

describe.runIf(hasPostgres('pushes'))('a push', () => {
  it('[HU13] nothing leaves unless a project is named, and a denied one never does', async () => {
    const database = await openRawHub()
    for (const choice of [
      { allow: [], deny: [], plain: [] },
      { allow: ['*'], deny: ['/nowhere'], plain: [] },
    ]) {
      const client = makeClient('laptop', choice)
      client.write({ [S1]: row('one'), [A1]: row('agent') })
      const { store, calls } = recordingStore(storeOf(database))
      const report = await client.push(store)
      expect([calls, report.allowed, report.held.length]).toEqual([[], 0, 1])
      expect(report.held[0]).toMatchObject({
        sessions: 1,
        reason: choice.deny.length > 0 ? 'denied' : 'not-allowed',
      })
    }
    expect(await contentsOf(database)).toEqual({})
  })

  it('[HU13] the remote of the working directory decides, also when the folder is gone', async () => {
    const database = await openRawHub()
    const client = makeClient('laptop', { allow: ['github.com/acme'], deny: [], plain: [] })
    mkdirSync(join(client.work, '.git'))
    writeFileSync(join(client.work, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(
      join(client.work, '.git', 'config'),
      '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n',
    )
    client.write({ [S1]: row('one', { cwd: client.work }), [S2]: row('two') })
    await client.push(storeOf(database))
    expect(Object.keys(await contentsOf(database))).toEqual([onHub(S1)])
    const [version] = await listVersions(database, OWNER)
    expect(version).toMatchObject({
      project: 'github.com/acme/shop',
      machine: 'laptop',
      place: join(client.root, S1),
    })
    rmSync(client.work, { recursive: true })
    client.append(S1, row('three', { cwd: client.work }))
    expect((await client.push(storeOf(database))).files).toBe(1)
  })

  it('[HU15] sends what the hub lacks, and an unchanged root costs one question', async () => {
    const database = await openRawHub()
    const client = makeClient()
    const odd = Buffer.from([0xff, 0xfe, 0, 10, 0xc3, 0x28])
    client.write({
      [S1]: row('one') + row('two'),
      [A1]: row('agent'),
      [TOOL]: odd,
      [S2]: `${row('one')}{"torn`,
    })
    const first = await client.push(storeOf(database))
    expect(first).toMatchObject({ allowed: 2, sessions: 2, files: 4, heldFiles: [] })
    const contents = await contentsOf(database)
    expect(contents[onHub(S1)]).toBe(readFileSync(join(client.root, S1), 'utf8'))
    expect(contents[onHub(S2)]).toBe(readFileSync(join(client.root, S2), 'utf8'))
    expect(await verifyRaw(database, OWNER)).toMatchObject({ versions: 4, problems: [] })
    const { store, calls } = recordingStore(storeOf(database))
    expect(await client.push(store)).toMatchObject({ files: 0, bytes: 0, sent: 0 })
    expect(calls).toEqual(['welcome'])
  })

  it('[HU15] a session that grew costs its new rows', async () => {
    const database = await openRawHub()
    const client = makeClient()
    const rows = Array.from({ length: 500 }, (_, at) => row(`row ${at} ${'text '.repeat(at)}`))
    client.write({ [S1]: rows.join('') })
    await client.push(storeOf(database))
    client.append(S1, row('one more'))
    const { store, calls } = recordingStore(storeOf(database))
    const more = await client.push(store)
    expect(more).toMatchObject({ files: 1, bytes: row('one more').length })
    expect(more.sent).toBeLessThanOrEqual(row('one more').length)
    expect(calls).toEqual(['welcome', 'missing', 'put', 'commit'])
    expect(await verifyRaw(database, OWNER)).toMatchObject({ versions: 1, problems: [] })
  })

  it('[HU70] the judge is called at the end of a push, however many commits it takes', async () => {
    const database = await openRawHub()
    const listener = await database.pool.connect()
    onTestFinished(() => listener.release(true))
    const heard: string[] = []
    listener.on('notification', ({ payload = '' }) => heard.push(payload))
    await listener.query(`LISTEN ${PUSHED}`)
    const client = makeClient()
    for (let nth = 0; nth < 250; nth++)
      client.write({ [S1.replace('000000000001', String(nth).padStart(12, '0'))]: row(`session ${nth}`) })
    const { store, calls } = recordingStore(storeOf(database))
    expect((await client.push(store)).sessions).toBe(250)
    await database.query('SELECT pg_notify($1, $2)', [PUSHED, 'end'])
    await expect.poll(() => heard.at(-1)).toBe('end')
    expect(calls.filter(call => call === 'commit')).toHaveLength(3)
    expect(heard).toEqual(['1:1', 'end'])
  })

  it('[HU15] what this machine remembers may be lost: the hub tells what it has', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write({ [S1]: row('one'), [S2]: row('two') })
    await client.push(storeOf(database))
    client.forget()
    client.append(S2, row('three'))
    const { store, calls } = recordingStore(storeOf(database))
    expect(await client.push(store)).toMatchObject({ files: 1, bytes: row('three').length })
    expect(calls).toEqual(['welcome', 'files', 'missing', 'put', 'commit'])
    expect(await client.push(store)).toMatchObject({ files: 0 })
    expect(await verifyRaw(database, OWNER)).toMatchObject({ versions: 2, problems: [] })
  })

  it('[HU15] a file that was cut or replaced is a further version', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write({ [S1]: row('one') + row('two') })
    await client.push(storeOf(database))
    truncateSync(join(client.root, S1), row('one').length)
    expect((await client.push(storeOf(database))).files).toBe(1)
    client.write({ [S1]: row('other') + row('two') })
    await client.push(storeOf(database))
    const versions = await listVersions(database, OWNER, { all: true })
    expect(versions.map(({ number, bytes }) => [number, bytes])).toEqual([
      [1, row('one').length + row('two').length],
      [2, row('one').length],
      [3, row('other').length + row('two').length],
    ])
    expect(await verifyRaw(database, OWNER)).toMatchObject({ versions: 3, problems: [] })
  })

  it('[HU15] a row that is being written waits for its newline', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write({ [S1]: `${row('one')}{"type":"user","mess` })
    const now = { now: Date.now }
    await client.push(storeOf(database), now)
    expect((await contentsOf(database))[onHub(S1)]).toBe(row('one'))
    client.append(S1, 'age":1}\n')
    await client.push(storeOf(database), now)
    expect((await contentsOf(database))[onHub(S1)]).toBe(`${row('one')}{"type":"user","message":1}\n`)
    expect(await listVersions(database, OWNER, { all: true })).toHaveLength(1)
  })

  it('[HU14] secrets are replaced by the same placeholder everywhere, and both hashes are kept', async () => {
    const database = await openRawHub()
    const client = makeClient()
    const text = `${row(`use ${TOKEN} now`)}${row('plain')}`
    client.write({ [S1]: text, [A1]: row(`again ${TOKEN}`), [TOOL]: `token: ${TOKEN}\n`, [S2]: row(TOKEN) })
    const report = await client.push(storeOf(database))
    expect(report.redacted).toEqual({ 'github-token': 4 })
    const contents = Object.values(await contentsOf(database))
    expect(contents.join('')).not.toContain(TOKEN)
    const placeholders = new Set(contents.join('').match(/\[redacted:[^\]]+\]/g))
    expect(placeholders.size).toBe(1)
    expect(contents[0]?.split('\n')[1]).toBe(row('plain').trim())
    const versions = await listVersions(database, OWNER)
    expect(versions.map(({ placeholders: count }) => count)).toEqual([1, 1, 1, 1])
    expect(versions[0]?.originalBytes).toBe(text.length)
    expect(await verifyRaw(database, OWNER)).toMatchObject({ problems: [] })
  })

  it('[HU14] what a sent row has shown to be a secret is replaced in later rows, too', async () => {
    const database = await openRawHub()
    const client = makeClient()
    const secret = 'hunter2-Zq8vW3xK'
    client.write({ [S1]: row(`export DB_PASSWORD=${secret}\n`), [A1]: row('nothing yet') })
    await client.push(storeOf(database))
    client.append(S1, row(`it was ${secret} then`))
    client.append(A1, row(`they said ${secret} there`))
    await client.push(storeOf(database))
    const before = await contentsOf(database)
    expect(Object.values(before).join('')).not.toContain(secret)
    client.forget()
    client.append(A1, row(`once more ${secret}`))
    await client.push(storeOf(database))
    const after = Object.values(await contentsOf(database)).join('')
    expect(after).not.toContain(secret)
    expect(after).toContain('once more [redacted:')
  })

  it('[HU14] redaction is off only where it was switched off', async () => {
    const database = await openRawHub()
    const client = makeClient('laptop', { allow: ['*'], deny: [], plain: ['/nowhere/shop'] })
    client.write({ [S1]: row(TOKEN), [S2]: row(TOKEN, { cwd: '/nowhere/else' }) })
    await client.push(storeOf(database))
    const contents = await contentsOf(database)
    expect(contents[onHub(S1)]).toContain(TOKEN)
    expect(contents[onHub(S2)]).not.toContain(TOKEN)
  })

  it('[HU14] a row that is too long to be searched stays, with a reason', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write({ [S1]: row('x'.repeat(17 * 1024 * 1024)), [S2]: row('two') })
    const report = await client.push(storeOf(database))
    expect(report.heldFiles).toMatchObject(
      [{ place: join(client.root, S1), reason: /16 MiB.+push-plain/ }].map(held => ({
        place: held.place,
        reason: expect.stringMatching(held.reason),
      })),
    )
    expect(Object.keys(await contentsOf(database))).toEqual([onHub(S2)])
  })

  it('[HU37] what was deleted on the hub is neither sent nor waiting', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write({ [S1]: row('one'), [S2]: row('two') })
    const [gone = ''] = S1.split('/').at(-1)?.split('.') ?? []
    await database.query('INSERT INTO raw_gone (tenant, person, session) VALUES (1, 1, $1)', [gone])
    const report = await client.push(storeOf(database))
    expect(report).toMatchObject({ files: 1, heldFiles: [], deleted: [gone] })
    const choice = { allow: ['*'], deny: [], plain: [] }
    const trial = { roots: discover([client.root]), choice, state: client.state, gone: new Set([gone]) }
    expect(await tryPush(trial)).toMatchObject({ files: 0, deleted: [gone] })
  })

  it('[HU13] a dry run counts sessions, bytes and secrets by kind, and sends nothing', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write({ [S1]: row(`use ${TOKEN}`), [S2]: row('two') })
    const choice = { allow: ['*'], deny: [], plain: [] }
    const roots = discover([client.root])
    const trial = await tryPush({ roots, choice, state: client.state })
    const { sent: _, ...real } = await client.push(storeOf(database))
    expect(trial).toMatchObject({ ...real, sent: 0 })
    expect(await tryPush({ roots, choice, state: client.state })).toMatchObject({ files: 0 })
  })

  it('[HU15] a push that is cut off at any call is completed by the next one', async () => {
    const database = await openRawHub()
    const write = (client: ReturnType<typeof makeClient>): void =>
      client.write({
        [S1]: row('one') + row(`use ${TOKEN}`),
        [A1]: row('agent'),
        [S2]: row('x'.repeat(3_000_000)),
      })
    const calm = makeClient()
    write(calm)
    await calm.push(storeOf(database, 99))
    const expected = await contentsOf(database, 99)
    let isCut = true
    for (let at = 1; isCut; at++) {
      const client = makeClient()
      write(client)
      const store = storeOf(database, at)
      for (const isLost of [true, false]) {
        isCut = await cutAt(store, at, isLost, cut => client.push(cut))
      }
      await client.push(store)
      expect(await contentsOf(database, at)).toEqual(expected)
      expect(await verifyRaw(database, { tenant: 1, person: at })).toMatchObject({
        versions: 3,
        problems: [],
      })
    }
  })

  it('[HU15] two clients of one machine that push the same growing session leave it there once', async () => {
    const database = await openRawHub()
    const client = makeClient()
    client.write({ [S1]: row('0') })
    const other = makeClient()
    const store = storeOf(database)
    for (let at = 1; at < 12; at++) {
      client.append(S1, row(`${at}`))
      const roots = discover([client.root])
      await Promise.all([client.push(store, { roots }), other.push(store, { roots })])
    }
    expect((await contentsOf(database))[onHub(S1)]).toBe(readFileSync(join(client.root, S1), 'utf8'))
    expect(await listVersions(database, OWNER, { all: true })).toHaveLength(1)
    expect(await verifyRaw(database, OWNER)).toMatchObject({ versions: 1, problems: [] })
  })
})

/** Pushes through a store whose nth call fails, before or after it was done; whether there was such a call. */
async function cutAt(
  store: RawStore,
  nth: number,
  isLost: boolean,
  push: (store: RawStore) => Promise<unknown>,
): Promise<boolean> {
  let count = 0
  const cutting = <A extends unknown[], T>(call: (...words: A) => Promise<T>) => {
    return async (...words: A): Promise<T> => {
      const isNow = ++count === nth
      if (isNow && !isLost) throw new StoreError('unreachable', 'cut')
      const value = await call(...words)
      if (isNow) throw new StoreError('unreachable', 'cut')
      return value
    }
  }
  const { welcome, files, missing, put, commit } = store
  const cut: RawStore = {
    ...store,
    welcome: cutting(welcome),
    files: cutting(files),
    missing: cutting(missing),
    put: cutting(put),
    commit: cutting(commit),
  }
  await push(cut).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error
  })
  return count >= nth
}
