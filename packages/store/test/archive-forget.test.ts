/** Forgetting: afterwards the bytes are gone, from the tables and from the file, and everything else is as it was. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sessionId } from '@dagline/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlockReader } from '../src/archive/blocks.js'
import { openDatabase } from '../src/db/driver.js'
import {
  type Archive,
  type ArchiveWriter,
  archiveStats,
  discover,
  openArchive,
  openArchiveWriter,
  planForget,
} from '../src/index.js'
import {
  bytesOf,
  differences,
  fileAt,
  finish,
  keep,
  later,
  newArchive,
  row,
  verify,
} from './archive-support.js'
import { temporaryFolder, writeFiles } from './temporary.js'

const S1 = sessionId('s1')
const S2 = sessionId('s2')
const NOW = 1_700_000_000_000

/** Noise cannot be packed, so that what stands in it can be found in the file of the archive. */
const inNoise = (mark: Buffer): Buffer => Buffer.concat([randomBytes(100_000), mark, randomBytes(100_000)])

const secret = (bytes = 48): string =>
  randomBytes(bytes)
    .toString('latin1')
    .replace(/[\n\r]/g, 'x')

function projects(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = join(temporaryFolder(), 'config', 'projects')
  writeFiles(root, files)
  return root
}

/** All bytes of the archive and of what SQLite puts beside it. */
function rawBytes(path: string): Buffer {
  const files = ['', '-journal', '-wal', '-shm'].map(end => path + end).filter(existsSync)
  return Buffer.concat(files.map(file => readFileSync(file)))
}

/** All blocks, unpacked. */
function unpacked(archive: Archive): Buffer {
  const reader = new BlockReader(archive.db)
  const ids = archive.db.prepare('SELECT id FROM block').all()
  return Buffer.concat(ids.map(({ id }) => reader.load(Number(id)) ?? Buffer.from('damaged')))
}

/** Whether any part of a mark is there: pages of the database and packing may divide it. */
function hasTraces(bytes: Buffer, mark: Buffer): boolean {
  const starts = Array.from({ length: Math.floor(mark.length / 24) }, (_, at) => at * 24)
  return starts.some(start => bytes.includes(mark.subarray(start, start + 24)))
}

const isSound = (archive: Archive): void =>
  expect(verify(archive)).toMatchObject({ faults: [], damagedBlocks: [], structure: [] })

describe('forgetting a session', () => {
  it('[K15] erases incompressible bytes from the file, its journal and every table, in all versions', () => {
    const marks = Array.from({ length: 5 }, () => randomBytes(960))
    const [old, now, agent, spilled, other] = marks as [Buffer, Buffer, Buffer, Buffer, Buffer]
    const root = projects({
      'p/s1.jsonl': inNoise(old),
      'p/s1/subagents/agent-a.jsonl': inNoise(agent),
      'p/s1/subagents/agent-a.meta.json': '{"agentType":"Marker-Type"}',
      'p/s1/tool-results/t.txt': inNoise(spilled),
      'p/s2.jsonl': inNoise(other),
    })
    const archive = newArchive()
    keep(archive, root)
    writeFiles(root, { 'p/s1.jsonl': inNoise(now) })
    expect(keep(archive, root)).toMatchObject({ replaced: 1 })
    for (const mark of marks) expect(hasTraces(rawBytes(archive.path), mark)).toBe(true)

    const plan = planForget(archive, [S1])
    expect(plan).toMatchObject({ versions: 5, shared: 0, sharedWith: [], sessions: [S1] })
    expect(plan.files.map(({ path }) => path).sort()).toEqual([
      'p/s1.jsonl',
      'p/s1/subagents/agent-a.jsonl',
      'p/s1/subagents/agent-a.meta.json',
      'p/s1/tool-results/t.txt',
    ])
    const { different, disk } = archiveStats(archive)
    expect(archive.forget([S1], NOW)).toBeNull()

    const [raw, rows] = [rawBytes(archive.path), unpacked(archive)]
    for (const mark of [old, now, agent, spilled]) {
      expect(hasTraces(raw, mark)).toBe(false)
      expect(hasTraces(rows, mark)).toBe(false)
    }
    for (const text of ['Marker-Type', 'agent-a', 's1.jsonl']) {
      expect(raw.includes(text)).toBe(false)
      expect(rows.includes(text)).toBe(false)
    }
    expect(hasTraces(rows, other)).toBe(true)
    isSound(archive)
    expect(archive.list().map(({ path }) => path)).toEqual(['p/s2.jsonl'])
    expect(archiveStats(archive).different).toBe(different - plan.erased)
    expect(archiveStats(archive).disk).toBeLessThan(disk - 700_000)
    expect(archive.forgotten()).toEqual([{ session: S1, since: NOW }])
  })

  it('[K15] removes what growing blocks have left in unused pages, also of an archive of the first version', () => {
    const path = join(temporaryFolder(), 'archive.db')
    const mark = randomBytes(960)
    const root = projects({ 'p/s1.jsonl': inNoise(mark), 'p/s2.jsonl': randomBytes(100) })
    const first = newArchive(path)
    first.db.exec('PRAGMA secure_delete = OFF')
    keep(first, root)
    for (let n = 0; n < 4; n++) {
      appendFileSync(join(root, 'p/s2.jsonl'), randomBytes(20_000))
      keep(first, root)
    }
    first.db.exec('DROP TABLE mark; DROP TABLE erased; DROP TABLE erasure; PRAGMA user_version = 1')
    first.close()
    expect(hasTraces(rawBytes(path), mark)).toBe(true)
    const archive = newArchive(path)
    archive.forget([S1], NOW)
    expect(hasTraces(rawBytes(path), mark)).toBe(false)
    expect(hasTraces(unpacked(archive), mark)).toBe(false)
    isSound(archive)
    expect(differences(archive, root)).toEqual(['p/s1.jsonl'])
  })

  it('[K15] keeps rows that other sessions have, and says which', () => {
    const shared = row('shared', secret(500))
    const own = row('own', secret(500))
    const root = projects({ 'p/s1.jsonl': shared + own, 'p/s2.jsonl': shared + row('x') })
    const archive = newArchive()
    keep(archive, root)
    expect(planForget(archive, [S1])).toMatchObject({
      shared: Buffer.byteLength(shared),
      erased: Buffer.byteLength(own),
      sharedWith: [S2],
    })
    archive.forget([S1], NOW)
    expect(differences(archive, root)).toEqual(['p/s1.jsonl'])
    expect(unpacked(archive).includes(own)).toBe(false)
    isSound(archive)
    archive.forget([S2], NOW)
    expect(unpacked(archive).every(byte => byte === 0)).toBe(true)
    expect(archive.db.prepare('SELECT count(*) AS n FROM piece').get()).toEqual({ n: 0 })
    expect(archiveStats(archive)).toMatchObject({ files: 0, different: 0 })
  })

  it('[K15] does not keep a forgotten session again, also where it goes on, until it is asked to', () => {
    const root = projects({
      'p/s1.jsonl': row('u1'),
      'p/agent-y.jsonl': row('u4').replace('"s"', '"s1"'),
      'p/s2.jsonl': row('u2'),
    })
    const archive = newArchive()
    keep(archive, root)
    archive.forget([S1], NOW)
    appendFileSync(join(root, 'p/s1.jsonl'), row('u3'))
    expect(keep(archive, root)).toMatchObject({ files: 3, forgotten: 2, unchanged: 1, added: 0, stored: 0 })
    expect(archive.list()).toHaveLength(1)
    archive.keepAgain(S1)
    expect(keep(archive, root)).toMatchObject({ forgotten: 0, added: 2 })
    expect(differences(archive, root)).toEqual([])
    isSound(archive)
  })

  it('[K15] erases rows of a run that was stopped before their file was whole', () => {
    const mark = randomBytes(960)
    const rows = Array.from({ length: 40 }, (_, n) => row(`r${n}`, secret(200)))
    const root = projects({ 'p/s1.jsonl': Buffer.concat([mark, Buffer.from(rows.join(''))]) })
    const archive = newArchive()
    const stopped = archive.keep(discover([root]), { now: later, batch: 1000 })
    stopped.next()
    stopped.return({} as never)
    expect(hasTraces(unpacked(archive), mark)).toBe(true)
    archive.forget([S1], NOW)
    expect(hasTraces(unpacked(archive), mark)).toBe(false)
    expect(hasTraces(rawBytes(archive.path), mark)).toBe(false)
    isSound(archive)
  })

  it('[K15] another process that archives meanwhile takes its file again, and brings nothing back', () => {
    const rows = Array.from({ length: 60 }, (_, n) => row(`r${n}`, secret(300)))
    const root = projects({ 'p/s1.jsonl': row('gone', secret(400)) })
    const archive = newArchive()
    keep(archive, root)
    const gone = readFileSync(join(root, 'p/s1.jsonl'))
    writeFiles(root, { 'p/s2.jsonl': rows.join('') })
    const running = archive.keep(discover([root]), { now: later, batch: 2000 })
    running.next()
    const other = newArchive(archive.path)
    other.forget([S1], NOW)
    expect(finish(running)).toMatchObject({ added: 1, diagnostics: [] })
    expect(unpacked(archive).includes(gone)).toBe(false)
    expect(differences(archive, root)).toEqual(['p/s1.jsonl'])
    isSound(archive)
  })

  it('[K15] a session that is forgotten while it is archived stays forgotten', () => {
    const rows = Array.from({ length: 60 }, (_, n) => row(`r${n}`, secret(300)))
    const root = projects({ 'p/s1.jsonl': rows.join('') })
    const archive = newArchive()
    const running = archive.keep(discover([root]), { now: later, batch: 2000 })
    running.next()
    newArchive(archive.path).forget([S1], NOW)
    expect(finish(running)).toMatchObject({ added: 0, forgotten: 1 })
    expect(archive.list()).toEqual([])
    expect(unpacked(archive).every(byte => byte === 0)).toBe(true)
  })

  it('[K15] finishes what a kill or a full disk has left before the file was written anew', () => {
    const root = projects({ 'p/s1.jsonl': row('u1', secret(500)), 'p/s2.jsonl': row('u2') })
    const archive = newArchive()
    keep(archive, root)
    const reader = openDatabase(archive.path, { busyTimeout: 0 })
    archive.db.exec('PRAGMA busy_timeout = 0')
    const exec = archive.db.exec
    // Another process begins to read between the two steps.
    const begin = (): void => {
      if (archive.forgotten().length > 0 && !isReading) reader.exec('BEGIN; SELECT * FROM file')
      isReading = archive.forgotten().length > 0
    }
    let isReading = false
    Object.assign(archive.db, {
      exec: (sql: string) => {
        if (sql === 'VACUUM') begin()
        exec(sql)
      },
    })
    expect(archive.forget([S1], NOW)?.kind).toBe('busy')
    expect(keep(archive, root).diagnostics).toMatchObject([{ rule: 'store/erasure', severity: 'warning' }])
    reader.close()
    expect(archive.db.prepare('SELECT pending FROM erasure').get()).toEqual({ pending: 1 })
    Object.assign(archive.db, { exec })
    expect(keep(archive, root).diagnostics).toEqual([])
    expect(archive.db.prepare('SELECT pending FROM erasure').get()).toEqual({ pending: 0 })
    isSound(archive)
  })

  it('[K15] refuses where a damaged block has rows of others, too, and deletes it once they are gone', () => {
    const root = projects({ 'p/s1.jsonl': row('u1'), 'p/s2.jsonl': row('u2') })
    const archive = newArchive()
    keep(archive, root)
    archive.db.exec("UPDATE block SET hash = x'00'")
    expect(() => archive.forget([S1], NOW)).toThrow(/Nothing was forgotten: block 1/)
    expect(archive.list()).toHaveLength(2)
    expect(archive.forgotten()).toEqual([])
    archive.forget([S1, S2], NOW)
    isSound(archive)
  })

  it('[K15] a file that was listed before is not mistaken for another one', () => {
    const root = projects({ 'p/s1.jsonl': row('u1') })
    const archive = newArchive()
    keep(archive, root)
    const listed = fileAt(archive, 'p/s1.jsonl')
    archive.forget([S1], NOW)
    writeFiles(root, { 'p/s2.jsonl': row('u2') })
    keep(archive, root)
    expect(fileAt(archive, 'p/s2.jsonl').id).toBe(listed.id)
    expect(() => archive.read(listed)).toThrow(/was forgotten/)
  })

  it('[K15] any sequence of growing, replacing, keeping and forgetting leaves what was kept of the others', () => {
    const texts = Array.from({ length: 6 }, (_, n) => row(`r${n}`, secret(90)))
    const step = fc.record({
      session: fc.constantFrom('s1', 's2', 's3'),
      what: fc.constantFrom('append', 'replace', 'forget', 'again'),
      text: fc.nat(texts.length - 1),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), steps => {
        const root = projects({})
        const path = join(temporaryFolder(), 'archive.db')
        const kept = new Map<string, string>()
        const onDisk = new Map<string, string>()
        const forgotten = new Set<string>()
        let archive: ArchiveWriter = openArchiveWriter(path)
        for (const { session, what, text } of steps) {
          const added = texts[text] ?? ''
          if (what === 'append' || what === 'replace') {
            const content = (what === 'append' ? (onDisk.get(session) ?? '') : '') + added
            onDisk.set(session, content)
            writeFiles(root, { [`p/${session}.jsonl`]: content })
          } else if (what === 'forget') {
            archive.forget([sessionId(session)], NOW)
            forgotten.add(session)
            kept.delete(session)
          } else {
            archive.keepAgain(sessionId(session))
            forgotten.delete(session)
          }
          if (text % 2 === 0) {
            if (existsSync(root)) keep(archive, root)
            for (const [each, content] of onDisk) if (!forgotten.has(each)) kept.set(each, content)
          }
          archive.close()
          archive = openArchiveWriter(path)
          const listed = archive.list().map(file => [file.session, bytesOf(archive, file).toString()])
          expect(new Map(listed as [string, string][])).toEqual(kept)
          isSound(archive)
          const all = archive
            .list()
            .flatMap(file =>
              archive.versions(file).map(({ number }) => bytesOf(archive, file, number).toString()),
            )
          for (const each of forgotten.size === 3 ? texts : [])
            expect(unpacked(archive).includes(each)).toBe(all.some(content => content.includes(each)))
        }
        archive.close()
      }),
      { numRuns: 15 },
    )
  })
})

describe('an archive of the first version', () => {
  it('[K6] [K15] that cannot be written is read as it is: it has forgotten and holds nothing', () => {
    const root = projects({ 'p/s1.jsonl': row('u1') })
    const archive = newArchive()
    keep(archive, root)
    archive.db.exec('DROP TABLE mark; DROP TABLE erased; DROP TABLE erasure; PRAGMA user_version = 1')
    archive.close()
    const reader = openArchive(archive.path, { readOnly: true })
    expect(differences(reader, root)).toEqual([])
    expect([reader.forgotten(), reader.held()]).toEqual([[], []])
    expect(archiveStats(reader)).toMatchObject({ files: 1, different: row('u1').length })
    isSound(reader)
    reader.close()
  })
})

describe('sessions that are held', () => {
  it('[K16] are listed until they are released', () => {
    const archive = newArchive()
    archive.hold(S1, NOW)
    archive.hold(S1, NOW + 5)
    archive.hold(S2, NOW)
    archive.release(S2)
    const reader = openArchive(archive.path)
    expect(reader.held()).toEqual([{ session: S1, since: NOW }])
    reader.close()
    rmSync(archive.path)
  })
})
