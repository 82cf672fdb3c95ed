/** Usage, agents, health and comparisons, as the page gets them. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { openLive } from '@dagline/app'
import type {
  AgentsPage,
  CompareChoices,
  Comparison,
  HealthPage,
  UsageCell,
  UsagePage,
} from '@dagline/core/protocol'
import { until } from '@dagline/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveFolder, temporaryFolder, type World, writeFiles, writeShape } from './world.js'

interface Shaped extends World {
  readonly uuid: (token: string) => string
}

async function serveShape(text: string): Promise<Shaped> {
  const root = join(temporaryFolder(), 'projects')
  const { uuid } = writeShape(root, text)
  return { ...(await serveFolder(root)), uuid }
}

/** Asks until the work behind the answer is done. */
async function whole<T extends { readonly survey: { readonly done: number; readonly of: number } }>(
  { value }: World,
  path: string,
): Promise<T> {
  return await until(
    () => value<T>(path),
    ({ survey }) => survey.done === survey.of,
  )
}

const FORKED = 's1: u1 a1 u2 a2 u3 a3 / s1: a1 > u4@+30m a4'

const CREW = `
  s1: u1 a1[t1:Task>x] a2=a1[t2:Task>y]
  s1/x: meta {"agentType":"planner","description":"Plans it"}
  s1/x: u2 a3[t3:Task>z] r3[t3>z] a4
  s1/z: meta {"agentType":"coder"}
  s1/z: u3 a5[t5:Bash] r5[t5!] a6
  s1/y: meta {"agentType":"coder"}
  s1/y: u5 a7
  s1: a2 > r1[t1>x] r2[t2>y] a8
`

const messages = ({ key, messages: count }: UsageCell): string => `${key} ${count}`

describe('usage', () => {
  it('adds up by day, with the share of each model, and by the requested key', async () => {
    const { value } = await serveShape(`${FORKED} / s2: u8@+26h a8`)
    const page = await value<UsagePage>('/api/usage?by=session')
    expect(page.totals.messages).toBe(5)
    expect(page.days.reduce((sum, day) => sum + day.messages, 0)).toBe(5)
    expect(page.days).toHaveLength(2)
    expect(page.models).toEqual(['claude-opus-4-8'])
    for (const day of page.days) expect(day.models).toEqual([[0, day.cost, expect.any(Number)]])
    expect(page.groups.map(messages).sort()).toEqual(['s1 4', 's2 1'])
    expect(
      page.groups.every(({ session, project }) => session !== null && project === '-home-dev-proj'),
    ).toBe(true)
    expect(page.projects).toEqual([{ name: '-home-dev-proj', cwd: '/home/dev/proj' }])
  })

  it('lists abandoned branches with their cost', async () => {
    const { value, uuid } = await serveShape(FORKED)
    const page = await value<UsagePage>('/api/usage?by=branch')
    expect(page.abandoned.messages).toBe(2)
    expect(page.abandonedBranches).toBe(1)
    expect(page.abandoned.cost).toBeCloseTo((page.totals.cost ?? 0) / 2)
    expect(page.groups.map(({ key, title, session, status }) => [key, title, session, status])).toEqual([
      [`s1@${uuid('u2')}`, 'prompt u2', 's1', 'abandoned'],
    ])
  })

  it('is filtered by days, both included, and by project', async () => {
    const { value } = await serveShape('s1: u1 a1 / s2: u2@+48h a2')
    const all = await value<UsagePage>('/api/usage')
    const [first, last] = all.days.map(({ key }) => key)
    const count = async (query: string): Promise<number> =>
      (await value<UsagePage>(`/api/usage?${query}`)).totals.messages
    expect(await count(`since=${last}`)).toBe(1)
    expect(await count(`until=${first}`)).toBe(1)
    expect(await count(`since=${first}&until=${last}`)).toBe(2)
    expect(await count('project=-home-dev-proj')).toBe(2)
    expect(await count('project=other')).toBe(0)
  })

  it('rejects an invalid day or key, in one sentence', async () => {
    const { ask } = await serveShape('s1: u1 a1')
    for (const query of ['since=soon', 'by=color']) {
      const { status, body } = await ask(`/api/usage?${query}`)
      expect(status).toBe(400)
      expect(JSON.parse(body).error.code).toBe('invalid')
    }
  })

  it('lists models without a price and counts their tokens', async () => {
    const { value } = await serveShape('s1: u1 a1+{"message":{"model":"odd-1"}}')
    const page = await value<UsagePage>('/api/usage?by=model')
    expect(page.unknownModels).toEqual(['odd-1'])
    expect(page.totals.cost).toBeNull()
    expect(page.totals.messages).toBe(1)
  })
})

describe('agents', () => {
  it('are counted by type, with the graph of delegation and the latest runs', async () => {
    const world = await serveShape(CREW)
    const page = await whole<AgentsPage>(world, '/api/agents')
    expect(page.kinds.map(({ name, runs, depth, errors }) => [name, runs, depth, errors])).toEqual([
      ['coder', 2, 2, 1],
      ['planner', 1, 1, 0],
    ])
    expect(
      page.delegation.map(({ from, to, calls, parallel }) => `${from} ${to} ${calls} ${parallel}`),
    ).toEqual(['Claude coder 1 1', 'Claude planner 1 1', 'planner coder 1 0'])
    expect(page.runs.map(({ name, node, words }) => [name, node, words])).toContainEqual([
      'planner',
      world.uuid('u2'),
      'Plans it',
    ])
    expect(page.kinds.every(({ cost }) => (cost ?? 0) > 0)).toBe(true)
  })

  it('are filtered by session or project', async () => {
    const world = await serveShape(
      `${CREW}\n  s2: u11 a11[t9:Task>w]\n  s2/w: u12 a12\n  s2: a11 > r9[t9>w] a13`,
    )
    const runs = async (query: string): Promise<number> =>
      (await whole<AgentsPage>(world, `/api/agents?${query}`)).kinds.reduce((sum, kind) => sum + kind.runs, 0)
    expect(await runs('')).toBe(4)
    expect(await runs('session=s2')).toBe(1)
    expect(await runs('project=-home-dev-proj')).toBe(4)
    expect(await runs('project=other')).toBe(0)
  })

  it('[V20] runs are filtered by type, state and words, and listed in parts', async () => {
    const world = await serveShape(`${CREW}\n  s2: u11"Other" a11[t9:Task] r9[t9!] a13`)
    await whole<AgentsPage>(world, '/api/agents')
    const runs = async (query: string): Promise<string> => {
      const page = await world.value<AgentsPage>(`/api/agents?${query}`)
      return `${page.runs.map(({ name }) => name).sort()} of ${page.found}`
    }
    expect(await runs('type=coder')).toBe('coder,coder of 2')
    expect(await runs('state=missing')).toBe('general-purpose of 1')
    expect(await runs('q=PLANS+it')).toBe('planner of 1')
    expect(await runs('type=planner&state=missing')).toBe(' of 0')
    expect(await runs('state=complete&count=1')).toMatch(/^\w+ of 3$/)
  })

  it('[I12] are known at once to the next server', async () => {
    const { root, index, ...world } = await serveShape(CREW)
    const page = await whole<AgentsPage>({ ...world, root, index }, '/api/agents')
    const next = openLive({ index, roots: [root], isSample: false, labels: null, sync: async () => [] })
    onTestFinished(next.close)
    expect(next.agents({})).toEqual(page)
  })

  it('are up to date after a session has grown', async () => {
    const world = await serveShape('s1: u1 a1')
    expect((await whole<AgentsPage>(world, '/api/agents')).kinds).toEqual([])
    writeShape(world.root, CREW)
    await expect.poll(async () => (await world.value<AgentsPage>('/api/agents')).kinds.length).toBe(2)
  })
})

describe('health', () => {
  it('has no problems when nothing was examined', async () => {
    const world = await serveShape('s1: u1 a1 / s1: ?9 > u2 a2')
    const page = await whole<HealthPage>(world, '/api/health')
    expect(page).toMatchObject({ sessions: 1, troubled: null, kinds: [], isExamining: false })
  })

  it('[P2] counts unknown types', async () => {
    const world = await serveShape('s1: u1 x1 a1 x2 / s2: u2 x3')
    const page = await whole<HealthPage>(world, '/api/health')
    expect(page.unknownTypes).toMatchObject([{ type: 'mystery', count: 3 }])
  })

  it('[K9] lists sessions that will be deleted, according to the settings of their root', async () => {
    const config = temporaryFolder()
    const root = join(config, 'projects')
    writeShape(root, 's1: u1 a1 / s2: u2 a2 / s3: u3 a3')
    writeFiles(config, { 'settings.json': '{"cleanupPeriodDays": 10}' })
    const age = (session: string, days: number): void => {
      const time = Date.now() / 1000 - days * 86_400
      utimesSync(join(root, '-home-dev-proj', `${session}.jsonl`), time, time)
    }
    age('s1', 5)
    age('s2', 12)
    const { value } = await serveFolder(root)
    const page = await value<HealthPage>('/api/health')
    expect(page.sweepDays).toBe(10)
    expect(page.swept.map(({ session, isArchived }) => [session, isArchived])).toEqual([
      ['s2', false],
      ['s1', false],
    ])
    expect([page.sweptCount, page.sweptKept]).toEqual([2, null])
  })
})

describe('comparing', () => {
  it('compares two branches from their fork', async () => {
    const { value, uuid } = await serveShape(FORKED)
    const { fork, sides } = await value<Comparison>(`/api/compare?a=${uuid('u2')}&b=${uuid('u4')}`)
    expect(fork).toMatchObject({ node: uuid('a1'), session: 's1', shared: 2 })
    expect(sides.map(({ turns }) => turns.map(({ prompt, answer }) => [prompt, answer]))).toEqual([
      [
        ['prompt u2', 'answer a2'],
        ['prompt u3', 'answer a3'],
      ],
      [['prompt u4', 'answer a4']],
    ])
    expect(sides.every(({ cost }) => (cost ?? 0) > 0)).toBe(true)
  })

  it('accepts sessions, branches and prefixes of uuids', async () => {
    const { value, uuid } = await serveShape(FORKED)
    const sides = async (a: string, b: string): Promise<readonly string[]> =>
      (await value<Comparison>(`/api/compare?a=${a}&b=${b}`)).sides.map(({ status }) => status)
    expect(await sides(`s1@${uuid('u2')}`, 's1')).toEqual(['abandoned', 'live'])
    expect(await sides(uuid('u3'), uuid('a4'))).toEqual(['abandoned', 'live'])
  })

  it('compares sessions without common history', async () => {
    const { value } = await serveShape('one: u1 a1[t1:Bash] r1[t1!] a2 / two: u3 a3')
    const { fork, sides } = await value<Comparison>('/api/compare?a=one&b=two')
    expect(fork).toBeNull()
    expect(sides.map(({ session, messages: count }) => [session, count])).toEqual([
      ['one', 2],
      ['two', 1],
    ])
    expect(sides[0].turns[0]?.calls).toMatchObject([{ tool: 'Bash', failed: true }])
  })

  it('lists the forks of a session', async () => {
    const { value, uuid } = await serveShape(FORKED)
    const { forks } = await value<CompareChoices>('/api/compare?session=s1')
    expect(forks.map(({ kind, branches }) => [kind, branches.map(({ ref }) => ref)])).toEqual([
      ['rewind', [uuid('u2'), uuid('u4')]],
    ])
  })

  it.each([
    ['a=nobody&b=s1', 404],
    ['a=s1@ffffffffffff&b=s1', 404],
    ['a=s1', 400],
    ['session=nobody', 404],
  ])('%s is refused', async (query, status) => {
    const { ask } = await serveShape(FORKED)
    const answer = await ask(`/api/compare?${query}`)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body).error.message).toMatch(/\.$/)
  })
})
