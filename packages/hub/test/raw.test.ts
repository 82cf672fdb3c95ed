/** Raw bytes in the database: pieces, versions, and what becomes of a push that comes twice, late or cut off. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHubDatabase, type Queries } from '../src/db/database.js'
import { migrate } from '../src/db/migrate.js'
import { RAW_SCHEMA } from '../src/db/schema-raw.js'
import type { NewVersion } from '../src/raw/model.js'
import { chainOf, decompress, makePack, NO_CHAIN, sha256 } from '../src/raw/pack.js'
import { packIn } from '../src/raw/pieces.js'
import { removeFiles, sweepUnused } from '../src/raw/remove.js'
import { openRawStore } from '../src/raw/store.js'
import { listVersions, readVersion, verifyRaw } from '../src/raw/stream.js'
import { freshDatabase, hasPostgres } from './postgres.js'

const MACHINE = { uuid: '5a4b8a4e-0000-4000-8000-000000000001', name: 'laptop', platform: 'linux' }

async function opened() {
  const database = openHubDatabase(await freshDatabase())
  onTestFinished(() => database.close())
  await migrate(database, [RAW_SCHEMA])
  const storeOf = (person: number) => openRawStore(database, { tenant: 1, person }, async () => 7)
  return { database, storeOf }
}

function version(rows: readonly string[], more: Partial<NewVersion> = {}): NewVersion {
  const pieces = rows.map(row => Buffer.from(row))
  const whole = Buffer.concat(pieces)
  return {
    place: '/home/dev/.claude/projects/-shop/s1.jsonl',
    folder: '-shop',
    path: 's1.jsonl',
    kind: 'session',
    session: 's1',
    remote: 'github.com/acme/shop',
    cwd: '/home/dev/shop',
    mtime: 1,
    base: null,
    isOther: false,
    hashes: pieces.map(sha256),
    bytes: whole.length,
    chain: chainOf(NO_CHAIN, pieces.map(sha256)),
    originalBytes: whole.length,
    originalSha256: sha256(whole),
    redacted: null,
    ...more,
  }
}

const packOf = (rows: readonly string[]) => {
  const pieces = rows.map(row => Buffer.from(row))
  return makePack(pieces.map(sha256), pieces)
}

const ROWS = ['{"a":1}\n', '{"b":2}\n', '{"c":3}\n']

describe.runIf(hasPostgres('raw bytes of the hub'))('raw bytes of the hub', () => {
  it('[HU10] a version whose pieces are there is kept once, however often it comes', async () => {
    const { storeOf } = await opened()
    const store = storeOf(1)
    const { machine, changes } = await store.welcome(MACHINE)
    const file = version(ROWS)
    expect(await store.missing(file.hashes)).toEqual([true, true, true])
    expect((await store.commit(machine, [file])).results[0]?.outcome).toBe('missing')
    await store.put(packOf(ROWS))
    await store.put(packOf(ROWS))
    expect(await store.missing(file.hashes)).toEqual([false, false, false])
    const first = await store.commit(machine, [file])
    expect(first.results[0]).toMatchObject({ outcome: 'stored', version: { number: 1, bytes: 24 } })
    const again = await store.commit(machine, [file])
    expect([again.results[0]?.outcome, again.changes]).toEqual(['same', first.changes])
    expect(first.changes).toBe(changes + 1)
    expect(await store.files(machine)).toMatchObject([{ place: file.place, number: 1, bytes: 24 }])
  })

  it('[HU11] a file that grew gets longer; one that was cut gets another version', async () => {
    const { storeOf } = await opened()
    const store = storeOf(1)
    const { machine } = await store.welcome(MACHINE)
    await store.put(packOf(ROWS))
    const start = version(ROWS.slice(0, 1))
    await store.commit(machine, [start])
    const base = { number: 1, chain: start.chain }
    const grown = version(ROWS, { base, hashes: version(ROWS).hashes.slice(1) })
    expect((await store.commit(machine, [grown])).results[0]).toMatchObject({
      outcome: 'stored',
      version: { number: 1, bytes: 24 },
    })
    // The same base again: somebody else was faster.
    expect((await store.commit(machine, [grown])).results[0]?.outcome).toBe('same')
    const other = version([ROWS[0] ?? '', ROWS[2] ?? ''], { base, hashes: version(ROWS).hashes.slice(2) })
    expect((await store.commit(machine, [other])).results[0]?.outcome).toBe('conflict')
    expect((await store.commit(machine, [start])).results[0]?.outcome).toBe('older')
    const cut = { ...start, isOther: true }
    expect((await store.commit(machine, [cut])).results[0]).toMatchObject({
      outcome: 'stored',
      version: { number: 2, bytes: 8 },
    })
  })

  it('[HU11] all pieces of a file that the hub has in part make it longer', async () => {
    const { storeOf } = await opened()
    const store = storeOf(1)
    const { machine } = await store.welcome(MACHINE)
    await store.put(packOf(ROWS))
    await store.commit(machine, [version(ROWS.slice(0, 2))])
    const [result] = (await store.commit(machine, [version(ROWS)])).results
    expect(result).toMatchObject({ outcome: 'stored', version: { number: 1, bytes: 24 } })
  })

  it('[HU10] what others have cannot be asked for, nor referred to', async () => {
    const { storeOf } = await opened()
    await storeOf(1).put(packOf(ROWS))
    const other = storeOf(2)
    const { machine } = await other.welcome(MACHINE)
    const file = version(ROWS)
    expect(await other.missing(file.hashes)).toEqual([true, true, true])
    expect((await other.commit(machine, [file])).results[0]?.outcome).toBe('missing')
    await expect(storeOf(1).commit(machine, [file])).rejects.toThrow(/no machine/)
  })

  it('[HU11] what is not what it says is refused, and nothing of it is kept', async () => {
    const { storeOf } = await opened()
    const store = storeOf(1)
    const { machine } = await store.welcome(MACHINE)
    const pack = packOf(ROWS)
    await expect(store.put({ ...pack, hashes: pack.hashes.toReversed() })).rejects.toThrow(/damaged/)
    await store.put(pack)
    const file = version(ROWS)
    for (const wrong of [
      { ...file, chain: sha256(file.chain) },
      { ...file, bytes: 25 },
      { ...file, path: '../../../etc/x.jsonl' },
      { ...file, folder: '..' },
      { ...file, hashes: [Buffer.from('short')] },
    ])
      await expect(
        store.commit(machine, [version(ROWS.slice(1), { path: 'good.jsonl' }), wrong]),
      ).rejects.toThrow()
    expect(await store.files(machine)).toEqual([])
  })

  it('[HU10] two machines of one name are told apart', async () => {
    const { storeOf } = await opened()
    const store = storeOf(1)
    const one = await store.welcome(MACHINE)
    const two = await store.welcome({ ...MACHINE, uuid: '6a4b8a4e-0000-4000-8000-000000000002' })
    expect(one.name).toBe('laptop')
    expect(two.name).toMatch(/^laptop-6a4b8a4e$/)
    expect(await store.welcome(MACHINE)).toEqual(one)
  })

  it('[HU12] small additions share a block until it is large', async () => {
    const { database, storeOf } = await opened()
    const store = storeOf(1)
    const { machine } = await store.welcome(MACHINE)
    let file = version([])
    const rows = Array.from({ length: 40 }, (_, at) => `row ${at} `.repeat(2000).slice(0, 10_000))
    for (const row of rows) {
      await store.put(packOf([row]))
      const hashes = [sha256(Buffer.from(row))]
      const base = file.bytes === 0 ? null : { number: 1, chain: file.chain }
      file = { ...file, base, hashes, bytes: file.bytes + row.length, chain: chainOf(file.chain, hashes) }
      expect((await store.commit(machine, [file])).results[0]?.outcome).toBe('stored')
    }
    const [count] = await database.query(
      'SELECT count(*)::int AS blocks, sum(bytes)::int AS bytes FROM raw_block',
    )
    expect(count).toEqual({ blocks: 2, bytes: 400_000 })
  })

  it('[HU11] two clients that push the same at the same time leave it there once', async () => {
    const { database, storeOf } = await opened()
    const store = storeOf(1)
    const { machine } = await store.welcome(MACHINE)
    const push = async (rows: readonly string[]): Promise<void> => {
      await store.put(packOf(rows.toReversed()))
      await store.commit(machine, [version(rows), version(rows, { path: 's2.jsonl', session: 's2' })])
    }
    await Promise.all(Array.from({ length: 12 }, (_, at) => push(ROWS.slice(0, 1 + (at % 3)))))
    const [counts] = await database.query(`SELECT (SELECT count(*)::int FROM raw_file) AS files,
      (SELECT count(*)::int FROM raw_piece) AS pieces, (SELECT count(*)::int FROM raw_version) AS versions`)
    expect(counts).toEqual({ files: 2, pieces: 3, versions: 2 })
    expect((await store.files(machine)).map(({ bytes }) => bytes)).toEqual([24, 24])
  })

  it('[HU19] every version comes back byte for byte, and damage is told', async () => {
    const { database, storeOf } = await opened()
    const store = storeOf(1)
    const { machine } = await store.welcome(MACHINE)
    await store.put(packOf(ROWS))
    const files = [version(ROWS), version(ROWS.toReversed(), { path: 's2.jsonl', session: 's2' })]
    await store.commit(machine, files)
    await store.commit(machine, [{ ...version(ROWS.slice(2)), isOther: true }])
    const owner = { tenant: 1, person: 1 }
    const found = await listVersions(database, owner, { all: true })
    expect(found.map(({ path, number }) => [path, number])).toEqual([
      ['-shop@laptop/s1.jsonl', 1],
      ['-shop@laptop/s1.jsonl', 2],
      ['-shop@laptop/s2.jsonl', 1],
    ])
    const texts: string[] = []
    for (const { id } of found) texts.push((await textOf(database, id)).toString())
    expect(texts).toEqual([ROWS.join(''), ROWS[2], ROWS.toReversed().join('')])
    expect((await listVersions(database, owner, { session: 's2' })).length).toBe(1)
    expect(await verifyRaw(database, owner)).toEqual({ versions: 3, bytes: 56, problems: [] })
    await database.query("UPDATE raw_block SET data = data || 'x'::bytea, codec = 'none'")
    expect((await verifyRaw(database, owner)).problems.length).toBe(3)
  })

  it('[HU21] what is removed is gone from every table, and what others have stays', async () => {
    const { database, storeOf } = await opened()
    const store = storeOf(1)
    const { machine } = await store.welcome(MACHINE)
    const rows = ['shared one\n', 'secret two\n', 'own three\n']
    await store.put(packOf(rows))
    const second = version([rows[0] ?? '', rows[2] ?? ''], { path: 's2.jsonl', session: 's2' })
    const { changes } = await store.commit(machine, [version(rows), second])
    const owner = { tenant: 1, person: 1 }
    const [one] = await listVersions(database, owner, { session: 's1' })
    expect(await removeFiles(database, owner, [one?.file ?? 0])).toEqual({ files: 1, bytes: 11 })
    expect(await verifyRaw(database, owner)).toEqual({ versions: 1, bytes: 21, problems: [] })
    const [block = {}] = await database.query('SELECT codec, bytes, data FROM raw_block')
    const content = decompress(packIn(block))?.toString('latin1')
    expect(content).toBe(`shared one\n${'\0'.repeat(11)}own three\n`)
    expect(await store.missing(version(rows).hashes)).toEqual([false, true, false])
    expect((await store.welcome(MACHINE)).changes).toBe(changes + 1)
    const [two] = await listVersions(database, owner)
    await removeFiles(database, owner, [two?.file ?? 0])
    for (const table of ['raw_file', 'raw_version', 'raw_run', 'raw_block', 'raw_piece'])
      expect([table, await database.query(`SELECT * FROM ${table}`)]).toEqual([table, []])
  })

  it('[HU21] a session that was deleted on the hub is not taken again', async () => {
    const { database, storeOf } = await opened()
    const store = storeOf(1)
    const { machine } = await store.welcome(MACHINE)
    await store.put(packOf(ROWS))
    await database.query("INSERT INTO raw_gone (tenant, person, session) VALUES (1, 1, 's1')")
    const { results } = await store.commit(machine, [
      version(ROWS),
      version(ROWS, { path: 'b', session: 's2' }),
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual(['gone', 'stored'])
  })

  it('[HU21] what a push that never ended has left goes after a day', async () => {
    const { database, storeOf } = await opened()
    const store = storeOf(1)
    await store.put(packOf(ROWS))
    const owner = { tenant: 1, person: 1 }
    expect(await sweepUnused(database, owner)).toBe(0)
    await database.query("UPDATE raw_block SET taken = now() - interval '2 days'")
    expect(await sweepUnused(database, owner)).toBe(24)
    expect(await store.missing(version(ROWS).hashes)).toEqual([true, true, true])
  })
})

async function textOf(database: Queries, id: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of readVersion(database, 1, id)) parts.push(part)
  return Buffer.concat(parts)
}
