/** A history of pushed files: its index and their bytes come from elsewhere, and the disk of this machine is not asked. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerEvent } from '@dagline/core/protocol'
import { expandShape, inProject } from '@dagline/testkit'
import { expect, it } from 'vitest'
import type { PushedHistory } from '../src/live-history.js'
import { sumStats } from '../src/questions/report.js'
import type { StatsPart } from '../src/questions/stats.js'
import { withPushed } from './pushed-home.js'

const SHAPE = 's1: u1 a1[t1] r1[t1] a2 u2 a3\ns1: a1 > u4@+30m a4\ns2: u7 a7'

it('[HU30] answers as at home while no file is on this machine', async () => {
  await withPushed(SHAPE, async ({ history, files, root }) => {
    rmSync(root, { recursive: true })
    expect(history.home(ALL).items.length).toBe(2)
    const sheet = JSON.parse(Buffer.from(await history.sessionJson('s1')).toString('utf8'))
    expect(sheet.session.archivedOnly).toBe(false)
    const [row] = await history.contents('s1', { from: 0, to: 1 })
    expect(JSON.stringify(row)).toContain('u1')
    const found = await history.search({ q: 'u4', limit: 5, below: 0 })
    expect(found.hits.map(({ label }) => label?.archived)).toEqual([false])
    const raw = await history.raw(found.hits[0]?.node ?? '')
    expect(files.some(({ text }) => text.includes(raw))).toBe(true)
    expect((await history.now()).sessions.every(({ pid }) => pid === null)).toBe(true)
    expect(history.health().sweptCount).toBe(0)
  })
})

it('[HU30] reads no file of this machine that has the path of a pushed one', async () => {
  await withPushed(SHAPE, async ({ history, files, root, read }) => {
    for (const { path, text } of files) writeFileSync(join(root, path), text.replaceAll('"', '!'))
    const { hits } = await history.search({ q: 'u4', limit: 5, below: 0 })
    expect(await history.raw(hits[0]?.node ?? '')).not.toContain('!')
    expect(read.length).toBeGreaterThan(0)
  })
})

it('[HU30] asks nobody for what needs the machine of the sessions', async () => {
  await withPushed(SHAPE, async ({ history }) => {
    expect(history.actions).toBeNull()
    await expect(history.waste()).rejects.toThrow('run "dagline waste" there')
    await expect(history.blame('src/app.ts')).rejects.toThrow('run "dagline blame" there')
    await expect(history.commits('s1', 'HEAD')).rejects.toThrow('run "dagline blame" there')
  })
})

it('[HU48] the page looks up a project among what was pushed', async () => {
  await withPushed(SHAPE, async ({ history, root }) => {
    const found = await history.search({ q: 'u4', project: 'proj', limit: 5, below: 0 })
    expect(found.hits.length).toBe(1)
    for (const project of ['.', process.cwd(), root, '~'])
      await expect(history.search({ q: 'u4', project, limit: 5, below: 0 }), project).rejects.toThrow(
        'No project',
      )
  })
})

it('[HU30] tells listeners which sessions changed, and nothing where none did', async () => {
  await withPushed(SHAPE, async ({ history, root, sync }) => {
    const told: ServerEvent[] = []
    history.start()
    history.events.listen(event => told.push(event))
    history.refresh()
    expect(told).toEqual([])
    const grown = inProject(expandShape(`${SHAPE} u8 a8`).files)
    for (const { path, text } of grown) writeFileSync(join(root, path), text)
    await sync()
    history.refresh()
    expect(told).toEqual([{ kind: 'changed', sessions: ['s2'] }])
  })
})

it('[HU48] lists and searches while no file is on this machine, and looks names up among what was pushed', async () => {
  await withPushed(SHAPE, async ({ history, root }) => {
    rmSync(root, { recursive: true })
    const list = async (words: readonly string[]): Promise<unknown> =>
      (await history.answer({ kind: 'sessions', words, filter: {} })).value
    const all = await list([])
    expect(all).toMatchObject([{ session: 's2', archivedOnly: false }, { session: 's1' }])
    expect(await list(['proj'])).toEqual(all)
    expect(await list(['s1'])).toMatchObject([{ session: 's1' }])
    // Folders of the machine that answers name nothing.
    for (const word of ['.', process.cwd(), root, '~'])
      await expect(list([word]), word).rejects.toThrow('No session begins with')
    const question = { text: 'u4', filter: { session: 's1' }, limit: 5, sort: null, context: 1 }
    const { value } = await history.answer({ kind: 'search', ...question })
    expect(value).toMatchObject({ total: 1, hits: [{ session: 's1', isArchived: false }] })
  })
})

it('[HU50] a word means a session by its id, a branch, a subagent or an entry of it', async () => {
  await withPushed(`${SHAPE}\ns1/x: u9 a9`, async ({ history }) => {
    const called = (word: string): readonly string[] => history.called(word).map(({ fact }) => fact.session)
    const { hits } = await history.search({ q: 'u4', limit: 5, below: 0 })
    const uuid = hits[0]?.node ?? ''
    for (const word of [
      's1',
      `s1@${uuid.slice(-4)}`,
      `s1:${uuid}`,
      `@${uuid}`,
      uuid,
      's1#agent-x',
      '#x',
      'x',
      'agent-x',
    ])
      expect(called(word), word).toEqual(['s1'])
    expect(called('latest')).toEqual([history.sessions()[0]?.session])
    for (const word of ['', 'y', 's3', 's3@1', 'ffffffff', '#y']) expect(called(word), word).toEqual([])
    expect(() => called('s')).toThrow('2 sessions')
  })
})

it('[HU54] measures in parts that add up, each group once', async () => {
  let time = 0
  const ask = async (after: number, history: PushedHistory): Promise<StatsPart> => {
    const question = { kind: 'stats', projects: [], zone: 'UTC', after } as const
    return (await history.answer(question)).value as StatsPart
  }
  await withPushed(
    SHAPE,
    async ({ history }) => {
      const whole = await sumStats(after => ask(after, history))
      const parts: StatsPart[] = []
      // Each look at the clock is two seconds later.
      const step = 2000
      const slow = async (after: number): Promise<StatsPart> => {
        tick = step
        const part = await ask(after, history)
        tick = 0
        parts.push(part)
        return part
      }
      expect(await sumStats(slow)).toEqual(whole)
      expect(parts.map(({ done, of }) => [done, of])).toEqual([
        [1, 2],
        [2, 2],
      ])
      await expect(
        history.answer({ kind: 'stats', projects: [], zone: 'Mars/North', after: 0 }),
      ).rejects.toThrow('does not know the time zone')
    },
    () => (time += tick),
  )
})

let tick = 0

const ALL = {
  view: {
    text: '',
    project: '',
    span: '',
    has: [],
    archivedOnly: false,
    showIdle: true,
    sort: 'latest',
    byProject: false,
    flat: true,
  },
  from: 0,
  count: 10,
} as const
