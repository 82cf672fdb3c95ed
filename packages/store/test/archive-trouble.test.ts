import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/driver.js'
import {
  type ArchiveWriter,
  archiveStats,
  discover,
  type KeepProgress,
  type KeepResult,
  openArchive,
  openArchiveWriter,
  StoreError,
} from '../src/index.js'
import { bytesOf, differences, fileAt, keep, later, newArchive, row, verify } from './archive-support.js'
import { temporaryFolder, writeFiles } from './temporary.js'

const rows = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, n) => row(`${prefix}${n}`, `${prefix} ${n} `.repeat(60))).join('')

function rootWith(content: string): { readonly root: string; readonly path: string } {
  const root = temporaryFolder()
  writeFiles(root, { 'p/s1.jsonl': content })
  return { root, path: join(root, 'p/s1.jsonl') }
}

/** Keeps in small batches, and does something to the world after each of the first few. */
function keepWith(
  archive: ArchiveWriter,
  root: string,
  meddle: (round: number) => void,
  times = 1,
): KeepResult {
  const work: Generator<KeepProgress, KeepResult> = archive.keep(discover([root]), {
    now: later,
    batch: 50_000,
  })
  for (let round = 1; ; round++) {
    const { done, value } = work.next()
    if (done === true) return value
    if (round <= times) meddle(round)
  }
}

describe('a file that changes while it is read', () => {
  it('[K5] has grown: what was there when reading began is kept, the rest by the next run', () => {
    const { root, path } = rootWith(rows('a', 2000))
    const archive = newArchive()
    keepWith(archive, root, () => appendFileSync(path, rows('b', 3)))
    expect(bytesOf(archive, fileAt(archive, 'p/s1.jsonl')).toString()).toBe(rows('a', 2000))
    expect(keep(archive, root)).toMatchObject({ grown: 1 })
    expect(differences(archive, root)).toEqual([])
    expect(fileAt(archive, 'p/s1.jsonl').versions).toBe(1)
  })

  it('[K5] was cut: it is read again', () => {
    const { root, path } = rootWith(rows('a', 2000))
    const archive = newArchive()
    keepWith(archive, root, () => truncateSync(path, 1000))
    expect(differences(archive, root)).toEqual([])
    expect(fileAt(archive, 'p/s1.jsonl').versions).toBe(1)
  })

  it('[K5] was rewritten in place: no mixture of both is ever stored', () => {
    const { root, path } = rootWith(rows('a', 2000))
    const archive = newArchive()
    const other = rows('b', 2000)
    keepWith(archive, root, () => writeFileSync(path, other))
    expect(bytesOf(archive, fileAt(archive, 'p/s1.jsonl')).toString()).toBe(other)
    expect(fileAt(archive, 'p/s1.jsonl').versions).toBe(1)
  })

  it('[K5] was replaced by another: the one that was opened is kept, then the other', () => {
    const { root, path } = rootWith(rows('a', 2000))
    const archive = newArchive()
    keepWith(archive, root, () => {
      writeFileSync(`${path}.new`, rows('b', 2000))
      renameSync(`${path}.new`, path)
    })
    expect(keep(archive, root)).toMatchObject({ replaced: 1 })
    const file = fileAt(archive, 'p/s1.jsonl')
    expect(archive.versions(file).map(({ number }) => bytesOf(archive, file, number).toString())).toEqual([
      rows('a', 2000),
      rows('b', 2000),
    ])
  })

  it('[K5] was rewritten every time: a message, and the next run stores it', () => {
    const { root, path } = rootWith(rows('a', 2000))
    const archive = newArchive()
    const { diagnostics } = keepWith(archive, root, n => writeFileSync(path, rows(`${n}`, 2000)), 1000)
    expect(diagnostics).toMatchObject([
      { rule: 'store/rewritten', file: 'p/s1.jsonl', message: expect.stringContaining('the next run') },
    ])
    expect(archive.list()).toEqual([])
    keep(archive, root)
    expect(differences(archive, root)).toEqual([])
  })

  it('[K5] has vanished: a diagnostic, and the others are kept', () => {
    const { root, path } = rootWith(rows('a', 10))
    writeFiles(root, { 'p/s0.jsonl': rows('b', 2000), 'p/s2.jsonl': row('c') })
    const archive = newArchive()
    const { diagnostics } = keepWith(archive, root, () => rmSync(path))
    expect(diagnostics).toMatchObject([{ rule: 'store/vanished', file: 'p/s1.jsonl' }])
    expect(archive.list().map(file => file.path)).toEqual(['p/s0.jsonl', 'p/s2.jsonl'])
  })
})

describe('when the disk or another process fails', () => {
  it('[K6] a run that stops anywhere is continued by the next', () => {
    const { root } = rootWith(rows('a', 3000))
    writeFiles(root, { 'p/s2.jsonl': rows('b', 500), 'p/s3.jsonl': rows('a', 300) })
    for (const steps of [1, 2, 5, 9]) {
      const archive = newArchive()
      const work = archive.keep(discover([root]), { now: later, batch: 100_000 })
      for (let step = 0; step < steps; step++) work.next()
      work.return({ ...keepNothing })
      expect(verify(archive)).toMatchObject({ faults: [], damagedBlocks: [], structure: [] })
      const before = archiveStats(archive).different
      keep(archive, root)
      expect(differences(archive, root)).toEqual([])
      // What the stopped one had stored was found again.
      expect(archiveStats(archive).different).toBeLessThan(
        before + Buffer.byteLength(rows('a', 3000) + rows('b', 500)),
      )
      expect(archiveStats(archive).different).toBe(Buffer.byteLength(rows('a', 3000) + rows('b', 500)))
    }
  })

  it('[K6] a full disk: a message, nothing is lost, and the next run is right', () => {
    const { root, path } = rootWith(rows('a', 300))
    const archive = newArchive()
    keep(archive, root)
    const pages = archive.db.prepare('PRAGMA page_count').get()?.['page_count']
    archive.db.exec(`PRAGMA max_page_count = ${Number(pages) + 2}`)
    const noise = Array.from({ length: 3000 }, (_, n) =>
      row(`n${n}`, `${Math.sin(n)}${Math.cos(n)}`.repeat(9)),
    ).join('')
    appendFileSync(path, noise)
    const failure = failureOf(() => keep(archive, root))
    expect(failure).toMatchObject({
      kind: 'full',
      message: expect.stringContaining('make room, then try again'),
    })
    expect(verify(archive)).toMatchObject({ faults: [], structure: [] })
    expect(bytesOf(archive, fileAt(archive, 'p/s1.jsonl')).toString()).toBe(rows('a', 300))
    archive.db.exec('PRAGMA max_page_count = 1000000')
    expect(keep(archive, root)).toMatchObject({ grown: 1 })
    expect(differences(archive, root)).toEqual([])
  })

  it('[K6] another writer that does not end: a message, for writers and readers', () => {
    const { root } = rootWith(rows('a', 10))
    const archive = newArchive()
    keep(archive, root)
    const other = openDatabase(archive.path)
    other.exec('BEGIN EXCLUSIVE')
    for (const open of [openArchiveWriter, openArchive]) {
      expect(failureOf(() => open(archive.path, { busyTimeout: 50 }))).toMatchObject({
        kind: 'busy',
        message: expect.stringContaining('wait until it has finished'),
      })
    }
    other.exec('ROLLBACK')
    other.close()
    const again = openArchive(archive.path)
    expect(differences(again, root)).toEqual([])
    again.close()
  })

  it('[K6] a folder that cannot be made: a message', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(failureOf(() => openArchiveWriter(join(file, 'below', 'archive.db')))).toMatchObject({
      kind: 'read-only',
      message: expect.stringContaining('check that its folder can be written'),
    })
  })
})

describe('damage', () => {
  function damaged(): { readonly archive: ArchiveWriter; readonly root: string } {
    const { root } = rootWith(rows('a', 300))
    writeFiles(root, { 'p/s2.jsonl': rows('a', 100) + rows('b', 10) })
    const archive = newArchive()
    keep(archive, root)
    const [block] = archive.db.prepare('SELECT data FROM block').all()
    const data = Buffer.from(block?.['data'] instanceof Uint8Array ? block['data'] : [])
    data[data.length >> 1] = (data[data.length >> 1] ?? 0) ^ 0x10
    archive.db.prepare('UPDATE block SET data = ?').run(data)
    return { archive: newArchive(archive.path), root }
  }

  it('[K7] one changed bit is found, and each file named that it hits', () => {
    const { archive } = damaged()
    const { faults, damagedBlocks } = verify(archive)
    expect(damagedBlocks).toEqual([1])
    expect(faults.map(({ place, version }) => `${place.slice(-8)} ${version}`)).toEqual([
      's1.jsonl 1',
      's2.jsonl 1',
    ])
  })

  it('[K7] a wrong run or a lost block is found', () => {
    const { root } = rootWith(rows('a', 300))
    const archive = newArchive()
    keep(archive, root)
    archive.db.exec('UPDATE run SET start = start + 1, length = length - 1')
    expect(verify(archive).faults).toHaveLength(1)
    archive.db.exec('DELETE FROM block')
    expect(verify(archive).faults).toHaveLength(1)
  })

  it('[K7] files that are still there are stored again, and everything is whole then', () => {
    const { archive, root } = damaged()
    verify(archive)
    writeFiles(root, { 'p/s2.jsonl': readFileSync(join(root, 'p/s2.jsonl'), 'utf8') + row('more') })
    keep(archive, root)
    expect(differences(archive, root)).toEqual([])
    expect(verify(archive)).toMatchObject({ faults: [], damagedBlocks: [] })
    expect(archive.list().map(({ versions }) => versions)).toEqual([1, 1])
  })
})

const keepNothing: KeepResult = {
  files: 0,
  unchanged: 0,
  added: 0,
  grown: 0,
  replaced: 0,
  forgotten: 0,
  stored: 0,
  fresh: 0,
  diagnostics: [],
}

function failureOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError)
    return error
  }
  return null
}
