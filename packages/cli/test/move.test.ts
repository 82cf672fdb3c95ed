import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestHome, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { block, dagline, json, ownFolders, type Ran } from './run.js'

const ROW = { type: 'user', uuid: 'u1', parentUuid: null, sessionId: 's1', timestamp: '2026-01-01T00:00:00Z' }
const TEXT = `${JSON.stringify({ ...ROW, cwd: '/home/dev/shop', message: { role: 'user', content: 'Mend /home/dev/shop' } })}\n`
const [OLD, NEW] = ['-home-dev-shop', '-srv-store']

type Run = (...words: string[]) => Ran

async function world<T>(use: (run: Run, home: TestHome) => T, isFresh = false): Promise<T> {
  return await withHome([{ path: `${OLD}/s1.jsonl`, text: TEXT }], home => {
    if (!isFresh) utimesSync(join(home.projects, OLD, 's1.jsonl'), 1_700_000_000, 1_700_000_000)
    return use((...words) => dagline(words, { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }), home)
  })
}

describe('mv', () => {
  it('[M1] prints the plan, and changes nothing without confirmation', async () => {
    await world((run, home) => {
      const shown = run('mv', '/home/dev/shop', '/srv/store')
      expect(shown.code).toBe(1)
      expect(shown.stderr).toBe(
        'dagline: Nothing was changed: there is no terminal to ask on. Use --yes to make the move, or --dry-run to preview it.\n',
      )
      expect(block(shown.stdout.replace(home.projects, 'ROOT'))).toMatchInlineSnapshot(`
        "
        ROOT
          -home-dev-shop becomes -srv-store
          1 session, 1 file moved, 1 row in 1 file changed (1 path, 179 B rewritten)
        "
      `)
      expect(run('mv', '/home/dev/shop', '/srv/store', '--dry-run').code).toBe(0)
      expect(readdirSync(home.projects)).toEqual([OLD])
    })
  })

  it('[M1] moves the session to the folder of the new path, and changes the path in it', async () => {
    await world((run, home) => {
      const made = run('mv', '/home/dev/shop/', '/srv/store', '--yes')
      expect(made.stderr).toBe('Moved 1 file and changed 1 row. Run `dagline undo` to undo it.\n')
      expect(readdirSync(home.projects)).toEqual([NEW])
      expect(readFileSync(join(home.projects, NEW, 's1.jsonl'), 'utf8')).toBe(
        TEXT.replace('"cwd":"/home/dev/shop"', '"cwd":"/srv/store"'),
      )
      expect(run('ls').stdout).toContain('/srv/store')
      expect(run('mv', '/home/dev/shop', '/srv/store', '--yes').stderr).toContain(
        'No session or project uses the path',
      )
    })
  })

  it('[M6] `dagline undo` restores the old state', async () => {
    await world((run, home) => {
      run('mv', '/home/dev/shop', '/srv/store', '--yes', '--deep')
      expect(readFileSync(join(home.projects, NEW, 's1.jsonl'), 'utf8')).toContain('Mend /srv/store')
      expect(run('undo')).toMatchObject({ code: 0 })
      expect(readdirSync(home.projects)).toEqual([OLD])
      expect(readFileSync(join(home.projects, OLD, 's1.jsonl'), 'utf8')).toBe(TEXT)
    })
  })

  it('[M6] one undo restores all roots', async () => {
    await world((run, home) => {
      const second = join(home.dir, 'second')
      mkdirSync(join(second, OLD), { recursive: true })
      writeFileSync(join(second, OLD, 's2.jsonl'), TEXT.replaceAll('s1', 's2'))
      utimesSync(join(second, OLD, 's2.jsonl'), 1_700_000_000, 1_700_000_000)
      const roots = ['--root', home.projects, '--root', second]
      expect(run('mv', '/home/dev/shop', '/srv/store', '--yes', ...roots).stderr).toBe(
        'Moved 2 files and changed 2 rows. Run `dagline undo` to undo it.\n',
      )
      for (const root of [home.projects, second]) expect(readdirSync(root)).toEqual([NEW])
      expect(run('undo').stdout).toContain('2 files moved back, byte for byte')
      for (const root of [home.projects, second]) expect(readdirSync(root)).toEqual([OLD])
      expect(run('undo').stderr).toContain('There is no edit to undo')
    })
  })

  it('[M1] prints the plan as JSON', async () => {
    await world(run => {
      const told = json(run('mv', '/home/dev/shop', '/srv/store', '--dry-run', '--json'))
      expect(told).toMatchObject({ dagline: 1, from: '/home/dev/shop', to: '/srv/store', made: false })
      expect(told.roots[0]).toMatchObject({
        sessions: 1,
        files: 1,
        moved: 1,
        changed: 1,
        rows: 1,
        values: 1,
        clashes: [],
      })
    })
  })

  it('[M5] rejects what cannot be done, in one sentence', async () => {
    await world((run, home) => {
      const refused = (...words: string[]): string => {
        const { code, stderr } = run('mv', ...words, '--yes')
        expect(code).toBe(1)
        return stderr
      }
      expect(refused('/home/dev/shop', '/home/dev/shop/')).toContain(
        'The old path and the new one are the same',
      )
      expect(refused('/home/dev', '/home/dev/x')).toContain('lies below /home/dev')
      expect(refused('/nowhere', '/x')).toContain('No session or project uses the path /nowhere')
      expect(refused('/', '/x')).toContain('is not a project folder')
      mkdirSync(join(home.config, 'sessions'))
      const running = JSON.stringify({ pid: process.pid, sessionId: 'x', cwd: '/home/dev/shop/src' })
      writeFileSync(join(home.config, 'sessions', `${process.pid}.json`), running)
      expect(refused('/home/dev/shop', '/srv/store')).toContain(
        `A session is running there (process ${process.pid}`,
      )
      expect(readdirSync(home.projects)).toEqual([OLD])
    })
  })

  it('[M5] fails while a transcript is being written', async () => {
    await world(run => {
      expect(run('mv', '/home/dev/shop', '/srv/store', '--yes').stderr).toContain('was written to just now')
    }, true)
  })
})
