/** Edits whose sources change, whose journal cannot be written, and what killed ones have left. */
import fs, {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { discover, undoEdit, wholeSources, writeEdit } from '../src/index.js'
import { appendJournal, journalFolder, pathsOfEdit, readJournal } from '../src/write/journal.js'
import { checkout, everything, NOW, placeOf, repairInPlace, withOwnJournal } from './edit-place.js'
import { temporaryFolder, writeFiles } from './temporary.js'

withOwnJournal()

const BROKEN = 's1: u1 a1 u2<?9 a2'
const AGENT = 's1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a4'

/** Lets the disk of the journal be full from its nth write on, or for one write only. */
function fillJournalDisk(from: number, to = Number.POSITIVE_INFINITY): void {
  const { openSync, writeSync } = fs
  const journals = new Set<number>()
  let writes = 0
  Object.assign(fs, {
    openSync: (...words: Parameters<typeof openSync>): number => {
      const file = openSync(...words)
      if (String(words[0]).endsWith('journal.jsonl')) journals.add(file)
      else journals.delete(file)
      return file
    },
    writeSync: (file: number, ...rest: never[]): number => {
      if (journals.has(file)) {
        writes++
        if (writes >= from && writes <= to) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      }
      return Reflect.apply(writeSync, fs, [file, ...rest])
    },
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { openSync, writeSync })
    syncBuiltinESMExports()
  })
}

describe('a journal that cannot be written', () => {
  it.each([
    ['a repair in place', BROKEN, repairInPlace],
    ['a new session', AGENT, checkout],
  ] as const)('[E11] after %s has its name: undo knows of it', async (_, shape, editOf) => {
    const place = placeOf(shape)
    const before = everything(place.root)
    fillJournalDisk(2, 2)
    const writing = writeEdit(editOf(place))
    await expect(writing).rejects.toThrow(/was written, but the journal of edits was not.*undo 1/s)
    expect(everything(place.root)).not.toEqual(before)
    expect(readJournal().map(({ state }) => state)).toEqual(['begun'])
    undoEdit(null, NOW)
    expect(everything(place.root)).toEqual(before)
    expect(readJournal().map(({ state }) => state)).toEqual(['undone'])
  })

  it('[E11] when the edit has failed: the error is reported, and nothing is left', async () => {
    const place = placeOf(AGENT)
    const before = everything(place.root)
    const edit = checkout(place)
    fillJournalDisk(2)
    const broken = { ...edit, plan: { ...edit.plan, promise: [] } }
    await expect(writeEdit(broken)).rejects.toThrow('the check failed')
    expect(everything(place.root)).toEqual(before)
  })

  it('[E11] when it begins: nothing is written', async () => {
    const place = placeOf(AGENT)
    const before = everything(place.root)
    fillJournalDisk(1)
    await expect(writeEdit(checkout(place))).rejects.toThrow('make room, then try again')
    expect(everything(place.root)).toEqual(before)
  })

  it('[E10] when an edit is undone: a message, and it can be undone again later', async () => {
    const place = placeOf(BROKEN)
    const before = everything(place.root)
    await writeEdit(repairInPlace(place))
    fillJournalDisk(1, 1)
    expect(() => undoEdit(null, NOW)).toThrow('make room, then try again')
    undoEdit(null, NOW)
    expect(everything(place.root)).toEqual(before)
  })

  it('[E11] by more than a few bytes at a time is written to its end', () => {
    const { writeSync } = fs
    const few = (file: number, bytes: Buffer, at: number, length: number): number =>
      writeSync(file, bytes, at, Math.min(length, 7))
    Object.assign(fs, { writeSync: few })
    syncBuiltinESMExports()
    onTestFinished(() => {
      Object.assign(fs, { writeSync })
      syncBuiltinESMExports()
    })
    appendJournal({ number: 3, time: NOW, state: 'done' })
    const text = readFileSync(join(journalFolder(), 'journal.jsonl'), 'utf8')
    expect(JSON.parse(text)).toEqual({ number: 3, time: NOW, state: 'done' })
  })
})

describe('a source that changes after it was read', () => {
  const original = (root: string): string => join(root, '-home-dev-proj', 's1.jsonl')

  it('[E12] [E17] and is cut, or has other bytes, refuses the edit', async () => {
    const changes: readonly ((path: string) => void)[] = [
      path => truncateSync(path, 100),
      path => writeFileSync(path, readFileSync(path, 'utf8').replace('prompt u1', 'PROMPT u1')),
      path => renameSync(path, `${path}.away`),
    ]
    for (const change of changes) {
      for (const editOf of [checkout, repairInPlace]) {
        const place = placeOf(BROKEN)
        const edit = editOf(place)
        change(original(place.root))
        const before = everything(place.root)
        await expect(writeEdit(edit)).rejects.toThrow(/could not be read whole/)
        expect(everything(place.root)).toEqual(before)
      }
    }
  })

  it('[E12] so does an agent that comes along', async () => {
    const place = placeOf(AGENT)
    const edit = checkout(place)
    truncateSync(join(place.folder, 's1', 'subagents', 'agent-x.jsonl'), 50)
    const before = everything(place.root)
    await expect(writeEdit(edit)).rejects.toThrow(/agent-x.jsonl could not be read whole/)
    expect(everything(place.root)).toEqual(before)
  })

  it('[E17] and has grown can be copied as it was, and is not replaced', async () => {
    const place = placeOf(BROKEN)
    const [copy, repair] = [checkout(place), repairInPlace(place)]
    appendFileSync(original(place.root), '{"type":"mode"}\n')
    const before = everything(place.root)
    await expect(writeEdit(repair)).rejects.toThrow('written to meanwhile')
    expect(everything(place.root)).toEqual(before)
    await writeEdit(copy)
    expect(everything(place.root)).toMatchObject(before)
  })

  it('[E12] a project with a file that was not read whole is refused as a source', () => {
    const files = new Map([['p/s1.jsonl', null]])
    expect(() => wholeSources('/root', files)).toThrow('/root/p/s1.jsonl could not be read whole')
  })
})

describe('a session that is a link', () => {
  it('[E17] is repaired where it leads to, and the link stays', async () => {
    const place = placeOf(BROKEN)
    const path = join(place.folder, 's1.jsonl')
    const real = join(temporaryFolder(), 'elsewhere.jsonl')
    renameSync(path, real)
    symlinkSync(real, path)
    const before = readFileSync(real, 'utf8')
    await writeEdit(repairInPlace(place))
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).not.toBe(before)
    undoEdit(null, NOW)
    expect([lstatSync(path).isSymbolicLink(), readFileSync(real, 'utf8')]).toEqual([true, before])
  })
})

describe('what a killed edit has left', () => {
  it('[P8] is not read', () => {
    const root = temporaryFolder()
    writeFiles(root, {
      '-p/s1.jsonl': '{}\n',
      '-p/.s2.jsonl.dagline-1': '{}\n',
      '-p/.s2.dagline-1/subagents/agent-x.jsonl': '{"type":"us',
      '-p/.s1.jsonl.dagline-mv': '{}\n',
      '-p/.dagline-4f9d.part': '{}\n',
    })
    const [found] = discover([root])
    expect(found?.projects.flatMap(({ files }) => files.map(({ path }) => path))).toEqual(['-p/s1.jsonl'])
  })

  it('[E11] is removed by its own names only: a journal line that names others removes nothing', async () => {
    const place = placeOf(BROKEN)
    const precious = join(temporaryFolder(), 'precious')
    mkdirSync(precious)
    writeFileSync(join(precious, 'file'), 'mine')
    const intent = {
      command: 'fork',
      session: 'n9',
      from: 's1',
      title: null,
      target: join(place.folder, 'n9.jsonl'),
      folder: join(place.folder, 'n9'),
      temporary: [],
      backup: null,
    }
    const file = join(precious, 'file')
    const old = join(place.folder, 'kept', 'old.txt')
    writeFiles(place.folder, { 'kept/old.txt': 'mine' })
    utimesSync(old, 1_700_000_000, 1_700_000_000)
    for (const [index, more] of [
      { temporary: [file] },
      { folder: precious },
      { session: '..', folder: dirname(place.folder) },
      { backup: file },
      // The paths are those of an edit, but the folder was there before it.
      { ...pathsOfEdit({ ...intent, session: 'kept', number: 5, isInPlace: false }), session: 'kept' },
    ].entries())
      appendJournal({ number: index + 1, time: NOW, state: 'begun', intent: { ...intent, ...more } })
    await writeEdit(checkout(place))
    expect([file, place.folder, old].map(path => existsSync(path))).toEqual([true, true, true])
    expect(readJournal().map(({ state }) => state)).toEqual([
      'dropped',
      'dropped',
      'dropped',
      'dropped',
      'dropped',
      'done',
    ])
  })
})
