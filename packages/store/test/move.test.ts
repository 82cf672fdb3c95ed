import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { applyMove } from '../src/move/apply.js'
import { makeMove } from '../src/move/make.js'
import { type MovePlan, type MovePlanOptions, planMove } from '../src/move/plan.js'
import { undoEdit } from '../src/move/undo.js'
import { journalFolder, readJournal } from '../src/write/journal.js'
import { temporaryFolder, writeFiles } from './temporary.js'

const OPTIONS: MovePlanOptions = { from: '/home/dev/shop', to: '/srv/my.store', deep: false, config: false }
const [OLD, NEW] = ['-home-dev-shop', '-srv-my-store']

function row(cwd: string, more: object = {}): string {
  return `${JSON.stringify({ type: 'user', cwd, ...more })}\n`
}

function home(files: Readonly<Record<string, string>>): string {
  const config = temporaryFolder()
  const root = join(config, 'projects')
  mkdirSync(root)
  writeFiles(config, files)
  return root
}

/** Everything below a folder, by path. */
function all(folder: string): Record<string, string> {
  const items = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(item => item.isFile())
  const paths = items.map(({ parentPath, name }) => join(parentPath, name)).sort()
  return Object.fromEntries(paths.map(path => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

function move(root: string, options: Partial<MovePlanOptions> = {}): MovePlan {
  const plan = planMove(root, { ...OPTIONS, ...options })
  for (const _ of applyMove(plan));
  return plan
}

const SESSION = `${row('/home/dev/shop')}{"type":"mode","mode":"x"}\n${row('/home/dev/shop/src')}${row('/home/dev/shop2')}`
const MOVED = SESSION.replace('"/home/dev/shop"', '"/srv/my.store"').replace(
  '/home/dev/shop/src',
  '/srv/my.store/src',
)

describe('moving a project', () => {
  it('[M1] its sessions go to the folder of the new path, with all that belongs to them', () => {
    const root = home({
      [`projects/${OLD}/s1.jsonl`]: SESSION,
      [`projects/${OLD}/s1/subagents/agent-a.jsonl`]: row('/home/dev/shop'),
      [`projects/${OLD}/s1/subagents/agent-a.meta.json`]: '{"worktreePath":"/home/dev/shop/w"}',
      [`projects/${OLD}/s1/tool-results/x.txt`]: '/home/dev/shop',
      [`projects/${OLD}/agent-b.jsonl`]: row('/home/dev/shop'),
      [`projects/${OLD}/empty.jsonl`]: '',
      [`projects/${OLD}/memory/MEMORY.md`]: 'Look in /home/dev/shop',
      [`projects/${OLD}/sessions-index.json`]: '{\n "originalPath": "/home/dev/shop"\n}',
    })
    const plan = move(root)
    expect(plan.sessions).toBe(2)
    expect(all(root)).toEqual({
      [`${NEW}/s1.jsonl`]: MOVED,
      [`${NEW}/s1/subagents/agent-a.jsonl`]: row('/srv/my.store'),
      [`${NEW}/s1/subagents/agent-a.meta.json`]: '{"worktreePath":"/srv/my.store/w"}',
      [`${NEW}/s1/tool-results/x.txt`]: '/home/dev/shop',
      [`${NEW}/agent-b.jsonl`]: row('/srv/my.store'),
      [`${NEW}/empty.jsonl`]: '',
      [`${NEW}/memory/MEMORY.md`]: 'Look in /home/dev/shop',
      [`${NEW}/sessions-index.json`]: '{\n "originalPath": "/srv/my.store"\n}',
    })
    expect(existsSync(join(root, OLD))).toBe(false)
  })

  it('[M1] folders below it go along; those beside it stay, whatever their names look like', () => {
    const root = home({
      'projects/-home-dev-shop-src/s1.jsonl': row('/home/dev/shop/src'),
      'projects/-home-dev-shop--claude-worktrees-w/s2.jsonl':
        row('/home/dev/shop') + row('/home/dev/shop/.claude/worktrees/w'),
      'projects/-home-dev-shop-two/s3.jsonl': row('/home/dev/shop-two'),
      'projects/-home-dev-shop2/s4.jsonl': row('/home/dev/shop2'),
    })
    move(root)
    expect(Object.keys(all(root))).toEqual([
      '-home-dev-shop-two/s3.jsonl',
      '-home-dev-shop2/s4.jsonl',
      '-srv-my-store--claude-worktrees-w/s2.jsonl',
      '-srv-my-store-src/s1.jsonl',
    ])
  })

  it('[M1] out of a folder of transcripts, what was written in the new path goes to the folder of that', () => {
    const stray = (root: string): string =>
      row('/a/b', { toolUseResult: { persistedOutputPath: join(root, '-x/s1/tool-results/o.txt') } })
    const root = home({
      'projects/-x/s1/tool-results/o.txt': 'much',
      'projects/-x/s2.jsonl': row('/x'),
      'projects/-x/s3.jsonl': row('/x') + row('/a/b'),
      'projects/-x/s4.jsonl': row('/a/bc'),
      'projects/-x/s5.jsonl': row('/a/b/c'),
    })
    writeFileSync(join(root, '-x', 's1.jsonl'), stray(root))
    const plan = move(root, { from: join(root, '-x'), to: '/a/b' })
    expect(plan.sessions).toBe(2)
    expect(all(root)).toEqual({
      '-a-b/s1.jsonl': stray(root).replace('/-x/', '/-a-b/'),
      '-a-b/s1/tool-results/o.txt': 'much',
      '-a-b-c/s5.jsonl': row('/a/b/c'),
      '-x/s2.jsonl': row('/x'),
      '-x/s3.jsonl': row('/x') + row('/a/b'),
      '-x/s4.jsonl': row('/a/bc'),
    })
  })

  it('[M1] a folder that two projects share is parted by what its sessions say', () => {
    const root = home({
      'projects/-a-b/s1.jsonl': row('/a/b'),
      'projects/-a-b/s2.jsonl': row('/a-b'),
      'projects/-a-b/memory/MEMORY.md': 'whose?',
    })
    const plan = move(root, { from: '/a/b', to: '/c' })
    expect(Object.keys(all(root))).toEqual(['-a-b/memory/MEMORY.md', '-a-b/s2.jsonl', '-c/s1.jsonl'])
    expect(plan.left.map(({ why }) => why)).toEqual(['shared'])
  })

  it('[M2] other projects are changed where their rows hold the path, and only there', () => {
    const other = row('/home/dev/web') + row('/home/dev/shop/lib') + row('/home/dev/web')
    const root = home({
      'projects/-home-dev-web/s9.jsonl': other,
      'projects/-home-dev-x/s8.jsonl': row('/home/dev/x'),
    })
    const before = statSync(join(root, '-home-dev-x/s8.jsonl'))
    const plan = move(root)
    expect(plan.files.map(({ changedRows, rows }) => [changedRows, rows])).toEqual([[1, 3]])
    expect(all(root)['-home-dev-web/s9.jsonl']).toBe(other.replace('/home/dev/shop/lib', '/srv/my.store/lib'))
    expect(statSync(join(root, '-home-dev-x/s8.jsonl')).ino).toBe(before.ino)
  })

  it('[M3] output that was spilled is found again: paths of the renamed folder change, too', () => {
    const spilled = (folder: string, root: string): string =>
      row(folder === OLD ? '/home/dev/shop' : '/srv/my.store', {
        toolUseResult: { persistedOutputPath: join(root, folder, 's1/tool-results/x.txt') },
      })
    const root = home({})
    writeFiles(root, { [`${OLD}/s1.jsonl`]: spilled(OLD, root) })
    move(root)
    expect(all(root)[`${NEW}/s1.jsonl`]).toBe(spilled(NEW, root))
  })

  it('[M3] times and rights stay', () => {
    const root = home({ [`projects/${OLD}/s1.jsonl`]: SESSION })
    const path = join(root, OLD, 's1.jsonl')
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    move(root)
    const after = statSync(join(root, NEW, 's1.jsonl'))
    expect(after.mtimeMs).toBe(1_700_000_000_000)
    expect(after.mode & 0o777).toBe(0o644)
  })

  it('[M4] with deep also what was said', () => {
    const said = row('/home/dev/shop', { message: { content: 'cd /home/dev/shop && ls' } })
    const root = home({ [`projects/${OLD}/s1.jsonl`]: said })
    move(root, { deep: true })
    expect(all(root)[`${NEW}/s1.jsonl`]).toBe(said.replaceAll('/home/dev/shop', '/srv/my.store'))
  })

  it('[M3] the history of prompts; the configuration only when asked', () => {
    const history =
      '{"display":"in /home/dev/shop","project":"/home/dev/shop"}\n{"display":"x","project":"/home/dev/shop2"}\n'
    const config = '{\n  "projects": {\n    "/home/dev/shop": { "allowedTools": [] },\n    "/x": {}\n  }\n}'
    const root = home({
      'history.jsonl': history,
      '.claude.json': config,
      [`projects/${OLD}/s1.jsonl`]: SESSION,
    })
    expect(planMove(root, OPTIONS).left.map(({ why }) => why)).toEqual(['config'])
    move(root, { config: true })
    const folder = dirname(root)
    expect(readFileSync(join(folder, 'history.jsonl'), 'utf8')).toBe(
      history.replace('"project":"/home/dev/shop"}', '"project":"/srv/my.store"}'),
    )
    expect(readFileSync(join(folder, '.claude.json'), 'utf8')).toBe(
      config.replace('"/home/dev/shop"', '"/srv/my.store"'),
    )
  })

  it('[M3] an entry that the configuration has for the new path is not written twice', () => {
    const config = '{"projects":{"/home/dev/shop":{},"/srv/my.store":{}}}'
    const root = home({ '.claude.json': config, [`projects/${OLD}/s1.jsonl`]: SESSION })
    expect(move(root, { config: true }).left.map(({ why }) => why)).toEqual(['other-entry'])
    expect(readFileSync(join(dirname(root), '.claude.json'), 'utf8')).toBe(config)
  })
})

describe('a move that meets an obstacle', () => {
  it('[M5] goes on where it was cut off, at every step', () => {
    const files = {
      [`projects/${OLD}/s1.jsonl`]: SESSION,
      [`projects/${OLD}/s2.jsonl`]: SESSION,
      [`projects/${OLD}/s2/tool-results/x.txt`]: 'x',
      [`projects/${OLD}/memory/m.md`]: 'm',
      'history.jsonl': '{"project":"/home/dev/shop"}\n',
    }
    const whole = home(files)
    move(whole)
    const steps = planMove(home(files), OPTIONS).files.length
    for (let cut = 0; cut < steps; cut++) {
      for (const isHalf of [false, true]) {
        const root = home(files)
        const plan = planMove(root, OPTIONS)
        const moving = applyMove(plan)
        for (let done = 0; done < cut; done++) moving.next()
        // Half of a step: the file is in its new folder, with its old bytes.
        const next = plan.files[cut]
        if (isHalf && next !== undefined && next.path !== next.target) {
          mkdirSync(dirname(next.target), { recursive: true })
          renameSync(next.path, next.target)
        }
        move(root)
        expect(all(dirname(root))).toEqual(all(dirname(whole)))
        expect(planMove(root, OPTIONS).files).toEqual([])
      }
    }
  })

  it('[M5] stops at a file that was written to since the plan was made', () => {
    const root = home({ [`projects/${OLD}/s1.jsonl`]: SESSION })
    const plan = planMove(root, OPTIONS)
    appendFileSync(join(root, OLD, 's1.jsonl'), row('/home/dev/shop'))
    expect(() => applyMove(plan).next()).toThrow(/was written to meanwhile/)
    expect(all(root)).toEqual({ [`${OLD}/s1.jsonl`]: SESSION + row('/home/dev/shop') })
  })

  it('[M5] a transcript of the same name with other bytes is a clash; notes of the project stay beside', () => {
    const root = home({
      [`projects/${OLD}/s1.jsonl`]: SESSION,
      [`projects/${OLD}/memory/m.md`]: 'old',
      [`projects/${NEW}/s1.jsonl`]: row('/srv/my.store'),
      [`projects/${NEW}/memory/m.md`]: 'new',
    })
    const { clashes, left } = planMove(root, OPTIONS)
    expect(clashes).toEqual([join(root, NEW, 's1.jsonl')])
    expect(left.map(({ why }) => why)).toEqual(['in-the-way'])
  })

  it('[M5] a folder that is a link is left as it is, and reported', () => {
    const root = home({ 'elsewhere/s1.jsonl': SESSION })
    symlinkSync(join(dirname(root), 'elsewhere'), join(root, OLD))
    expect(planMove(root, OPTIONS).left.map(({ why }) => why)).toEqual(['link'])
  })
})

describe('undoing a move', () => {
  const FILES = {
    [`projects/${OLD}/s1.jsonl`]: SESSION,
    [`projects/${OLD}/s1/tool-results/x.txt`]: 'x',
    [`projects/${OLD}/memory/m.md`]: 'm',
    'projects/-home-dev-web/s9.jsonl': row('/home/dev/shop/lib'),
    'history.jsonl': '{"project":"/home/dev/shop"}\n',
  }

  /** A home with files, and a data folder of its own for the journal. */
  function kept(): string {
    vi.stubEnv('XDG_DATA_HOME', temporaryFolder())
    return home(FILES)
  }

  it('[M6] gives every byte back, with its time, and no folder stays behind', () => {
    const root = kept()
    const path = join(root, OLD, 's1.jsonl')
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    const before = all(dirname(root))
    makeMove(planMove(root, OPTIONS), 1)
    expect(all(dirname(root))).not.toEqual(before)
    undoEdit(null, 2)
    expect(all(dirname(root))).toEqual(before)
    expect(statSync(path).mtimeMs).toBe(1_700_000_000_000)
    expect(readdirSync(root).sort()).toEqual([OLD, '-home-dev-web'])
    expect(readJournal().map(({ command, state }) => [command, state])).toEqual([['mv', 'undone']])
  })

  it('[M6] what was added since stays, after the old bytes', () => {
    const root = kept()
    makeMove(planMove(root, OPTIONS), 1)
    appendFileSync(join(root, NEW, 's1.jsonl'), row('/srv/my.store'))
    appendFileSync(join(dirname(root), 'history.jsonl'), '{"project":"/x"}\n')
    undoEdit(null, 2)
    expect(all(root)[`${OLD}/s1.jsonl`]).toBe(SESSION + row('/srv/my.store'))
    expect(all(dirname(root))['history.jsonl']).toBe('{"project":"/home/dev/shop"}\n{"project":"/x"}\n')
  })

  it('[M6] in the configuration, which Claude Code writes anew, only the paths go back', () => {
    const root = kept()
    const path = join(dirname(root), '.claude.json')
    writeFileSync(path, '{"projects":{"/home/dev/shop":{"cost":1}}}')
    makeMove(planMove(root, { ...OPTIONS, config: true }), 1)
    writeFileSync(path, '{"n":2,"projects":{"/x":{},"/srv/my.store":{"cost":2}}}')
    undoEdit(null, 2)
    expect(readFileSync(path, 'utf8')).toBe('{"n":2,"projects":{"/x":{},"/home/dev/shop":{"cost":2}}}')
  })

  it('[M6] a file that was changed otherwise stops it before it begins', () => {
    const root = kept()
    makeMove(planMove(root, OPTIONS), 1)
    writeFileSync(join(root, NEW, 's1.jsonl'), 'mine\n')
    const before = all(dirname(root))
    expect(() => undoEdit(null, 2)).toThrow(/s1.jsonl has changed since this move, so nothing was undone/)
    expect(all(dirname(root))).toEqual(before)
  })

  it('[M6] takes back what was cut off, as far as it came', () => {
    const steps = planMove(kept(), OPTIONS).files.length
    for (let cut = 0; cut < steps; cut++) {
      const root = kept()
      const before = all(dirname(root))
      const stop = (): void => {
        throw new Error('cut off')
      }
      let done = 0
      expect(() =>
        makeMove(planMove(root, OPTIONS), 1, { tell: () => (done++ < cut ? undefined : stop()) }),
      ).toThrow('cut off')
      undoEdit(null, 2)
      expect(all(dirname(root))).toEqual(before)
    }
  })

  it('[M5] what an earlier one left among the originals when it was killed is not in the way', () => {
    const root = kept()
    const before = all(root)
    const left = join(journalFolder(), '1')
    mkdirSync(left, { recursive: true })
    for (const name of ['0', '1', '2', '3']) writeFileSync(join(left, name), 'torn')
    makeMove(planMove(root, OPTIONS), 1)
    expect(all(root)).toMatchObject({ [`${NEW}/s1.jsonl`]: MOVED })
    undoEdit(null, 2)
    expect(all(root)).toEqual(before)
  })

  it('[M5] that could not begin leaves nothing to take back, and no originals', () => {
    const root = kept()
    const plan = planMove(root, OPTIONS)
    appendFileSync(plan.files[0]?.path ?? '', '{}\n')
    expect(() => makeMove(plan, 1)).toThrow('was written to meanwhile')
    expect(readJournal().map(({ state }) => state)).toEqual(['dropped'])
    expect(existsSync(join(journalFolder(), '1'))).toBe(false)
    expect(() => undoEdit(null, 2)).toThrow('no edit to undo')
  })

  it('[M6] moves that follow each other are taken back in turn', () => {
    const root = kept()
    const before = all(root)
    makeMove(planMove(root, OPTIONS), 1)
    makeMove(planMove(root, { ...OPTIONS, from: OPTIONS.to, to: '/srv/third' }), 2)
    expect(() => undoEdit(1, 3)).toThrow('undo that first, with `dagline undo 2`')
    undoEdit(2, 3)
    undoEdit(1, 4)
    expect(all(root)).toEqual(before)
  })

  it('[M6] originals are kept also where a second name cannot be given', () => {
    const root = kept()
    const before = all(dirname(root))
    const number = makeMove(planMove(root, OPTIONS), 1)
    const record = readJournal().find(edit => edit.number === number)
    // A copy instead of the second name, as on another disk.
    for (const { backup } of record?.move?.files ?? []) {
      if (backup === null) continue
      const bytes = readFileSync(backup)
      rmSync(backup)
      writeFileSync(backup, bytes)
    }
    undoEdit(number, 2)
    expect(all(dirname(root))).toEqual(before)
  })
})
