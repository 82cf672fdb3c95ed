/** Who sees what of the index, and what is left of files that are removed. */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openIndex } from '@dagline/store'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { dumpAnswers } from '../../store/test/dump.js'
import { syncFolder } from '../../store/test/indexes.js'
import { temporaryFolder, writeFiles } from '../../store/test/temporary.js'
import { connectSync } from '../src/db/sync-connection.js'
import { becomeOwner } from '../src/index/as-person.js'
import { setAudience } from '../src/index/set-audience.js'
import { openPgIndex, openPgReader } from '../src/index/store.js'
import { type IndexPlaces, openPlaces } from './index-places.js'
import { hasPostgres } from './postgres.js'

const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')

describe.runIf(hasPostgres('audiences of the index'))('audiences of the index', () => {
  let places: IndexPlaces
  beforeAll(async () => {
    places = await openPlaces()
  })
  afterAll(() => places.close())

  /** A tenant with some persons, each with an audience of its own, and what they share. */
  function addTenant(name: string): { tenant: number; persons: number[]; own: number[]; everyone: number } {
    const { connection } = places
    becomeOwner(connection)
    const [{ id: tenant } = {}] = connection.query(
      'INSERT INTO access_tenant (name) VALUES ($1) RETURNING id',
      [name],
    )
    const persons = ['ann', 'ben'].map(each => {
      const sql = "INSERT INTO access_person (tenant, name, role) VALUES ($1, $2, 'member') RETURNING id"
      return Number(connection.query(sql, [Number(tenant), each])[0]?.['id'])
    })
    const addAudience = (owner: number, everyone: boolean): number => {
      const sql =
        "INSERT INTO access_audience (tenant, owner, everyone, persons) VALUES ($1, $2, $3, '{}') RETURNING id"
      return Number(connection.query(sql, [Number(tenant), owner, everyone])[0]?.['id'])
    }
    const own = persons.map(person => addAudience(person, false))
    return { tenant: Number(tenant), persons, own, everyone: addAudience(persons[0] ?? 0, true) }
  }

  it('[HU5] a reader sees what an index of the own files alone would say', { timeout: 120_000 }, async () => {
    const { tenant, persons, own } = addTenant('first')
    const index = places.writer(tenant, () => own[0] ?? 0)
    await syncFolder(index, SAMPLES)
    const [ann, ben] = persons.map(person => places.reader(tenant, person))
    const local = openIndex(':memory:')
    await syncFolder(local, SAMPLES)
    expect(ann && dumpAnswers(ann, 1)).toEqual(dumpAnswers(local, 1))
    for (const word of ['the', 'error', 'src'])
      for (const sort of ['rank', 'time'] as const)
        expect(ann?.find([{ words: [word], isPrefix: true }], {}, 50, sort).map(({ node }) => node)).toEqual(
          local.find([{ words: [word], isPrefix: true }], {}, 50, sort).map(({ node }) => node),
        )
    expect(ben && dumpAnswers(ben, 1)).toEqual({
      files: [],
      texts: [],
      total: 0,
      sessions: [],
      agents: [],
      branches: [],
      touches: [],
      groupTouches: [],
      usage: [],
      diagnostics: [],
    })
    // A writer on the same connection in between leaves the reader what it is.
    places.writer(tenant).files(1)
    expect([ben?.count([], {}), ann?.count([], {})]).toEqual([0, local.count([], {})])
    expect([ben?.vocabulary(), ben?.locate('uuid', ''), ben?.locate('session', '')]).toEqual(['', [], []])
    const stranger = addTenant('second')
    const other = places.reader(stranger.tenant, stranger.persons[0] ?? 0)
    expect([
      other.count([], {}),
      other.count([{ words: ['the'], isPrefix: false }], {}),
      other.findRoot('/x'),
    ]).toEqual([0, 0, null])
    local.close()
  })

  it('[HU5] of a group of two audiences each is told its own part', async () => {
    const { tenant, persons, own, everyone } = addTenant('third')
    const folder = temporaryFolder()
    // The second session goes on with the entries of the first: their files are one group.
    writeFiles(folder, {
      '-a/11111111-1111-4111-8111-111111111111.jsonl': session('11111111-1111-4111-8111-111111111111', [
        'u1',
        'u2',
        'secretword',
      ]),
      '-a/22222222-2222-4222-8222-222222222222.jsonl': session('22222222-2222-4222-8222-222222222222', [
        'u1',
        'u3',
        'openword',
      ]),
    })
    const index = places.writer(tenant, path => (path.includes('2222') ? everyone : (own[0] ?? 0)))
    await syncFolder(index, folder)
    expect(index.files(1).map(({ group }) => group)).toEqual([
      index.files(1)[0]?.group,
      index.files(1)[0]?.group,
    ])
    const [ann, ben] = persons.map(person => places.reader(tenant, person))
    const seen = (reader: typeof ann): readonly unknown[] => [
      reader
        ?.sessions()
        .map(({ session: id }) => id.slice(0, 4))
        .sort(),
      reader?.files(1).length,
      reader?.count([{ words: ['secretword'], isPrefix: false }], {}),
      reader?.count([{ words: ['openword'], isPrefix: true }], {}),
    ]
    expect(seen(ann)).toEqual([['1111', '2222'], 2, 1, 1])
    expect(seen(ben)).toEqual([['2222'], 1, 0, 1])
    expect(JSON.stringify(ben && dumpAnswers(ben, 1))).not.toContain('secretword')
  })

  it('[HU5] files that are given another audience are seen as if they had had it all the time', {
    timeout: 120_000,
  }, async () => {
    const [before, after] = ['before', 'after'].map(addTenant)
    if (before === undefined || after === undefined) throw new RangeError('no tenants')
    const isShared = (path: string): boolean => path.length % 2 === 0
    const changed = places.writer(before.tenant, path => (isShared(path) ? 0 : before.everyone))
    const made = places.writer(after.tenant, path => (isShared(path) ? after.everyone : (after.own[0] ?? 0)))
    for (const index of [changed, made]) {
      await syncFolder(index, SAMPLES)
      index.close()
    }
    const files = (shared: boolean): number[] =>
      changed
        .files(1)
        .filter(({ path }) => isShared(path) === shared)
        .map(({ id }) => id)
    setAudience(places.connection, { tenant: before.tenant, files: files(true) }, before.everyone)
    setAudience(places.connection, { tenant: before.tenant, files: files(false) }, before.own[0] ?? 0)
    for (const nth of [0, 1]) {
      const seen = [before, after].map(({ tenant, persons }) =>
        dumpAnswers(places.reader(tenant, persons[nth] ?? 0), 1),
      )
      expect(seen[0]).toEqual(seen[1])
      expect(seen[0]).not.toMatchObject({ total: 0 })
    }
  })

  it('[HU76] words are counted once, those of new texts are added, and those of hidden files are gone at once', async () => {
    const { tenant, persons, own, everyone } = addTenant('words')
    const folder = temporaryFolder()
    const files = ['11111111', '22222222'].map(start => `${start}-1111-4111-8111-111111111111`)
    const write = (nth: number, names: readonly string[]): void =>
      writeFiles(folder, { [`-a/${files[nth]}.jsonl`]: session(files[nth] ?? '', names) })
    write(0, ['u1', 'sharedword'])
    const index = places.writer(tenant, path => (path.includes('1111-') ? everyone : (own[0] ?? 0)))
    await syncFolder(index, folder)
    const connection = connectSync(places.url)
    onTestFinished(() => connection.close())
    const asked: string[] = []
    const query: typeof connection.query = (text, values) => {
      asked.push(text)
      return connection.query(text, values)
    }
    const ben = openPgReader({ ...connection, query }, { tenant, person: persons[1] ?? 0 })
    const words = (): string => ben.vocabulary().replaceAll('\t', ' ').split('\n').sort().join(' ').trim()
    const counts = (): number => asked.filter(text => text.includes('string_agg')).length
    expect([words(), counts()]).toEqual(['says 2 sharedword 1 u1 1', 1])
    expect([words(), counts()]).toEqual(['says 2 sharedword 1 u1 1', 1])
    write(0, ['u1', 'sharedword', 'addedword'])
    await syncFolder(index, folder)
    expect([words(), counts()]).toEqual(['addedword 1 says 2 sharedword 1 u1 1', 1])
    const hide = (audience: number): void => {
      const ids = index.files(1).map(({ id }) => id)
      index.close()
      setAudience(places.connection, { tenant, files: ids }, audience)
    }
    hide(own[0] ?? 0)
    expect([words(), counts()]).toEqual(['', 2])
    hide(everyone)
    expect([words(), counts()]).toEqual(['addedword 1 says 1 sharedword 1 u1 1', 2])
    rmSync(join(folder, '-a'), { recursive: true })
    write(1, ['u2'])
    await syncFolder(index, folder)
    hide(everyone)
    expect([words(), counts()]).toEqual(['says 1 u2 1', 3])
  })

  it('[HU5] policies hold for any statement of a reader, and nothing can be written', () => {
    const { tenant, own, persons } = addTenant('fourth')
    const index = places.writer(tenant, () => own[0] ?? 0)
    const file = index.addFile(index.rootId('/one'), {
      path: '-a/s1.jsonl',
      project: '-a',
      facts: {} as never,
      state: null,
      diagnostics: [],
      bytes: 0,
      isArchived: false,
    })
    expect(file).toBeGreaterThan(0)
    index.close()
    const reader = places.reader(tenant, persons[1] ?? 0)
    expect(reader.count([], {})).toBe(0)
    // The connection is the reader's now, whatever is asked.
    for (const table of ['index_file', 'index_text', 'index_node', 'index_answer'])
      expect(places.connection.query(`SELECT count(*) AS total FROM ${table}`)).toEqual([{ total: 0 }])
    for (const sql of [
      'SELECT listing FROM index_root',
      'SELECT * FROM index_root_answer',
      'SELECT * FROM index_text_0',
      `INSERT INTO index_root (tenant, id, path, filling) VALUES (${tenant}, 9, 'x', true)`,
      'DELETE FROM index_file',
    ])
      expect(() => places.connection.query(sql)).toThrow(/is not allowed to do this/)
  })

  it('[HU6] files that are removed leave no row in any table', { timeout: 120_000 }, async () => {
    const { tenant, own } = addTenant('fifth')
    const folder = temporaryFolder()
    writeFiles(folder, {
      '-a/11111111-1111-4111-8111-111111111111.jsonl': session('11111111-1111-4111-8111-111111111111', [
        'u1',
        'u2',
      ]),
    })
    const index = places.writer(tenant, () => own[0] ?? 0)
    await syncFolder(index, folder)
    const rows = (): Record<string, number> => countRows(places, tenant)
    expect(rows()['index_text']).toBeGreaterThan(0)
    rmSync(join(folder, '-a'), { recursive: true })
    await syncFolder(index, folder)
    const { index_root, ...others } = rows()
    expect(index_root).toBe(1)
    expect(Object.entries(others).filter(([, total]) => total > 0)).toEqual([
      ['index_root_answer', expect.any(Number)],
    ])
  })

  it('[HU6] of two writers of a root one waits for the other: nothing is there twice', {
    timeout: 120_000,
  }, async () => {
    const { tenant, own } = addTenant('sixth')
    const [audience = 0] = own
    const first = openPgIndex(places.connection, { tenant, audienceOf: () => audience })
    first.rootId(SAMPLES)
    // In a thread: waiting for the lock stops its own.
    const second = new Worker(new URL('./second-writer.ts', import.meta.url), {
      workerData: { url: places.url, tenant, audience, folder: SAMPLES },
    })
    onTestFinished(async () => {
      await second.terminate()
    })
    const answer = once(second, 'message')
    await syncFolder(first, SAMPLES)
    first.close()
    const [read] = await answer
    expect(read).toBe(0)
    const again = openPgReader(places.connection, { tenant, person: 0 })
    expect(again.count([], {})).toBe(0)
    becomeOwner(places.connection)
    expect(countRows(places, tenant)['index_root']).toBe(1)
  })
})

/** How many rows of a tenant each table has. */
function countRows({ url }: IndexPlaces, tenant: number): Record<string, number> {
  const connection = connectSync(url)
  const names = connection
    .query(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relname LIKE 'index\\_%' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
    )
    .map(({ name }) => String(name))
  const counts = names.map(name => {
    const [row] = connection.query(`SELECT count(*) AS total FROM ${name} WHERE tenant = $1`, [tenant])
    return [name, Number(row?.['total'])] as const
  })
  connection.close()
  return Object.fromEntries(counts)
}

/** A session in which entries follow each other; each says its own name. */
function session(id: string, names: readonly string[]): string {
  const uuid = (name: string): string =>
    `${Buffer.from(name.padEnd(4)).toString('hex').slice(0, 8)}-0000-4000-8000-000000000000`
  return names
    .map((name, at) =>
      JSON.stringify({
        type: 'user',
        uuid: uuid(name),
        parentUuid: at === 0 ? null : uuid(names[at - 1] ?? ''),
        sessionId: id,
        timestamp: new Date(Date.UTC(2026, 4, 1, 10, 0, at)).toISOString(),
        message: { role: 'user', content: `says ${name}` },
      }),
    )
    .map(line => `${line}\n`)
    .join('')
}
