import { cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/driver.js'
import {
  type ArchiveWriter,
  archivedOnly,
  archivedRoots,
  archiveStats,
  discover,
  openArchive,
  openArchiveWriter,
  type RestoredFile,
  type RestoreOptions,
  readRows,
  readTranscript,
  restoreFiles,
  sweepDays,
  sweptWithin,
} from '../src/index.js'
import {
  bytesOf,
  contentOf,
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

const FIXTURES = join(import.meta.dirname, '../../../fixtures')
const RECORDED = join(FIXTURES, 'recorded/projects')
const RECORDINGS = join(FIXTURES, 'recordings')
const DAY = 86_400_000

/** A projects root in a configuration folder of its own. */
function projects(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = join(temporaryFolder(), 'config', 'recorded/projects')
  writeFiles(root, { 'p/keep.txt': 'no transcript', ...files })
  return root
}

function restore(archive: ArchiveWriter, options: RestoreOptions, path?: string): RestoredFile[] {
  const files = archive.list().filter(file => path === undefined || file.path === path)
  return [...restoreFiles(archive, files, options)]
}

describe('storing and restoring', () => {
  it.each([RECORDED, RECORDINGS])(
    '[K1] gives back every file of %s, byte for byte and with its time',
    root => {
      const archive = newArchive()
      const kept = keep(archive, root)
      expect(kept).toMatchObject({ added: kept.files, unchanged: 0, diagnostics: [] })
      expect(differences(archive, root)).toEqual([])
      const to = temporaryFolder()
      expect(restore(archive, { to }).every(({ outcome }) => outcome === 'written')).toBe(true)
      for (const file of archive.list()) {
        expect(readFileSync(join(to, file.path)).equals(readFileSync(join(root, file.path)))).toBe(true)
        expect(statSync(join(to, file.path)).mtimeMs).toBeCloseTo(file.mtime, -1)
      }
      expect(verify(archive)).toMatchObject({ faults: [], damagedBlocks: [], structure: [] })
    },
  )

  it('[K1] keeps agents, journals, tool results, titles and every other sidecar', () => {
    const root = projects({
      'p/s1.jsonl': row('u1'),
      'p/s1/subagents/agent-x.jsonl': row('u2'),
      'p/s1/subagents/agent-x.meta.json': '{"agentType":"Explore"}',
      'p/s1/subagents/workflows/w1/journal.jsonl': row('u3'),
      'p/s1/tool-results/t1.txt': 'output\n'.repeat(1000),
      'p/s1/custom-title.json': '{"customTitle":"Mine"}',
      'p/agent-y.jsonl': row('u4').replace('"s"', '"s1"'),
      'p/agent-y.meta.json': '{"agentType":"Plan"}',
      'p/s2.jsonl': '',
    })
    const archive = newArchive()
    keep(archive, root)
    expect(archive.list().map(({ path, kind, session }) => `${path} ${kind} ${session}`)).toEqual([
      'p/agent-y.jsonl agent s1',
      'p/agent-y.meta.json meta s1',
      'p/s1.jsonl session s1',
      'p/s1/custom-title.json title s1',
      'p/s1/subagents/agent-x.jsonl agent s1',
      'p/s1/subagents/agent-x.meta.json meta s1',
      'p/s1/subagents/workflows/w1/journal.jsonl journal s1',
      'p/s1/tool-results/t1.txt tool-result s1',
      'p/s2.jsonl session s2',
    ])
    expect(differences(archive, root)).toEqual([])
  })

  it('[K1] whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('\n', '\r\n', '\0', row('u1')), fc.string()), { maxLength: 40 }),
        parts => {
          const root = join(temporaryFolder(), 'r')
          writeFiles(root, { 'p/a.jsonl': Buffer.from(parts.join(''), 'latin1') })
          const archive = newArchive()
          keep(archive, root)
          expect(differences(archive, root)).toEqual([])
          archive.close()
        },
      ),
      { numRuns: 20 },
    )
  })

  it('[K2] stores a row that stands in several files once, and packs it', () => {
    const rows = Array.from({ length: 200 }, (_, n) => row(`u${n}`, `${n} `.repeat(200)))
    const root = projects({
      'p/s1.jsonl': rows.join(''),
      'p/s2.jsonl': `${rows.slice(0, 150).join('')}${row('other')}`,
      'q/s1.jsonl': rows.join(''),
    })
    const archive = newArchive()
    const { stored, fresh } = keep(archive, root)
    const once = Buffer.byteLength(rows.join('') + row('other'))
    expect(stored).toBe(once)
    expect(fresh).toBeGreaterThan(2.7 * once)
    const { different, packed } = archiveStats(archive)
    expect(different).toBe(once)
    expect(packed).toBeLessThan(once / 5)
    expect(differences(archive, root)).toEqual([])
  })

  it('[K2] many small additions cost no more blocks than one large', () => {
    const root = projects({ 'p/s1.jsonl': '' })
    const archive = newArchive()
    const file = join(root, 'p/s1.jsonl')
    for (let n = 0; n < 30; n++) {
      writeFiles(root, { 'p/s1.jsonl': readFileSync(file, 'utf8') + row(`u${n}`) })
      keep(archive, root)
    }
    expect(archiveStats(archive)).toMatchObject({ blocks: 1, versions: 1 })
    expect(differences(archive, root)).toEqual([])
  })
})

describe('what changes', () => {
  it('[K3] a file that has grown adds its new rows; one that was cut or replaced adds a version', () => {
    const root = projects({ 'p/s1.jsonl': row('u1') + row('u2') })
    const archive = newArchive()
    const step = (content: string): unknown => {
      writeFiles(root, { 'p/s1.jsonl': content })
      const { added, grown, replaced, stored } = keep(archive, root)
      return { added, grown, replaced, stored }
    }
    const one = Buffer.byteLength(row('u1'))
    expect(step(row('u1') + row('u2'))).toEqual({ added: 1, grown: 0, replaced: 0, stored: 2 * one })
    expect(step(row('u1') + row('u2') + row('u3'))).toEqual({ added: 0, grown: 1, replaced: 0, stored: one })
    expect(step(row('u1'))).toEqual({ added: 0, grown: 0, replaced: 1, stored: 0 })
    expect(step(row('u9') + row('u1'))).toEqual({ added: 0, grown: 0, replaced: 1, stored: one })
    const file = fileAt(archive, 'p/s1.jsonl')
    expect(file.versions).toBe(3)
    expect(archive.versions(file).map(({ number }) => bytesOf(archive, file, number).toString())).toEqual([
      row('u1') + row('u2') + row('u3'),
      row('u1'),
      row('u9') + row('u1'),
    ])
  })

  it('[K3] finds a change in the middle of a file that has also grown', () => {
    const middle = (id: string): string =>
      row('head', 'h'.repeat(9000)) + row(id) + row('tail', 't'.repeat(9000))
    const root = projects({ 'p/s1.jsonl': middle('u1') })
    const archive = newArchive()
    keep(archive, root)
    writeFiles(root, { 'p/s1.jsonl': middle('u2') + row('new') })
    expect(keep(archive, root)).toMatchObject({ replaced: 1, grown: 0 })
    expect(differences(archive, root)).toEqual([])
    expect(bytesOf(archive, fileAt(archive, 'p/s1.jsonl'), 1).toString()).toBe(middle('u1'))
  })

  it('[K3] after any changes the last version is the file, and every earlier content is in some version', () => {
    const change = fc.oneof(
      fc.record({ what: fc.constant('append'), text: fc.string({ maxLength: 200 }) }),
      fc.record({ what: fc.constant('rows'), text: fc.constantFrom(row('a'), row('b') + row('c')) }),
      fc.record({ what: fc.constant('cut'), text: fc.string({ maxLength: 60 }) }),
      fc.record({ what: fc.constant('replace'), text: fc.string({ maxLength: 200 }) }),
    )
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), changes => {
        const root = join(temporaryFolder(), 'r')
        const archive = newArchive()
        const seen: string[] = []
        let content = ''
        for (const { what, text } of changes) {
          if (what === 'cut') content = content.slice(0, text.length)
          else content = what === 'replace' ? text : content + text
          writeFiles(root, { 'p/a.jsonl': content })
          keep(archive, root)
          seen.push(content)
        }
        const file = fileAt(archive, 'p/a.jsonl')
        const versions = archive.versions(file).map(({ number }) => bytesOf(archive, file, number).toString())
        expect(versions.at(-1)).toBe(content)
        expect(seen.filter(text => !versions.some(version => version.startsWith(text)))).toEqual([])
        expect(verify(archive).faults).toEqual([])
        archive.close()
      }),
      { numRuns: 25 },
    )
  })

  it('[K4] an unchanged file costs a stat: nothing is read and nothing written', () => {
    const root = projects({ 'p/s1.jsonl': row('u1'), 'p/s1/tool-results/t.txt': 'x' })
    const archive = newArchive()
    keep(archive, root)
    const before = archive.db.statements()
    expect(keep(archive, root)).toMatchObject({ files: 2, unchanged: 2, fresh: 0 })
    // What is known of files, what is forgotten, and what was erased.
    expect(archive.db.statements() - before).toBe(3)
  })

  it('[K4] a file that was written a moment ago is read once more', () => {
    const root = projects({ 'p/s1.jsonl': row('u1') })
    const archive = newArchive()
    keep(archive, root, { now: Date.now })
    expect(keep(archive, root)).toMatchObject({ unchanged: 0, grown: 0, replaced: 0, fresh: 0 })
    expect(keep(archive, root)).toMatchObject({ unchanged: 1 })
  })

  it('[K4] an edit that sets back the time is seen', () => {
    const root = projects({ 'p/s1.jsonl': row('u1') })
    const path = join(root, 'p/s1.jsonl')
    const archive = newArchive()
    keep(archive, root)
    const { atimeMs, mtimeMs } = statSync(path)
    const waited = Date.now() + 30
    while (Date.now() < waited);
    writeFiles(root, { 'p/s1.jsonl': row('u2') })
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
    expect(keep(archive, root)).toMatchObject({ replaced: 1 })
  })

  it('[K1] a file has one place, however it is reached', () => {
    const root = projects({ 'p/s1.jsonl': row('u1') })
    const link = join(temporaryFolder(), 'link')
    symlinkSync(root, link)
    const archive = newArchive()
    keep(archive, join(root, 'p', 's1.jsonl'))
    keep(archive, join(root, 'p'))
    keep(archive, link)
    keep(archive, root)
    expect(archive.list().map(({ root: at, path }) => [at, path])).toEqual([[root, 'p/s1.jsonl']])
  })
})

describe('originals', () => {
  it('[K5] keeping writes nothing below the root', () => {
    const root = projects()
    cpSync(RECORDED, root, { recursive: true })
    const before = contentOf(root)
    const archive = newArchive()
    keep(archive, root)
    verify(archive)
    expect(contentOf(root)).toEqual(before)
  })

  it('[K8] restore puts files back where they are missing, and leaves the others alone', () => {
    const root = projects({
      'p/s1.jsonl': row('u1'),
      'p/s1/subagents/agent-x.jsonl': row('u2'),
      'p/s1/tool-results/t.txt': 'output',
    })
    const archive = newArchive()
    keep(archive, root)
    rmSync(join(root, 'p/s1.jsonl'))
    writeFiles(root, { 'p/s1/tool-results/t.txt': 'mine' })
    expect(restore(archive, {}).map(({ file, outcome }) => `${file.path} ${outcome}`)).toEqual([
      'p/s1.jsonl written',
      'p/s1/subagents/agent-x.jsonl same',
      'p/s1/tool-results/t.txt differs',
    ])
    expect(readFileSync(join(root, 'p/s1.jsonl'), 'utf8')).toBe(row('u1'))
    expect(readFileSync(join(root, 'p/s1/tool-results/t.txt'), 'utf8')).toBe('mine')
    expect(Object.keys(contentOf(root)).filter(path => path.includes('.part'))).toEqual([])
  })

  it('[K8] restores keep the time, or get the present one on request; earlier versions stand beside', () => {
    const root = projects({ 'p/s1.jsonl': row('u1') })
    utimesSync(join(root, 'p/s1.jsonl'), 1e9, 1e9)
    const archive = newArchive()
    keep(archive, root)
    writeFiles(root, { 'p/s1.jsonl': 'replaced' })
    keep(archive, root)
    const to = temporaryFolder()
    restore(archive, { to, all: true })
    expect(statSync(join(to, 'p/s1.v1.jsonl')).mtimeMs).toBe(1e12)
    expect(readFileSync(join(to, 'p/s1.v1.jsonl'), 'utf8')).toBe(row('u1'))
    expect(readFileSync(join(to, 'p/s1.jsonl'), 'utf8')).toBe('replaced')
    const touched = temporaryFolder()
    restore(archive, { to: touched, all: true, touch: true })
    expect(statSync(join(touched, 'p/s1.v1.jsonl')).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
  })

  it('[K8] an archive that names a path outside its folder is refused', () => {
    const root = projects({ 'p/s1.jsonl': row('u1') })
    const archive = newArchive()
    keep(archive, root)
    archive.db.exec(`UPDATE file SET place = root || '/../../escaped.jsonl'`)
    expect(() => restore(archive, { to: temporaryFolder() })).toThrow('leads out of its folder')
  })

  it.each(['..\\..\\escaped.jsonl', 'con.jsonl', 's1.jsonl:hidden'])(
    '[O6] %s is not restored on Windows, and is elsewhere',
    name => {
      const archive = newArchive()
      keep(archive, projects({ [`p/s1/${name}`]: row('u1'), 'p/s1.jsonl': row('u1') }))
      const to = temporaryFolder()
      expect(() => restore(archive, { to, platform: 'win32' })).toThrow('cannot have a file of the name')
      restore(archive, { to })
      expect(existsSync(join(to, 'p/s1', name))).toBe(true)
    },
  )
})

describe('the sweep', () => {
  const now = Date.parse('2026-06-01T00:00:00Z')

  function withSession(age: number, settings: string | null): string {
    const root = projects({ 'p/s1.jsonl': row('u1'), 'p/s1/subagents/agent-x.jsonl': row('u2') })
    if (settings !== null) writeFiles(join(root, '..'), { 'settings.json': settings })
    utimesSync(join(root, 'p/s1.jsonl'), now / 1000, (now - age * DAY) / 1000)
    return root
  }

  it.each([
    [22, null, []],
    [24, null, ['2026-06-07']],
    [31, null, ['2026-05-31']],
    [31, '{"cleanupPeriodDays": 99999}', []],
    [5, '{"cleanupPeriodDays": "10"}', ['2026-06-06']],
    [24, '{"cleanupPeriodDays": "soon"}', ['2026-06-07']],
    [24, 'no JSON', ['2026-06-07']],
  ])('[K9] a session of %d days with %s is due: %j', (age, settings, due) => {
    const swept = sweptWithin(discover([withSession(age, settings)]), 7, now)
    expect(swept.map(session => new Date(session.due).toISOString().slice(0, 10))).toEqual(due)
  })

  it('[K9] the settings count for a single project too; folders that are not a projects root are never swept', () => {
    const root = withSession(5, '{"cleanupPeriodDays": 10}')
    expect(sweepDays(join(root, 'p'))).toBe(10)
    expect(sweepDays(temporaryFolder())).toBeNull()
  })
})

describe('sessions that exist in the archive only', () => {
  it('[K10] are distinguished from those on disk, moved ones included', () => {
    const root = projects({
      'p/gone.jsonl': row('u1'),
      'p/gone/custom-title.json': '{"customTitle":"Gone"}',
      'p/gone/subagents/agent-x.jsonl': row('u2'),
      'p/gone/subagents/agent-x.meta.json': '{"agentType":"Explore"}',
      'p/here.jsonl': row('u3'),
      'p/moved.jsonl': row('u4'),
    })
    const archive = newArchive()
    keep(archive, root)
    expect(archivedOnly(archive, discover([root]))).toEqual([])
    cpSync(join(root, 'p/moved.jsonl'), join(root, 'q/moved.jsonl'))
    for (const path of ['p/gone.jsonl', 'p/gone', 'p/moved.jsonl'])
      rmSync(join(root, path), { recursive: true })
    const only = archivedOnly(archive, discover([root]))
    expect(only.map(({ session, file, files }) => [session, file.path, files.length])).toEqual([
      ['gone', 'p/gone.jsonl', 4],
    ])
    expect(archivedOnly(archive, discover([temporaryFolder()]))).toEqual([])
  })

  it.each([
    ['of many shapes', RECORDED],
    ['with a workflow run', join(RECORDINGS, '2.1.325/s24d_workflow/projects')],
  ])('[K10] have the form in which discovery gives those on disk: %s', (_, root) => {
    const archive = newArchive()
    keep(archive, root)
    const all = archive.list()
    const sessions = [...new Set(all.map(({ session }) => session))].flatMap(session => {
      const files = all.filter(file => file.session === session)
      const [file] = files
      return session === null || file === undefined
        ? []
        : [{ session, root: file.root, file, files, bytes: 0 }]
    })
    const [found] = discover([root])
    const [archived] = archivedRoots(archive, sessions)
    expect(archived?.root).toBe(found?.root)
    const sorted = [...(archived?.projects ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1))
    expect(sorted).toEqual(found?.projects)
  })

  it('[K10] are read row by row like files on disk', () => {
    const archive = newArchive()
    keep(archive, RECORDINGS)
    for (const file of archive.list().filter(({ kind }) => kind === 'session')) {
      const rowsOf = (from: Parameters<typeof readRows>[0]): unknown => {
        const rows: unknown[] = []
        const { mtime, inode, ...result } = readRows(from, each => rows.push(each), { chunk: 3000 })
        return [rows, result]
      }
      expect(rowsOf(archive.read(file))).toEqual(rowsOf(join(file.root, file.path)))
    }
  })

  it('[K7] a damaged block becomes a diagnostic of the file', () => {
    const archive = newArchive()
    keep(archive, projects({ 'p/s1.jsonl': row('u1') }))
    archive.db.exec(`UPDATE block SET data = zeroblob(length(data))`)
    const { result, diagnostics } = readTranscript(
      archive.read(fileAt(archive, 'p/s1.jsonl')),
      'p/s1.jsonl',
      () => {},
    )
    expect(result).toBeNull()
    expect(diagnostics).toMatchObject([
      { rule: 'store/unreadable', message: expect.stringContaining('Block 1') },
    ])
  })
})

describe('other archives', () => {
  it('[K11] an archive of a newer dagline is refused with a message, by readers and writers', () => {
    const archive = newArchive()
    archive.db.exec('PRAGMA user_version = 99')
    archive.close()
    expect(() => openArchive(archive.path)).toThrow('was made by a newer dagline: update dagline.')
    expect(() => openArchiveWriter(archive.path)).toThrow('was made by a newer dagline: update dagline.')
  })

  it('[K11] a database of another program, and a file that is not a database, are left alone', () => {
    const path = join(temporaryFolder(), 'other.db')
    const other = openDatabase(path)
    other.exec('CREATE TABLE mine (x)')
    other.close()
    expect(() => openArchiveWriter(path)).toThrow('is a database of another program')
    const text = join(temporaryFolder(), 'text.db')
    writeFiles(join(text, '..'), { 'text.db': 'this is not a database but a text '.repeat(30) })
    expect(() => openArchiveWriter(text)).toThrow('is damaged or not a database')
    expect(readFileSync(text, 'utf8')).toMatch(/^this is not a database/)
  })

  it('[K11] readers say how to make an archive where there is none', () => {
    const path = join(temporaryFolder(), 'archive.db')
    expect(() => openArchive(path)).toThrow('There is no archive at')
    expect(existsSync(path)).toBe(false)
  })

  it('[K11] only its owner may read it', () => {
    const archive = newArchive()
    expect(statSync(archive.path).mode & 0o077).toBe(0)
  })
})

describe('two at once', () => {
  it('[K6] two writers that take turns both store everything', () => {
    const archive = newArchive()
    const other = newArchive(archive.path)
    const [a, b] = [projects(), projects()]
    cpSync(RECORDED, a, { recursive: true })
    const rows = Array.from({ length: 400 }, (_, n) => row(`v${n}`, `${n}`.repeat(500)))
    writeFiles(b, { 'p/s1.jsonl': rows.join(''), 'p/s2.jsonl': rows.slice(100).join('') })
    const works = [
      archive.keep(discover([a]), { now: later, batch: 20_000 }),
      other.keep(discover([b]), { now: later, batch: 20_000 }),
      other.keep(discover([a]), { now: later, batch: 50_000 }),
    ]
    const open = new Set(works)
    while (open.size > 0) for (const work of open) if (work.next().done === true) open.delete(work)
    finish(archive.keep(discover([a, b]), { now: later }))
    expect([...differences(archive, a), ...differences(archive, b)]).toEqual([])
    expect(verify(archive)).toMatchObject({ faults: [], damagedBlocks: [] })
  })
})
