/** The commands that write: what they print, what they leave alone, what they refuse. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { TestHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { hashes, onRested, uuidOf } from './rested.js'
import { BUNDLE, cleanEnv, dagline, json, onShape, ownFolders } from './run.js'

const SHAPE = 's1: u1 a1 u2 a2[t1] r1[t1] a3 / s1: a1 > u4@+30m a4 u5 a5'
const BROKEN = 's1: u1 a1 u2<?9 a2'

describe('editing commands', () => {
  it('[E1] never change an original', async () => {
    await onRested(SHAPE, (run, home) => {
      const before = hashes(home)
      const prompt = uuidOf(run, 'prompt', 1)
      const commands = [
        ['checkout', 's1'],
        ['checkout', prompt],
        ['fork', prompt],
        ['pick', prompt, '--onto', 's1'],
        ['trim', 's1', '--outputs', '10', '--images', '--thinking', '--progress'],
        ['split', 's1', '--at', uuidOf(run, 'prompt', -1)],
        ['repair', 's1', '--yes'],
        ['history'],
        ['undo'],
        ['undo', '1'],
      ]
      for (const words of commands) {
        const ran = run(...words)
        expect([words.join(' '), ran.stderr, ran.code]).toEqual([words.join(' '), '', 0])
        expect(hashes(home)).toMatchObject(before)
      }
    })
  })

  it('[E1] write nothing with --dry-run', async () => {
    await onRested(SHAPE, (run, home) => {
      const before = hashes(home)
      const prompt = uuidOf(run, 'prompt', 1)
      for (const words of [
        ['checkout', 's1'],
        ['fork', prompt],
        ['pick', prompt, '--onto', 's1'],
        ['trim', 's1', '--outputs', '10'],
        ['split', 's1', '--at', uuidOf(run, 'prompt', -1)],
      ]) {
        const ran = run(...words, '--dry-run')
        expect([ran.stderr, ran.code]).toEqual(['', 0])
        expect(ran.stdout).toContain('Nothing was written.')
      }
      expect(hashes(home)).toEqual(before)
      expect(run('history').stdout).toBe('There are no edits yet.\n')
    })
  })

  it('[E1] print the fields of the contract', async () => {
    await onRested(SHAPE, (run, home) => {
      const made = json(run('checkout', 's1', '--json'))
      expect(Object.keys(made)).toEqual(
        expect.arrayContaining(['dagline', 'session', 'file', 'from', 'live', 'changes', 'reach', 'resume']),
      )
      expect(made.dagline).toBe(1)
      expect(made.file).toBe(`-home-dev-proj/${made.session}.jsonl`)
      expect(made.resume).toContain(`claude --resume ${made.session}`)
      const graph = json(run('graph', join(home.projects, made.file), '--json'))
      expect(Object.values(graph.live)).toEqual([made.live])
      expect(made.reach.after).toBe(made.live.length)
    })
  })

  it('[E10] one undo covers both sessions of a split', async () => {
    await onRested(SHAPE, (run, home) => {
      const before = hashes(home)
      const made = run('split', 's1', '--at', uuidOf(run, 'prompt', -1))
      expect([made.code, Object.keys(hashes(home)).length - Object.keys(before).length]).toEqual([0, 2])
      const [edit, ...others] = json(run('history', '--json')).edits
      expect([made.stdout.includes('undo edit 1.'), edit.files.length, others]).toEqual([true, 2, []])
      expect(run('undo').code).toBe(0)
      expect(hashes(home)).toEqual(before)
      expect(run('undo').stderr).toContain('There is no edit to undo')
    })
  })

  it('[E7] split writes two sessions', async () => {
    await onRested(SHAPE, run => {
      const made = json(run('split', 's1', '--at', uuidOf(run, 'prompt', -1), '--json'))
      expect(made.parts).toHaveLength(2)
      expect(made.parts[0].session).toBe(made.session)
      expect(made.parts[1].session).not.toBe(made.session)
    })
  })

  it('[E3] --at takes the conversation up to that time', async () => {
    await onRested(SHAPE, run => {
      const rows = json(run('log', 's1', '--json')).rows
      const first = new Date(rows[1].time).toISOString().slice(0, 19)
      expect(json(run('checkout', 's1', '--as-of', first, '--json')).live).toHaveLength(2)
      expect(run('checkout', 's1', '--as-of', '1999')).toMatchObject({ code: 1 })
    })
  })

  it('[E3] a session that is only in the archive can be checked out', async () => {
    await onRested(SHAPE, (run, home) => {
      expect(run('archive').code).toBe(0)
      const live = json(run('checkout', 's1', '--dry-run', '--json')).live
      rmSync(join(home.projects, '-home-dev-proj', 's1.jsonl'))
      const made = json(run('checkout', 's1', '--json'))
      expect(made.live).toHaveLength(live.length)
      expect(existsSync(join(home.projects, made.file))).toBe(true)
    })
  })

  it('[E5] --out writes the session below another root, with its subagents', async () => {
    await onRested('s1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a4', (run, home) => {
      const before = hashes(home)
      const out = join(home.dir, 'elsewhere')
      const made = json(run('checkout', 's1', '--out', out, '--json'))
      expect(existsSync(join(out, made.file))).toBe(true)
      expect(readdirSync(join(out, '-home-dev-proj', made.session, 'subagents'))).toContain('agent-x.jsonl')
      expect(hashes(home)).toEqual(before)
    })
  })
})

describe('repair', () => {
  it('[E6] repairs a copy, or in place when asked, and undo restores the bytes', async () => {
    await onRested(BROKEN, (run, home) => {
      const before = hashes(home)
      const copy = json(run('repair', 's1', '--yes', '--json'))
      expect(copy.changes.map(({ what }: { what: string }) => what)).toEqual(['dangling-parent'])
      expect(copy.reach.after).toBe(4)
      expect(copy.title).toContain('(repaired)')
      expect(run('undo').code).toBe(0)
      expect(hashes(home)).toEqual(before)
      expect(run('repair', 's1', '--yes', '--in-place').code).toBe(0)
      expect(hashes(home)).not.toEqual(before)
      expect(run('repair', 's1', '--yes').stdout).toContain('Nothing to do')
      expect(run('undo').code).toBe(0)
      expect(hashes(home)).toEqual(before)
    })
  })

  it('[E6] prints a reason once when it is the same for many rows', async () => {
    await onRested('s1: u1 d1 a1=d1 u2 d2 a2=d2', run => {
      const { stdout } = run('repair', 's1', '--dry-run')
      expect(stdout).toContain(
        'rows 2, 5  Thinking without its signature is left out: the API would refuse the whole conversation.\n',
      )
      expect(stdout.match(/signature/g)).toHaveLength(1)
    })
  })

  it('[E9] asks for confirmation, and needs --yes without a terminal', async () => {
    await onRested(BROKEN, (run, home) => {
      const before = hashes(home)
      expect(run('repair', 's1')).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') })
      expect(hashes(home)).toEqual(before)
    })
  })
})

/** The longest beginning that at least two ids have. */
function sharedStart(ids: readonly string[]): string {
  const starts = ids.flatMap(id => Array.from({ length: id.length }, (_, at) => id.slice(0, at + 1)))
  const shared = starts.filter(start => ids.filter(id => id.startsWith(start)).length > 1)
  return shared.sort((a, b) => b.length - a.length)[0] ?? ''
}

describe('bad requests', () => {
  it('[E9] give one sentence and exit code 1', async () => {
    await onRested(SHAPE, (run, home) => {
      const before = hashes(home)
      const cases: readonly (readonly [readonly string[], string])[] = [
        [['checkout', 'zzzz'], 'No session, branch, subagent or entry is called zzzz'],
        [['checkout', 's1', '--as-of', 'soon'], 'is not a valid date'],
        [['checkout', ''], 'empty'],
        [['pick', 'zzzz', '--onto', 's1'], 'zzzz'],
        [['pick', uuidOf(run, 'prompt', 0), '--onto', 's1'], 'already'],
        [['pick', 's1'], '--onto'],
        [['trim', 's1'], 'There is nothing to trim'],
        [['trim', 's1', '--outputs', 'many'], 'Give a whole number'],
        [['split', 's1', '--at', uuidOf(run, 'prompt', 0)], 'nothing comes before it'],
        [['repair', 's1', '--only', 'everything'], 'There is no kind of problem'],
        [['repair', 's1', '--only', 'late-note'], 'Run `dagline checkout SESSION`'],
        [['repair', 's1', '--in-place', '--out', 'x'], '--in-place'],
        [['repair', 's1', '--in-place', '--snapshot'], 'not repaired in place'],
        [['checkout', 's1:zzzz'], 'No entry of s1 begins with zzzz'],
        [['undo'], 'no edit to undo'],
        [['undo', 'all'], 'not the number of an edit'],
      ]
      for (const [words, message] of cases) {
        const { code, stderr, stdout } = run(...words)
        expect([words.join(' '), code, stdout]).toEqual([words.join(' '), 1, ''])
        expect(stderr).toContain(message)
        expect(stderr.trim().split('\n')).toHaveLength(1)
      }
      expect(hashes(home)).toEqual(before)
    })
  })

  it('[E9] a REF that matches several entries, or none, is answered with candidates', async () => {
    await onRested(SHAPE, (run, home) => {
      const before = hashes(home)
      const ids: string[] = json(run('log', 's1', '--all', '--json')).rows.map(
        (row: { node: string }) => row.node,
      )
      const [id = ''] = ids
      const start = sharedStart(ids)
      const several = run('checkout', start)
      expect(several).toMatchObject({ code: 1, stdout: '' })
      for (const one of ids.filter(known => known.startsWith(start)).slice(0, 4))
        expect(several.stderr).toContain(one)
      const mistyped = `${id.slice(0, 6)}zz`
      expect(run('checkout', mistyped)).toMatchObject({ code: 1, stderr: expect.stringContaining(id) })
      expect(run('fork', `s1:${mistyped}`)).toMatchObject({ code: 1, stderr: expect.stringContaining(id) })
      expect(hashes(home)).toEqual(before)
    })
  })

  it('[E9] a session in use is rejected, and copied with --snapshot', async () => {
    await onShape('s1: u1 a1 u2', run => {
      expect(run('checkout', 's1')).toMatchObject({ code: 1, stderr: expect.stringContaining('--snapshot') })
      expect(run('repair', 's1', '--yes')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('--snapshot'),
      })
      expect(run('checkout', 's1', '--snapshot').code).toBe(0)
    })
  })
})

/** Kills the process at its nth change of the file system. */
const KILLER = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
let left = Number(process.env.KILL_AT)
for (const name of ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'linkSync', 'rmSync', 'mkdirSync']) {
  const real = fs[name]
  fs[name] = (...words) => {
    if (name !== 'openSync' || words[1] !== 'r') if (--left === 0) process.kill(process.pid, 'SIGKILL')
    return real(...words)
  }
}
syncBuiltinESMExports()
`

describe('a process that is killed', () => {
  const cases = [
    ['a copy', 's1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a4', ['checkout', 's1']],
    ['a repair in place', BROKEN, ['repair', 's1', '--yes', '--in-place']],
  ] as const

  it.each(cases)(
    '[E11] at any step of %s leaves the old or the new state',
    { timeout: 300_000 },
    async (_, shape, words) => {
      await onRested(shape, (_run, home) => {
        const killer = join(home.dir, 'killer.mjs')
        writeFileSync(killer, KILLER)
        const pristine = join(home.dir, 'pristine')
        cpSync(home.projects, pristine, { recursive: true, preserveTimestamps: true })
        const before = hashes(home)
        let killed = 0
        for (let at = 1; at < 200; at++) {
          rmSync(home.projects, { recursive: true })
          rmSync(join(home.config, 'data'), { recursive: true, force: true })
          cpSync(pristine, home.projects, { recursive: true, preserveTimestamps: true })
          const env = {
            ...cleanEnv({ CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }),
            KILL_AT: String(at),
          }
          const { signal } = spawnSync(process.execPath, ['--import', killer, BUNDLE, ...words], { env })
          if (signal !== 'SIGKILL') break
          killed++
          const left = hashes(home)
          const isOld = isSame(visible(left), before)
          const isNew = !isOld && isWhole(home, visible(left), before)
          expect([at, isOld || isNew]).toEqual([at, true])
          recover(home)
          const hidden = readdirSync(home.projects, { recursive: true }).filter(name =>
            String(name).includes('.dagline-'),
          )
          expect([at, hidden]).toEqual([at, []])
        }
        expect(killed).toBeGreaterThan(8)
      })
    },
  )
})

describe('an undo that is killed', () => {
  it('[E11] at any step leaves the old or the new state, and can be repeated', {
    timeout: 300_000,
  }, async () => {
    await onRested(BROKEN, (run, home) => {
      const killer = join(home.dir, 'killer.mjs')
      writeFileSync(killer, KILLER)
      const original = hashes(home)
      expect(run('repair', 's1', '--yes', '--in-place').code).toBe(0)
      const mended = hashes(home)
      const kept = join(home.dir, 'kept')
      cpSync(home.config, kept, { recursive: true, preserveTimestamps: true })
      let killed = 0
      for (let at = 1; at < 100; at++) {
        rmSync(home.config, { recursive: true })
        cpSync(kept, home.config, { recursive: true, preserveTimestamps: true })
        const env = {
          ...cleanEnv({ CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }),
          KILL_AT: String(at),
        }
        const { signal } = spawnSync(process.execPath, ['--import', killer, BUNDLE, 'undo'], { env })
        if (signal !== 'SIGKILL') break
        killed++
        const left = transcripts(hashes(home))
        const isOldOrNew = isSame(left, mended) || isSame(left, original)
        expect([at, isOldOrNew]).toEqual([at, true])
        run('undo')
        expect([at, hashes(home)]).toEqual([at, original])
      }
      expect(killed).toBeGreaterThan(4)
    })
  })
})

/** Without what is being written under another name. */
function transcripts(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.jsonl')))
}

/** What Claude Code and dagline see: not names that begin with a dot, and no folder whose session is not there. */
function visible(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const sessions = new Set(
    Object.keys(files).flatMap(path => /^\/[^/]+\/([^/.][^/]*)\.jsonl$/.exec(path)?.[1] ?? []),
  )
  const isSeen = (path: string): boolean => {
    const [, , name = ''] = path.split('/')
    return !name.startsWith('.') && sessions.has(name.replace(/\.jsonl$/, ''))
  }
  return Object.fromEntries(Object.entries(files).filter(([path]) => isSeen(path)))
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The new state: a session beside the others with all its files and rows, or the one session mended. */
function isWhole(
  { projects }: TestHome,
  files: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): boolean {
  const made = Object.keys(files).filter(path => files[path] !== before[path])
  const text = made.map(path => readFileSync(join(projects, path), 'utf8')).join('')
  const isMended = made.length === 1 && made[0] !== undefined && made[0] in before
  if (isMended) return text.trim().split('\n').length === 4
  const isAllThere = made.some(path => path.endsWith('/agent-x.jsonl')) && text.includes('custom-title')
  return isAllThere && Object.keys(before).every(path => files[path] === before[path])
}

/** The next edit cleans up; here one that only looks for something to take back. */
function recover(home: TestHome): void {
  mkdirSync(join(home.config, 'data'), { recursive: true })
  dagline(['undo', '999'], { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) })
}

describe('a full disk', () => {
  it('[E11] leaves nothing behind', async () => {
    await onRested(`s1: ${Array.from({ length: 200 }, (_, i) => `u${i} a${i}`).join(' ')}`, (_run, home) => {
      const before = hashes(home)
      const env = cleanEnv({ CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) })
      const command = `trap '' XFSZ; ulimit -f 64; exec "${process.execPath}" "${BUNDLE}" checkout s1`
      const { status, stderr } = spawnSync('bash', ['-c', command], { env, encoding: 'utf8' })
      expect([status, stderr]).toEqual([1, expect.stringContaining('is full')])
      expect(hashes(home)).toEqual(before)
    })
  })
})

describe('what an edit makes besides', () => {
  it('[E10] folders of --out are private, and go with undo', async () => {
    await onRested('s1: u1 a1 u2 a2', (run, home) => {
      const out = join(home.dir, 'new', 'projects')
      expect(run('checkout', 's1', '--out', out).code).toBe(0)
      expect(statSync(out).mode & 0o777).toBe(0o700)
      expect(run('undo').code).toBe(0)
      expect(existsSync(join(home.dir, 'new'))).toBe(false)
    })
  })

  it.skipIf(!existsSync('/dev/full'))('[E9] output on a full disk gives one sentence', async () => {
    await onRested('s1: u1 a1', (_, home) => {
      const full = openSync('/dev/full', 'w')
      const env = cleanEnv({ CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) })
      const ran = spawnSync(process.execPath, [BUNDLE, 'ls'], {
        env,
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      closeSync(full)
      expect([ran.status, ran.stderr]).toEqual([
        1,
        'dagline: The output could not be written: the disk is full. Make room, or write it elsewhere.\n',
      ])
    })
  })
})
