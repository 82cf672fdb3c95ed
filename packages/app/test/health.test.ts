/** The doctor and what it is told by the disk and the archive; what a repair of one kind says. */
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, type TestHome, withHome } from '@dagline/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { newPlacesOf } from '../src/health/new-place.js'
import { type History, openHistory } from '../src/index.js'

afterEach(() => vi.unstubAllEnvs())

/** A history of one project, with an archive and an index of its own. */
async function onProject<T>(
  shape: string,
  use: (history: History, home: TestHome, folder: string) => Promise<T>,
): Promise<T> {
  return await withHome([], async home => {
    vi.stubEnv('XDG_DATA_HOME', join(home.dir, 'data'))
    vi.stubEnv('XDG_CACHE_HOME', join(home.dir, 'cache'))
    const cwd = join(home.dir, 'work', 'proj')
    mkdirSync(cwd, { recursive: true })
    const folder = join(home.projects, cwd.replaceAll(/[^A-Za-z0-9]/g, '-'))
    for (const { path, text } of expandShape(shape.replaceAll('CWD', JSON.stringify(cwd))).files) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
      utimesSync(join(folder, path), 0, 0)
    }
    return await use(openHistory({ roots: [home.projects], index: join(home.dir, 'index.db') }), home, folder)
  })
}

async function faultOf(history: History, id: string): Promise<object | undefined> {
  const [health] = await history.health('s1')
  return health?.faults.find(fault => fault.id === id)
}

describe('a working directory that is gone', () => {
  it('[D25] is found under its name near by, and by the remote of a clone', async () => {
    await onProject('s1: u1+{"cwd":CWD} a1', async (history, { dir }) => {
      const old = join(dir, 'work', 'proj')
      expect(await faultOf(history, 'missing-folder')).toBeUndefined()
      renameSync(old, join(dir, 'work', 'renamed'))
      expect(await faultOf(history, 'missing-folder')).toMatchObject({ severity: 'info', fix: null })
      mkdirSync(join(dir, 'work', 'renamed', '.git'))
      writeFileSync(
        join(dir, 'work', 'renamed', '.git', 'config'),
        '[remote "origin"]\n\turl = git@example.org:me/Proj.git\n',
      )
      const fix = `dagline mv ${old} ${join(dir, 'work', 'renamed')}`
      expect(await faultOf(history, 'missing-folder')).toMatchObject({ severity: 'warning', fix })
    })
  })

  it('[D25] is looked for beside, one level below and one above, and below a renamed parent', async () => {
    await withHome([], ({ dir }) => {
      const at = (...parts: readonly string[]): string => join(dir, ...parts)
      const placesWith = (...parts: readonly string[]): readonly string[] => {
        mkdirSync(at(...parts), { recursive: true })
        const found = newPlacesOf(at('home', 'work', 'proj'))
        rmSync(at('home', ...parts.slice(1, 2)), { recursive: true })
        return found
      }
      expect(placesWith('home', 'work', 'deep', 'proj')).toEqual([at('home', 'work', 'deep', 'proj')])
      expect(placesWith('home', 'code', 'proj')).toEqual([at('home', 'code', 'proj')])
      mkdirSync(at('home', 'work'), { recursive: true })
      expect(placesWith('home', 'proj')).toEqual([at('home', 'proj')])
      expect(newPlacesOf(at('home', 'work', 'proj'))).toEqual([])
    })
  })
})

it('[D11] [D26] a restore is named only where the archive has what is missing', async () => {
  await onProject('s1: u1 a1[t1:Task] r1[t1>x] a2\ns1/x: u2 a3', async (history, _, folder) => {
    const agent = join(folder, 's1', 'subagents', 'agent-x.jsonl')
    const away = `${agent}.away`
    renameSync(agent, away)
    expect(await faultOf(history, 'missing-agent')).toMatchObject({ fix: null })
    renameSync(away, agent)
    await history.archive.keep()
    rmSync(agent)
    expect(await faultOf(history, 'missing-agent')).toMatchObject({ fix: 'dagline restore s1' })
  })
})

it('[D24] a repair of one kind names the kinds that it follows from, and counts as the doctor does', async () => {
  const shape = 's1: u1 a1[t1] u2 a2\ns1: ?9 > a3@+10m u3 a4'
  await onProject(shape, async history => {
    const options = { out: null, title: null, snapshot: true, dryRun: true }
    const task = { inPlace: false, options, what: 'check', mayLose: false } as const
    const repair = (...only: readonly string[]): ReturnType<History['edit']['repair']> =>
      history.edit.repair('s1', { ...task, only })
    const [health] = await history.health('s1')
    expect(health?.faults.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['dangling-parent', 'answer-first']),
    )
    expect(await repair('answer-first')).toMatchObject({ state: 'needless', together: ['dangling-parent'] })
    expect(await repair('dangling-parent')).toMatchObject({ state: 'done', report: { coverage: null } })
    const { now, possible } = health?.coverage ?? {}
    const coverage = { now, possible, after: possible, added: 1 }
    expect(await repair()).toMatchObject({ state: 'done', report: { coverage } })
  })
})
