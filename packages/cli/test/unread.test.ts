/** What could not be read is said by every command that reads, and is never called healthy. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { inHome, named, type Outcome, runOnce } from './faulty-home.js'
import { runFaulty } from './read-faults.js'
import { cleanEnv, json, ownFolders, type Ran } from './run.js'

const ALL: readonly (readonly string[])[] = [
  ['doctor'],
  ['graph'],
  ['tree'],
  ['stats'],
  ['ls'],
  ['usage'],
  ['census'],
]

/** Runs with all reads of the paths that end so failing. */
async function without(
  home: TestHome,
  ending: string,
  words: readonly string[],
  kind = 'EACCES',
): Promise<Outcome> {
  return await runOnce(home, words, { at: 0, kind, ending })
}

describe('a transcript that cannot be read', () => {
  it.each(ALL)('[P11] is named by %s, which reads the others', async command => {
    await inHome(async home => {
      const { code, stderr, stdout } = await without(home, '/s2.jsonl', [command])
      expect(stderr).toContain('s2.jsonl: The file could not be read: permission denied.')
      expect([code, stdout.length > 0]).toEqual([0, true])
    })
  })

  it.each(['doctor', 'tree', 'stats', 'ls'])('[P11] is listed by %s --json', async command => {
    await inHome(async home => {
      const told = json(await without(home, '/s2.jsonl', [command, '--json']))
      expect(told.unread).toEqual([
        {
          path: expect.stringMatching(/s2\.jsonl$/),
          message: 'The file could not be read: permission denied.',
        },
      ])
      expect(json(await without(home, '/nowhere', [command, '--json'])).unread).toBeUndefined()
    })
  })

  it('[P11] [D13] is not among the sessions that doctor has examined', async () => {
    await inHome(async home => {
      const { stdout } = await without(home, '/s2.jsonl', ['doctor', '--all', '--json'])
      const { sessions, totals } = JSON.parse(stdout)
      expect(sessions.map(({ session }: { session: string }) => session)).toEqual(['s1'])
      expect(totals.sessions).toBe(1)
      const shown = await without(home, '/s2.jsonl', ['doctor'])
      expect(shown.stdout).toContain('1 file or folder could not be read:')
    })
  })

  it('[P11] gives exit code 1 when it was asked for', async () => {
    await inHome(async home => {
      for (const command of ['doctor', 'log', 'branches', 'stats', 'export']) {
        const { code, stderr } = await without(home, '/s2.jsonl', [command, 's2'])
        expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining('could not be read')])
      }
      for (const command of ['log', 'doctor', 'branches']) {
        const { code, stderr } = await without(home, '/s2.jsonl', [command, 's1'])
        expect([command, code, stderr]).toEqual([command, 0, expect.stringContaining('could not be read')])
      }
    })
  })

  it.each([
    ['log', 's1'],
    ['show', 'LIVE'],
    ['explain', 'LIVE'],
    ['doctor', 's1'],
    ['stats', 's1'],
    ['graph', '--json'],
    ['tail', 's1', '--once'],
    ['branches', 's1'],
    ['timeline', 's1'],
    ['diff', 'LIVE'],
  ])('[P11] whichever read of %s %s fails, it is said', { timeout: 120_000 }, async (...given) => {
    await inHome(async home => {
      const words = named(home, given)
      const well = await runOnce(home, words, { at: 0, kind: 'EIO' })
      for (let at = 1; at <= well.reads; at++) {
        const { code, stderr, stdout } = await runOnce(home, words, { at, kind: 'EIO' })
        // `tail` also reads to know where the next look begins: nothing is missing without it.
        if (words[0] === 'tail' && stdout === well.stdout && code === 0) continue
        // Of another session a failure is said; of this one it leaves no verdict.
        const isHealthy = stdout.includes('No problems were found') && !stderr.includes('s2.jsonl')
        expect([at, code === 0 || code === 1, isHealthy, stderr]).toEqual([
          at,
          true,
          false,
          expect.stringContaining('could not be read'),
        ])
      }
    })
  })
})

describe('a project folder that cannot be read', () => {
  it.each(ALL)('[P11] is named by %s', async command => {
    await inHome(async home => {
      mkdirSync(join(home.projects, '-home-dev-other'))
      writeFileSync(join(home.projects, '-home-dev-other', 's9.jsonl'), '{}\n')
      const { code, stderr } = await without(home, '-home-dev-other', [command])
      expect(stderr).toContain('-home-dev-other: The folder could not be read: permission denied.')
      expect(code).toBe(0)
      const edit = await without(home, '-home-dev-other', ['checkout', 's1', '--dry-run'])
      expect(edit.code).toBe(0)
    })
  })

  it('[P11] gives exit code 1 when it was asked for', async () => {
    await inHome(async home => {
      const copy = home.projects
      for (const command of ['ls', 'doctor', 'graph', 'tree', 'stats'])
        expect([command, (await without(home, '/projects', [command, copy])).code]).toEqual([command, 1])
    })
  })
})

describe('unusual arguments', () => {
  it('[P11] a link to itself is named, and rejected as an argument', async () => {
    await inHome(async home => {
      symlinkSync('loop.jsonl', join(home.projects, '-home-dev-proj', 'loop.jsonl'))
      const path = join(home.projects, '-home-dev-proj', 'loop.jsonl')
      const env = cleanEnv({ CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) })
      const run = (words: readonly string[]): Promise<Ran> =>
        runFaulty(words, env, { below: home.projects, at: 0, kind: 'EIO' })
      for (const words of [
        ['log', path],
        ['show', path],
        ['ls', path],
        ['doctor', path],
        ['checkout', path],
      ]) {
        const { code, stderr } = await run(words)
        expect([...words, code, stderr]).toEqual([...words, 1, expect.not.stringContaining('internal error')])
      }
      expect((await run(['ls'])).stderr).toContain('leads to itself')
    })
  })

  it('[E9] a REF of 10,000 characters gives one sentence', async () => {
    await inHome(async home => {
      const ref = 'a'.repeat(10_000)
      for (const command of ['show', 'explain', 'checkout', 'fork', 'log', 'doctor', 'export', 'repair']) {
        const { code, stderr } = await runOnce(home, [command, ref], { at: 0, kind: 'EIO' })
        expect([command, code, stderr]).toEqual([command, 1, expect.not.stringContaining('internal error')])
      }
    })
  })
})
