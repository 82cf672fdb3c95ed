/** I6, I7, I8: whatever happens while an index is brought up to date, the next run is right; and failures are told. */
import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRng, expandShape } from '@dagline/testkit'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/driver.js'
import type { IndexStore } from '../src/db/index-store.js'
import { INDEX_VERSION } from '../src/db/schema.js'
import { openIndex } from '../src/db/sqlite.js'
import { StoreError } from '../src/files/failures.js'
import { readHere } from '../src/sync/batch.js'
import type { Reader } from '../src/sync/sync.js'
import { dumpAnswers } from './dump.js'
import { expectAsNew, syncFile, syncFolder } from './indexes.js'
import { temporaryFolder, writeFiles } from './temporary.js'
import { CHANGES, World } from './world.js'

interface Place {
  readonly folder: string
  readonly world: World
  readonly path: string
}

/** A folder with two projects, partly written. */
function newPlace(actions = 8): Place {
  const folder = temporaryFolder()
  const world = new World(join(folder, 'projects'))
  world.add(31, { style: '2.1.197', actions, damage: true }, 0.5)
  world.add(32, { style: '2.0.64', actions, project: '-home-dev-other' }, 0.5)
  return { folder, world, path: join(folder, 'index', 'index.db') }
}

function changeSome({ world }: Place, seed: number): void {
  const rng = createRng(seed)
  for (let i = 0; i < 4; i++)
    world.apply({
      kind: rng.chance(0.5) ? 'grow' : rng.pick(CHANGES),
      pick: rng.int(1000),
      part: rng.int(1000),
    })
}

describe('a sync that is killed', () => {
  it('[I6] at random moments, again and again: the next run is right', { timeout: 120_000 }, async () => {
    const place = newPlace(25)
    const program = bundle(place.folder)
    const rng = createRng(5)
    let [killed, most] = [0, 60]
    // A sync that ended before it was killed has the next ones killed sooner, and others tried.
    for (let round = 0; round < 16 || (killed <= 4 && round < 80); round++) {
      if (await killAfter(program, place, rng.int(most))) killed++
      else most = Math.max(2, most / 2)
      const index = openIndex(place.path)
      dumpAnswers(index, 1)
      index.close()
      changeSome(place, round + 1)
    }
    expect(killed).toBeGreaterThan(4)
    await syncFile(place.path, place.world.root)
    await expectAsNew(place.path, place.world.root)
  })

  it('[I6] at every one of its steps, after some were committed', { timeout: 120_000 }, async () => {
    const place = newPlace(3)
    const steps = await countSteps(place)
    for (let at = 1; at < steps; at += Math.ceil(steps / 40)) {
      const path = join(place.folder, `at-${at}.db`)
      await syncFile(path, place.world.root)
      changeSome(place, at)
      const index = openIndex(path)
      const broken = breakAt(index, at)
      await syncFolder(broken, place.world.root, { commitEvery: 1000 }).catch(error => {
        if (!(error instanceof RangeError)) throw error
      })
      dumpAnswers(index, 1)
      await syncFolder(index, place.world.root)
      index.close()
      await expectAsNew(path, place.world.root)
    }
  })

  it('[I6] [I3] when all was read and nothing judged: groups are found by what the rows say', async () => {
    const { folder, path } = newPlace(1)
    const root = join(folder, 'other')
    const { files } = expandShape('s1: u1 a1[t1:Task] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a3 / s2: ?9 > u3')
    writeFiles(join(root, 'p'), Object.fromEntries(files.map(file => [file.path, file.text])))
    const index = openIndex(path)
    const judge = (): never => {
      throw new RangeError('the process ended here')
    }
    await expect(syncFolder({ ...index, judge }, root, { commitEvery: 1 })).rejects.toThrow('ended here')
    // The last file that was read went with the transaction.
    expect(index.files(1).filter(({ state }) => state !== null)).toHaveLength(2)
    expect(index.files(1).map(({ group }) => group)).toEqual([null, null, null])
    await syncFolder(index, root)
    // The same to groups that were judged before.
    appendFileSync(join(root, 'p', 's1.jsonl'), '{"type":"user","uuid":"late","parentUuid":null}\n')
    await expect(syncFolder({ ...index, judge }, root, { commitEvery: 1 })).rejects.toThrow('ended here')
    appendFileSync(join(root, 'p', 's2.jsonl'), '{"type":"user","uuid":"last","parentUuid":null}\n')
    await expect(syncFolder({ ...index, judge }, root, { commitEvery: 1 })).rejects.toThrow('ended here')
    await syncFolder(index, root)
    index.close()
    await expectAsNew(path, root)
  })

  it('[I6] by an interrupt: what was read is kept, and the next run goes on', async () => {
    const { world, path } = newPlace()
    const stop = new AbortController()
    let files = 0
    const tell = (): void => {
      files++
      if (files === 2) stop.abort()
    }
    const first = await syncFile(path, world.root, { signal: stop.signal, onProgress: tell })
    expect(first.read).toBe(2)
    const second = await syncFile(path, world.root)
    expect(second.read).toBe(second.present - 2)
    await expectAsNew(path, world.root)
  })

  it('[I6] by an interrupt: sessions that were known stay known until they are read again', async () => {
    const place = newPlace()
    await syncFile(place.path, place.world.root)
    const index = openIndex(place.path)
    const before = index.sessions().map(({ session }) => session)
    for (let pick = 0; pick < place.world.files().length; pick++)
      place.world.apply({ kind: 'touch', pick, part: 0 })
    await syncFolder(index, place.world.root, { signal: AbortSignal.abort() })
    expect(index.sessions().map(({ session }) => session)).toEqual(before)
    index.close()
    await syncFile(place.path, place.world.root)
    await expectAsNew(place.path, place.world.root)
  })
})

/** The child as a program of its own: Node cannot follow the imports of the sources. */
function bundle(folder: string): string {
  const program = join(folder, 'sync-child.mjs')
  buildSync({
    entryPoints: [fileURLToPath(new URL('sync-child.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
  })
  return program
}

/** Starts a sync and kills it so many milliseconds after it has begun. True where it had not ended. */
async function killAfter(program: string, { world, path }: Place, pause: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, world.root, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>(resolve => child.on('exit', () => resolve()))
  const told: string[] = []
  const begun = new Promise<void>(resolve => {
    child.stdout.on('data', (bytes: Buffer) => {
      told.push(String(bytes))
      resolve()
    })
  })
  await Promise.race([begun, ended])
  await setTimeout(pause)
  child.kill('SIGKILL')
  await ended
  return !told.join('').includes('done')
}

/** The calls that change something, and those between which a process may end. */
const STEPS = [
  'commit',
  'addFile',
  'updateFile',
  'removeFile',
  'addChunk',
  'dropRows',
  'release',
  'judge',
  'sweep',
] as const

/** An index that ends before one of its steps. */
function breakAt(index: IndexStore, step: number): IndexStore {
  let count = 0
  const broken = (): void => {
    count++
    if (count === step) throw new RangeError('the process ended here')
  }
  const guarded = STEPS.map(name => {
    const call: (...values: never[]) => unknown = index[name]
    const guard = (...values: never[]): unknown => {
      broken()
      return call(...values)
    }
    return [name, guard]
  })
  return { ...index, ...Object.fromEntries(guarded) }
}

/** How many steps a sync of everything takes. */
async function countSteps({ folder, world }: Place): Promise<number> {
  const index = openIndex(join(folder, 'count.db'))
  let count = 0
  const counting = STEPS.map(name => {
    const call: (...values: never[]) => unknown = index[name]
    const counted = (...values: never[]): unknown => {
      count++
      return call(...values)
    }
    return [name, counted]
  })
  await syncFolder({ ...index, ...Object.fromEntries(counting) }, world.root, { commitEvery: 1000 })
  index.close()
  return count
}

describe('a disk or another process that fails', () => {
  it('[I7] a full disk is reported, keeps what was there, and the next run is right', async () => {
    const { world, path } = newPlace()
    await syncFile(path, world.root)
    const index = openIndex(path)
    const before = dumpAnswers(index, 1)
    for (let pick = 0; pick < 40; pick++) world.apply({ kind: 'finish', pick, part: 1000 })
    world.add(33, { style: '2.1.325', actions: 30, project: '-home-dev-more' }, 1)
    index.close()
    const full = openIndex(path, { maxPages: pagesOf(path) + 5 })
    await expect(syncFolder(full, world.root)).rejects.toMatchObject({
      kind: 'full',
      message: `The disk of ${path} is full: make room, then try again. Nothing was lost.`,
    })
    expect(dumpAnswers(full, 1)).toEqual(before)
    full.close()
    await syncFile(path, world.root)
    await expectAsNew(path, world.root)
  })

  it('[I7] another writer is waited for, then reported', async () => {
    const { world, path } = newPlace()
    await syncFile(path, world.root)
    const other = openDatabase(path)
    other.exec('BEGIN IMMEDIATE')
    world.apply({ kind: 'touch', pick: 0, part: 0 })
    const index = openIndex(path, { busyTimeout: 50 })
    await expect(syncFolder(index, world.root)).rejects.toMatchObject({
      kind: 'busy',
      message: `Another dagline is writing ${path}: wait until it has finished, then try again.`,
    })
    expect(index.count([], {})).toBeGreaterThan(0)
    other.exec('ROLLBACK')
    other.close()
    await syncFolder(index, world.root)
    index.close()
    await expectAsNew(path, world.root)
  })

  it('[I7] two processes that sync at once come to the same index', async () => {
    const { world, path } = newPlace()
    const [one, two] = [openIndex(path), openIndex(path, { busyTimeout: 20 })]
    const results = await Promise.allSettled([syncFolder(one, world.root), syncFolder(two, world.root)])
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreError)
    one.close()
    two.close()
    await syncFile(path, world.root)
    await expectAsNew(path, world.root)
  })

  it('[I7] a file that is not a database, and a damaged one, are reported', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'index.db')
    writeFileSync(path, 'no database at all, but long enough to be taken for one'.repeat(100))
    expect(failureOf(() => openIndex(path))).toEqual([
      'damaged',
      `${path} is damaged or not a database: move it away and try again.`,
    ])
  })

  it('[I7] [I15] damage in the middle is reported, not passed on', async () => {
    const { world, path } = newPlace()
    await syncFile(path, world.root)
    const pages = pagesOf(path)
    const bytes = Buffer.alloc(statSync(path).size / pages, 'damage')
    const file = openSync(path, 'r+')
    for (let page = 1; page < pages; page++) writeSync(file, bytes, 0, bytes.length, page * bytes.length)
    closeSync(file)
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
    for (const readOnly of [true, false])
      expect(failureOf(() => openIndex(path, { readOnly }))[0]).toBe('damaged')
  })

  it('[I7] an index of an older version is rebuilt, one of a newer is refused', async () => {
    const { world, path } = newPlace()
    await syncFile(path, world.root)
    setVersion(path, INDEX_VERSION - 1)
    const report = await syncFile(path, world.root)
    expect(report.read).toBe(report.present)
    await expectAsNew(path, world.root)
    setVersion(path, INDEX_VERSION + 1)
    expect(failureOf(() => openIndex(path))[1]).toMatch(/was made by a newer dagline: update dagline/)
  })

  it('[I7] a database of another program is refused and stays as it is', () => {
    const path = join(temporaryFolder(), 'other.db')
    const other = openDatabase(path)
    other.exec('CREATE TABLE precious (thing TEXT); INSERT INTO precious VALUES (1)')
    other.close()
    expect(failureOf(() => openIndex(path))[0]).toBe('damaged')
    const again = openDatabase(path)
    expect(again.prepare('SELECT count(*) AS count FROM precious').get()).toMatchObject({ count: 1 })
    again.close()
  })

  it('[I7] an index to read that is not there, or of another version, is reported', async () => {
    const { world, path } = newPlace()
    const reading = (): IndexStore => openIndex(path, { readOnly: true })
    expect(failureOf(reading)[0]).toBe('unreachable')
    await syncFile(path, world.root)
    setVersion(path, INDEX_VERSION - 1)
    expect(failureOf(() => reading().sessions())[0]).toBe('unreachable')
  })

  it('[I7] a folder that cannot be made is reported', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    const path = join(folder, 'file', 'below', 'index.db')
    expect(failureOf(() => openIndex(path))).toEqual([
      'unreachable',
      `${path} cannot be opened: check that its folder exists and can be read and written.`,
    ])
  })
})

/** Whoever may do anything is somebody else in the child. */
const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

describe.skipIf(process.platform === 'win32')('what cannot be written', () => {
  it('[I7] a folder or a file is reported, and stays as it is', async () => {
    const { folder, world, path } = newPlace(2)
    const program = bundle(folder)
    await syncFile(path, world.root)
    const before = readFileSync(path)
    const none = join(folder, 'closed', 'index.db')
    mkdirSync(join(folder, 'closed'))
    for (const open of [folder, program, join(folder, 'index'), path]) chmodSync(open, 0o555)
    chmodSync(join(folder, 'closed'), 0o555)
    for (const target of [none, path]) {
      const told = execFileSync(process.execPath, [program, world.root, target], {
        encoding: 'utf8',
        ...somebody,
      })
      const sentence = `${target} cannot be written: check the permissions of the file and its folder.`
      expect(told).toBe(`read-only: ${sentence}\n`)
    }
    for (const closed of [folder, join(folder, 'closed'), join(folder, 'index')]) chmodSync(closed, 0o755)
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})

function pagesOf(path: string): number {
  const db = openDatabase(path)
  const count = Number(db.prepare('PRAGMA page_count').get()?.['page_count'])
  db.close()
  return count
}

function setVersion(path: string, version: number): void {
  const db = openDatabase(path)
  db.exec(`PRAGMA user_version = ${version}`)
  db.close()
}

/** Kind and sentence of the failure that some work ends in. */
function failureOf(work: () => unknown): readonly string[] {
  try {
    work()
  } catch (error) {
    if (error instanceof StoreError) return [error.kind, error.message]
    throw error
  }
  return ['none', '']
}

describe('a file that changes while it is read', () => {
  const target = '-home-dev-proj/target.jsonl'

  /** Reads as ever, and lets something happen after the file was read, before its state is taken. */
  function whileReading(what: (path: string) => void): Reader {
    return (jobs, sink) =>
      readHere(jobs, {
        ...sink,
        chunk: (job, chunk) => {
          sink.chunk(job, chunk)
          const { root, path } = jobs[job] ?? { root: '', path: '' }
          if (path === target && typeof root === 'string') what(join(root, path))
        },
      })
  }

  function prompt(uuid: string): string {
    return `${JSON.stringify({ type: 'user', uuid, sessionId: 'target', message: { role: 'user', content: uuid } })}\n`
  }

  const happenings: readonly (readonly [string, (path: string) => void])[] = [
    ['grows', path => appendFileSync(path, prompt('more'))],
    ['grows by half a row', path => appendFileSync(path, prompt('more').slice(0, 20))],
    ['is cut', path => truncateSync(path, 40)],
    ['is emptied', path => truncateSync(path, 0)],
    ['vanishes', path => rmSync(path, { force: true })],
    [
      'is put aside for a longer one',
      path => {
        rmSync(path, { force: true })
        writeFileSync(path, prompt('other').repeat(50))
      },
    ],
  ]

  it.each(happenings)('[I8] %s: the next run is right', async (_, what) => {
    const { world, path } = newPlace(3)
    const file = join(world.root, target)
    writeFileSync(file, prompt('one') + prompt('two'))
    let isOver = false
    const once = (at: string): void => {
      if (!isOver) what(at)
      isOver = true
    }
    await syncFile(path, world.root, { reader: whileReading(once) })
    expect(isOver).toBe(true)
    await syncFile(path, world.root)
    await expectAsNew(path, world.root)
  })
})
