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
import { describe, expect, it } from 'vitest'
import { makeMove, planMove, tryEdit, undoEdit, writeEdit, writerOf } from '../src/index.js'
import { readJournal } from '../src/write/journal.js'
import { checkout, everything, NOW, placeOf, read, repairInPlace, withOwnJournal } from './edit-place.js'

withOwnJournal()

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
    expect(() => undoEdit(null, NOW)).toThrow('no edit to undo')
    expect(() => undoEdit(1, NOW)).toThrow('undone already')
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

describe('a session repaired in place', () => {
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
