/** What the editing commands take as a word, and what they say. */
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashes, onRested, settle, uuidOf } from './rested.js'
import { json } from './run.js'

const BRANCHED = 's1: u1 a1 u2 a2 u3 a3 / s1: a1 > u4@+30m a4'
const BROKEN = 's1: u1 a1 u2<?9 a2'
const PROJECT = '-home-dev-proj'

describe('a word', () => {
  it('[E3] may be a path with characters that have a meaning in a REF', async () => {
    await onRested(BRANCHED, (run, home) => {
      const folder = join(home.dir, 'old @work: 2025', PROJECT)
      mkdirSync(folder, { recursive: true })
      const copy = join(folder, 's1.jsonl')
      cpSync(join(home.projects, PROJECT, 's1.jsonl'), copy)
      settle(copy)
      expect(json(run('checkout', copy, '--dry-run', '--json')).live).toHaveLength(4)
      const branch = json(run('branches', copy, '--json')).forks[0].children[0].line
      expect(json(run('checkout', `${copy}${branch.slice(2)}`, '--dry-run', '--json')).live).toHaveLength(6)
    })
  })

  it('[E6] that is the path of a copy means that file, not its original', async () => {
    await onRested('s1: u1 a1 u2 a2', (run, home) => {
      const path = join(home.projects, PROJECT, 'my copy.jsonl')
      const whole = readFileSync(join(home.projects, PROJECT, 's1.jsonl'), 'utf8')
      writeFileSync(path, whole.replace('\n', '\n\0'))
      settle(path)
      const before = hashes(home)
      expect(run('doctor', path).stdout).toContain('damaged-row')
      expect(run('doctor', 's1').stdout).toContain('No problems were found')
      expect(run('repair', path, '--yes', '--in-place', '--only', 'damaged-row').code).toBe(0)
      const { [`/${PROJECT}/my copy.jsonl`]: copy, ...others } = hashes(home)
      const { [`/${PROJECT}/my copy.jsonl`]: first, ...unchanged } = before
      expect(copy).not.toBe(first)
      expect(others).toEqual(unchanged)
    })
  })

  it('[E7] [N1] may be a name: of the entry that a session is split at, of a branch whose turns are picked', async () => {
    await onRested(BRANCHED, run => {
      expect(run('name', `s1:${uuidOf(run, 'prompt', -1)}`, 'better-idea').code).toBe(0)
      expect(json(run('split', 's1', '--at', 'better-idea', '--dry-run', '--json')).parts).toHaveLength(2)
      const branch = json(run('branches', 's1', '--json')).forks[0].children[0].line
      expect(run('name', branch, 'first-idea').code).toBe(0)
      for (const word of [branch, 'first-idea']) {
        const picked = json(run('pick', word, '--onto', 's1', '--dry-run', '--json'))
        expect([picked.changes.length, picked.live.length]).toEqual([2, 8])
      }
    })
  })

  it('[E9] that is a prefix of several session ids is answered with these ids', async () => {
    await onRested('sessionA: u1 a1 / sessionB: u2 a2', run => {
      const { stderr, code } = run('checkout', 'session')
      expect([code, stderr]).toEqual([1, expect.stringContaining('2 sessions begin with session')])
      expect(run('checkout', 'sessionC').stderr).toContain('near it: session sessionA, session sessionB')
      expect(run('log', 'sessionC').stderr).toContain('(near it: sessionA, sessionB)')
    })
  })
})

describe('messages', () => {
  it('[E6] a repair of some problems reports what a resume then loads, not what it could load', async () => {
    await onRested('s1: u1 a1 u2<?9@+1h a2', (run, home) => {
      appendFileSync(
        join(home.projects, PROJECT, 's1.jsonl'),
        '\0{"type":"tag","tag":"x","sessionId":"s1"}\n',
      )
      settle(join(home.projects, PROJECT, 's1.jsonl'))
      const some = ['repair', 's1', '--only', 'damaged-row', '--json'] as const
      expect(json(run(...some, '--dry-run')).reach).toEqual({ before: 2, after: 2 })
      expect(json(run(...some, '--yes')).reach).toEqual({ before: 2, after: 2 })
      expect(json(run('repair', 's1', '--json', '--yes')).reach).toEqual({ before: 2, after: 4 })
    })
  })

  it('[E14] a repair of which a resume loads less than today names the lost entries and what to do', async () => {
    await onRested('s1: u1 a1 u2 a2 / s1: a1 > u3@+1h a3', (run, home) => {
      const path = join(home.projects, PROJECT, 's1.jsonl')
      const uuids = readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map(row => JSON.parse(row).uuid)
      const note = { type: 'last-prompt', lastPrompt: 'x', leafUuid: uuids[3], sessionId: 's1' }
      appendFileSync(path, `${JSON.stringify(note)}\n{"type":"user", torn\n`)
      settle(path)
      const before = hashes(home)
      const { stderr, code } = run('repair', 's1', '--yes')
      expect([code, stderr]).toEqual([1, expect.stringContaining('or --accept-loss to write it anyway')])
      expect(stderr).toContain('no longer load 2 of the 4 entries that it loads today')
      expect(hashes(home)).toEqual(before)
      const tried = json(run('repair', 's1', '--dry-run', '--json'))
      expect(tried).toMatchObject({ gone: uuids.slice(2, 4), reach: { before: 4, after: 4 }, edit: null })
      expect(run('repair', 's1', '--dry-run').stdout).toContain('2 entries that it loads today will not be')
      expect(json(run('repair', 's1', '--yes', '--accept-loss', '--json')).gone).toEqual(uuids.slice(2, 4))
    })
  })

  it('[E6] [E13] a repair of a session that a late hook cuts off reports what it brings back', async () => {
    await onRested('s1: u1 a1 u2 a2 / s1: a1 > h1@+1m', run => {
      expect(run('doctor', 's1').stdout).toContain('2 of 4 entries (50 %)')
      expect(json(run('repair', 's1', '--yes', '--json')).reach).toEqual({ before: 2, after: 4 })
    })
  })

  it('[E8] a trim without effect says so, and leaves neither a copy nor an edit in the history', async () => {
    await onRested('s1: u1 a1 u2 a2', (run, home) => {
      const before = hashes(home)
      const { stdout, code } = run('trim', 's1', '--images', '--outputs', '10')
      expect([code, stdout]).toEqual([0, expect.stringContaining('has nothing that these options omit')])
      expect(json(run('trim', 's1', '--images', '--json')).edit).toBeNull()
      expect(hashes(home)).toEqual(before)
      expect(run('history').stdout).toContain('There are no edits yet')
      expect(json(run('checkout', 's1', '--json')).edit).toBe(1)
    })
  })

  it('[E10] a split says that one undo covers both sessions', async () => {
    await onRested(BRANCHED, run => {
      const { stdout } = run('split', 's1', '--at', uuidOf(run, 'prompt', -1))
      expect(stdout).toContain('Run `dagline undo` to undo edit 1.')
      expect(run('undo').stdout).toContain('2 files removed')
    })
  })

  it('[E10] undo of an in-place repair of a session that was used since says where the original is kept', async () => {
    await onRested(BROKEN, (run, home) => {
      expect(run('repair', 's1', '--yes', '--in-place').code).toBe(0)
      const path = join(home.projects, PROJECT, 's1.jsonl')
      appendFileSync(path, '{"type":"mode"}\n')
      const used = hashes(home)
      const { stderr, code } = run('undo')
      expect([code, stderr]).toEqual([1, expect.stringContaining('What it was before is kept in ')])
      const kept = /kept in (.+)\.\n$/.exec(stderr)?.[1] ?? ''
      expect(readFileSync(kept, 'utf8')).not.toBe(readFileSync(path, 'utf8'))
      expect(hashes(home)).toEqual(used)
    })
  })

  it('[N3] [N5] `show` and `explain` print the name and the note of an entry or branch', async () => {
    await onRested(BRANCHED, run => {
      const branch = json(run('branches', 's1', '--json')).forks[0].children[0].line
      run('name', branch, 'first-idea')
      run('note', branch, 'Too slow, but right.')
      expect(run('show', 'first-idea').stdout).toContain('first-idea\n  Too slow, but right.\n')
      expect(run('explain', 'first-idea').stdout).toMatch(/name +first-idea\nnote +Too slow, but right\./)
      expect(json(run('explain', 'first-idea', '--json'))).toMatchObject({ name: 'first-idea' })
      expect(json(run('show', 'first-idea', '--json')).parts[0]).toMatchObject({
        note: 'Too slow, but right.',
      })
    })
  })

  it('[D12] the doctor prints the title of a session without the secret in it', async () => {
    const key = `sk-ant-api03-${'Ab1Cd2Ef3Gh4'.repeat(8)}AA`
    await onRested(`s1: u1"use ${key} please" a1`, run => {
      for (const words of [
        ['doctor', 's1'],
        ['doctor', '--all'],
      ]) {
        const { stdout } = run(...words)
        expect(stdout).toMatch(/use \[redacted:anthropic-key-[0-9a-f]{8}\] please/)
        expect(stdout).not.toContain('Ab1Cd2')
      }
    })
  })

  it('[M1] a preview of a move also names what prevents it', async () => {
    await onRested('s1: u1 a1', (run, home) => {
      writeFileSync(
        join(home.projects, PROJECT, 's1.jsonl'),
        readFileSync(join(home.projects, PROJECT, 's1.jsonl')),
      )
      const shown = run('mv', '/home/dev/proj', '/home/dev/other', '--dry-run')
      expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining('was written to just now')])
      expect(shown.stdout).toContain('becomes -home-dev-other')
      expect(readdirSync(home.projects)).toEqual([PROJECT])
    })
  })
})
