/** E: plans written to disk: whole or not at all, byte for byte taken back. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  type EditPlan,
  type EditSource,
  parseRow,
  planCheckout,
  planRepair,
  type RawRow,
  type Survey,
  startGraph,
  startSurvey,
} from '@dagline/core'
import { expandShape, inProject } from '@dagline/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  discover,
  type Edit,
  type Fingerprint,
  makeMove,
  planMove,
  readJournal,
  readTranscript,
  tryEdit,
  undoEdit,
  type WholeSources,
  wholeSources,
  writeEdit,
  writerOf,
} from '../src/index.js'
import { temporaryFolder, writeFiles } from './temporary.js'

const NOW = Date.UTC(2026, 5, 1)
const PROJECT = '-home-dev-proj'
let data: string | undefined

beforeEach(() => {
  data = process.env['XDG_DATA_HOME']
  process.env['XDG_DATA_HOME'] = temporaryFolder()
})

afterEach(() => {
  if (data === undefined) delete process.env['XDG_DATA_HOME']
  else process.env['XDG_DATA_HOME'] = data
})

interface Place {
  readonly root: string
  readonly folder: string
  readonly source: EditSource
  readonly sources: WholeSources
}

/** Writes a shape below a root and reads it with an eye on edits. */
function placeOf(shape: string): Place {
  const root = temporaryFolder()
  const { files, metas } = expandShape(shape)
  const texts = inProject([...files, ...metas], PROJECT).map(({ path, text }) => [path, text] as const)
  writeFiles(root, Object.fromEntries(texts))
  return read(root)
}

function read(root: string): Place {
  const builder = startGraph()
  const surveys = new Map<string, Survey>()
  const fingerprints = new Map<string, Fingerprint | null>()
  for (const file of discover([root]).flatMap(found => found.projects.flatMap(project => project.files))) {
    const { see, survey } = startSurvey()
    surveys.set(file.path, survey)
    const take = (row: RawRow): void => builder.addRow(file, parseRow(row, see))
    fingerprints.set(file.path, readTranscript(root, file.path, take, { isHashed: true }).fingerprint)
  }
  const sources = wholeSources(root, fingerprints)
  return { root, folder: join(root, PROJECT), source: { graph: builder.build(), surveys }, sources }
}

const make = (session: string) => ({ session, now: NOW, title: null })

function editOf(place: Place, plan: EditPlan | string | null): Edit {
  if (plan === null || typeof plan === 'string') throw new Error(String(plan))
  return {
    plan,
    sources: place.sources,
    target: join(place.folder, `${plan.session}.jsonl`),
    original: join(place.folder, 's1.jsonl'),
    texts: [],
    spilled: [],
    now: NOW,
  }
}

function checkout(place: Place, session = 'n1'): Edit {
  const { graph } = place.source
  const live = graph.live(`${PROJECT}/s1.jsonl`)
  return editOf(place, planCheckout(place.source, live.at(-1) ?? -1, make(session)))
}

function repairInPlace(place: Place): Edit {
  const file = place.source.graph
    .files()
    .find(({ facts }) => facts.session === 's1' && facts.kind === 'session')
  if (file === undefined) throw new Error('no file')
  return editOf(place, planRepair(place.source, file, make('s1'), { only: [], inPlace: true }))
}

/** Everything below a folder, with its bytes. */
function everything(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(entry => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(paths.map(path => [path.slice(folder.length), readFileSync(path, 'latin1')]))
}

describe('a new session', () => {
  it('[E1] [E5] is written with its agents, as private as the original, and the rest stays as it is', async () => {
    const place = placeOf('s1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a4')
    chmodSync(join(place.folder, 's1.jsonl'), 0o640)
    const before = everything(place.root)
    const { files, rows } = await writeEdit(checkout(place))
    expect(rows).toBeGreaterThan(3)
    expect(files.map(({ path }) => path.slice(place.folder.length))).toEqual([
      '/n1.jsonl',
      '/n1/subagents/agent-x.jsonl',
      ...Object.keys(before)
        .filter(path => path.endsWith('.meta.json'))
        .map(() => '/n1/subagents/agent-x.meta.json'),
    ])
    expect(statSync(join(place.folder, 'n1.jsonl')).mode & 0o777).toBe(0o640)
    expect(everything(place.root)).toMatchObject(before)
    const names = readdirSync(place.folder)
    expect(names.filter(name => name.startsWith('.'))).toEqual([])
  })

  it('[E10] is taken back, with its folder', async () => {
    const place = placeOf('s1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a4')
    const before = everything(place.root)
    await writeEdit(checkout(place))
    undoEdit(null, NOW)
    expect(everything(place.root)).toEqual(before)
    expect(existsSync(join(place.folder, 'n1'))).toBe(false)
    expect(() => undoEdit(null, NOW)).toThrow('no edit to take back')
    expect(() => undoEdit(1, NOW)).toThrow('taken back already')
    expect(() => undoEdit(7, NOW)).toThrow('no edit 7')
  })

  it('[E10] that was used since is not taken away', async () => {
    const place = placeOf('s1: u1 a1')
    const edit = checkout(place)
    await writeEdit(edit)
    appendFileSync(edit.target, '{"type":"mode"}\n')
    expect(() => undoEdit(null, NOW)).toThrow('has changed since edit 1')
    expect(existsSync(edit.target)).toBe(true)
  })

  it('[E10] of a session that was moved since waits until the move is taken back', async () => {
    const place = placeOf('s1: u1 a1')
    const before = everything(place.root)
    const edit = checkout(place)
    await writeEdit(edit)
    makeMove(
      planMove(place.root, { from: '/home/dev/proj', to: '/srv/proj', deep: false, config: false }),
      NOW,
    )
    expect(existsSync(edit.target)).toBe(false)
    expect(() => undoEdit(1, NOW)).toThrow('Edit 2 (mv) has changed')
    undoEdit(null, NOW)
    undoEdit(null, NOW)
    expect(everything(place.root)).toEqual(before)
  })

  it('[E2] whose rows are not what was promised is not written', async () => {
    const place = placeOf('s1: u1 a1 u2 a2')
    const before = everything(place.root)
    const edit = checkout(place)
    const broken = { ...edit, plan: { ...edit.plan, promise: edit.plan.promise.slice(0, -1) } }
    await expect(writeEdit(broken)).rejects.toThrow('the check failed')
    expect(tryEdit(broken).fault).toContain('instead of 3')
    expect(everything(place.root)).toEqual(before)
    expect(readJournal().map(({ state }) => state)).toEqual(['dropped'])
  })

  it('[E1] never takes the place of a file that is there', async () => {
    const place = placeOf('s1: u1 a1')
    writeFileSync(join(place.folder, 'n1.jsonl'), 'mine')
    await expect(writeEdit(checkout(place))).rejects.toThrow('is there already')
    expect(readFileSync(join(place.folder, 'n1.jsonl'), 'utf8')).toBe('mine')
  })

  it('[E11] [P6] has rows too long to hold, with new names and all their bytes', async () => {
    const place = placeOf('s1: u1 a1 u2 a2')
    const path = join(place.folder, 's1.jsonl')
    const long = 'x'.repeat(17 * 1024 * 1024)
    writeFileSync(path, readFileSync(path, 'utf8').replace('prompt u2', long))
    const read2 = read(place.root)
    const edit = checkout(read2)
    await writeEdit(edit)
    const rows = readFileSync(edit.target, 'utf8')
      .trim()
      .split('\n')
      .map(row => JSON.parse(row))
    const giant = rows.find(row => JSON.stringify(row).length > long.length)
    expect(giant.message.content.includes(long)).toBe(true)
    expect(giant.sessionId).toBe('n1')
    expect(giant.forkedFrom.sessionId).toBe('s1')
    expect(rows.map(row => row.uuid)).toContain(giant.parentUuid)
  })
})

describe('a session mended in place', () => {
  const BROKEN = 's1: u1 a1 u2<?9 a2'

  it('[E10] comes back byte for byte, with its time and mode', async () => {
    const place = placeOf(BROKEN)
    const path = join(place.folder, 's1.jsonl')
    chmodSync(path, 0o604)
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    const before = everything(place.root)
    await writeEdit(repairInPlace(place))
    expect(everything(place.root)).not.toEqual(before)
    expect(statSync(path).mode & 0o777).toBe(0o604)
    undoEdit(null, NOW)
    expect(everything(place.root)).toEqual(before)
    expect(statSync(path).mode & 0o777).toBe(0o604)
    expect(statSync(path).mtimeMs).toBe(1_700_000_000_000)
  })

  it('[E10] and written to since is left as it is', async () => {
    const place = placeOf(BROKEN)
    const path = join(place.folder, 's1.jsonl')
    await writeEdit(repairInPlace(place))
    appendFileSync(path, '{"type":"mode"}\n')
    const after = everything(place.root)
    expect(() => undoEdit(null, NOW)).toThrow('has changed since')
    expect(everything(place.root)).toEqual(after)
  })
})

describe('a session that is being written', () => {
  it('[E9] is recognised by a process that has it open, by an open turn, and by its growth', async () => {
    const path = join(placeOf('s1: u1 a1').folder, 's1.jsonl')
    const now = Date.now()
    const old = now / 1000 - 3600
    utimesSync(path, old, old)
    expect(await writerOf(path, { isOpen: true, now })).toBeNull()
    utimesSync(path, now / 1000, now / 1000)
    expect(await writerOf(path, { isOpen: true, now: now + 5000 })).toContain('open')
    expect(await writerOf(path, { isOpen: false, now: now + 10_000 })).toBeNull()
    if (process.platform === 'linux') {
      const holder = spawn('bash', ['-c', `exec 3>>"${path}"; echo; sleep 20`])
      await once(holder.stdout, 'data')
      expect(await writerOf(path, { isOpen: false, now: now + 10_000 })).toContain('another process')
      holder.kill()
      await once(holder, 'exit')
    }
    const growing = writerOf(path, { isOpen: false, now: now + 100 })
    setTimeout(() => appendFileSync(path, '\n'), 200)
    expect(await growing).toBe('it is growing')
  })
})
