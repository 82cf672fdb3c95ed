/** Y1-Y4: tables say what `usage`, `stats` and `graph` say, each message once, and a lake follows what changes. */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UsageRow } from '@dagline/core/measure'
import { pushTo } from '@dagline/core/model'
import { TABLES } from '@dagline/core/tables'
import { expandShape, STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import { aChange, type Change, World } from '../../store/test/world.js'
import { WHOLE_PAGE } from '../src/export/findings.js'
import { MANIFEST, writeLake } from '../src/export/lake.js'
import { type LakeFolder, openLakeFolder } from '../src/export/lake-folder.js'
import type { Pieces } from '../src/export/write.js'
import { askIndex } from '../src/index/open.js'
import { type FaceHistory, openFaceHistory, type TablesReport } from '../src/index.js'
import { type TableGroup, tableGroups } from '../src/tables/groups.js'
import { countBy, type Lake, type LakeRow, readLake, sortedRows, sumOf } from './lake.js'
import { ownFolder } from './own-folders.js'

const runs = { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 12) }
const folder = ownFolder()
const exporter = { approve: async (): Promise<void> => {} }
const options = { redact: null, names: [], allowSecrets: true } as const

let worlds = 0

interface Place {
  readonly world: World
  readonly history: FaceHistory
  readonly lake: string
}

function newPlace(): Place {
  const place = join(folder, String(++worlds))
  const world = new World(join(place, 'projects'))
  const history = openFaceHistory({ roots: [world.root], index: join(place, 'index.db') })
  return { world, history, lake: join(place, 'lake') }
}

const exportTo = (history: FaceHistory, to: string): Promise<TablesReport> =>
  history.exportTables({ ...options, to }, exporter)

/** Changes that leave files in their project: `stats` and `graph` look at one project after the other. */
const STAYING = new Set<Change['kind']>(['grow', 'grow-torn', 'finish', 'truncate', 'edit', 'delete', 'add'])

const aStory = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  style: fc.constantFrom(...STYLE_NAMES),
  damage: fc.boolean(),
  part: fc.nat(10),
  changes: fc.array(aChange, { maxLength: 3, size: 'max' }),
})

type Story = typeof aStory extends fc.Arbitrary<infer T> ? T : never

function begin({ seed, style, damage, part }: Story): Place {
  const place = newPlace()
  place.world.add(seed, { style, actions: 6, damage }, part / 10)
  return place
}

describe('tables', () => {
  it('[Y1] have columns with names and meanings of their own', () => {
    for (const { columns, about } of TABLES) {
      expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
      for (const text of [about, ...columns.map(column => column.about)]) expect(text).toMatch(/^.{8,}\.$/)
    }
    expect(new Set(TABLES.map(({ name }) => name)).size).toBe(TABLES.length)
  })

  it('[Y2] [Y3] equal usage, stats and graph for random conversations', { timeout: 600_000 }, async () => {
    const follow = async (story: Story): Promise<void> => {
      const { world, history, lake } = begin(story)
      for (const change of story.changes) if (STAYING.has(change.kind)) world.apply(change)
      await exportTo(history, lake)
      const tables = await readLake(lake)
      await compareUsage(history, tables)
      await compareStats(history, tables)
      await compareGraph(history, tables, world.root)
      await compareLists(history, tables)
    }
    await fc.assert(fc.asyncProperty(aStory, follow), runs)
  })

  it('[Y4] of a lake that follows all changes are those of a new one', { timeout: 600_000 }, async () => {
    const follow = async (story: Story): Promise<void> => {
      const { world, history, lake } = begin(story)
      await exportTo(history, lake)
      for (const [nth, change] of story.changes.entries()) {
        world.apply(change)
        await exportTo(history, lake)
        const fresh = `${lake}-${nth}`
        await exportTo(history, fresh)
        const tables = await readLake(lake)
        expect(sortedRows(tables)).toEqual(sortedRows(await readLake(fresh)))
        expect(await exportTo(history, lake)).toMatchObject({ written: 0, removed: 0 })
        await compareUsage(history, tables)
      }
    }
    await fc.assert(fc.asyncProperty(aStory, follow), runs)
  })

  it('[Y2] [Y3] count what forks share once, and say where it is', async () => {
    const { world, history, lake } = newPlace()
    writeShape(world.root, '-proj', 's1: u1 a1+USAGE u2 a2+USAGE\ns2: u1 a1+USAGE u2 a2+USAGE u3 a3+USAGE')
    await exportTo(history, lake)
    const tables = await readLake(lake)
    expect(sumOf(tables.get('usage'), 'output')).toBe(30)
    expect(tables.get('nodes')).toHaveLength(6)
    const membership = tables.get('membership') ?? []
    expect(membership).toHaveLength(10)
    expect(countBy(membership, ({ owned }) => owned)).toEqual({ true: 6, false: 4 })
    await compareUsage(history, tables)
  })

  it('[Y2] count a message of two roots once', async () => {
    const { world, lake } = newPlace()
    const other = join(folder, `other-${worlds}`)
    const shape = 's1: u1 a1+USAGE u2 a2+USAGE'
    writeShape(world.root, '-proj', shape)
    writeShape(other, '-proj', `${shape} u3 a3+USAGE`)
    const history = openFaceHistory({ roots: [world.root, other], index: join(folder, 'roots.db') })
    await exportTo(history, lake)
    const tables = await readLake(lake)
    expect(sumOf(tables.get('usage'), 'output')).toBe(30)
    await compareUsage(history, tables)
  })

  it('[Y4] of sessions that were removed are removed, and only their files are written', async () => {
    const { world, history, lake } = newPlace()
    writeShape(world.root, '-one', 's1: u1 a1+USAGE')
    writeShape(world.root, '-two', 's2: u2 a2+USAGE')
    await exportTo(history, lake)
    writeShape(world.root, '-two', 's3: u3 a3+USAGE')
    const added = await exportTo(history, lake)
    expect(added.written).toBeGreaterThan(0)
    expect(added.unchanged).toBeGreaterThan(0)
    rmSync(join(world.root, '-one'), { recursive: true })
    const removed = await exportTo(history, lake)
    expect(removed).toMatchObject({ written: 0 })
    expect(removed.removed).toBeGreaterThan(0)
    expect(readdirSync(join(lake, 'usage'))).toEqual(['project=-two'])
    expect(sumOf((await readLake(lake)).get('usage'), 'output')).toBe(20)
  })

  it('[Y4] whose rows stay as they are are not written, also where their session goes on', async () => {
    const { world, history, lake } = newPlace()
    const shape = 's1: u1@+1d a1+USAGE u2@+40d a2+USAGE'
    writeShape(world.root, '-proj', shape)
    await exportTo(history, lake)
    const months = readdirSync(join(lake, 'usage', 'project=-proj'))
    expect(months).toHaveLength(2)
    const times = (): readonly number[] =>
      months.map(month => statSync(join(lake, 'usage', 'project=-proj', month, 'data.parquet')).mtimeMs)
    const before = times()
    writeShape(world.root, '-proj', `${shape} u3 a3+USAGE`)
    const report = await exportTo(history, lake)
    expect(times()[0]).toBe(before[0])
    expect(times()[1]).not.toBe(before[1])
    expect(report.unchanged).toBeGreaterThan(0)
    expect(sumOf((await readLake(lake)).get('usage'), 'output')).toBe(30)
    await compareUsage(history, await readLake(lake))
  })

  it('[Y4] are written by one export at a time', async () => {
    const { history, lake } = newPlace()
    const other = openLakeFolder(lake, MANIFEST)
    await expect(exportTo(history, lake)).rejects.toThrow(/Another export writes to/)
    await other.close()
    expect(await exportTo(history, lake)).toMatchObject({ removed: 0 })
  })

  it('[Y4] converge after exports that were killed at any file', { timeout: 600_000 }, async () => {
    const follow = async (story: Story, kills: readonly number[]): Promise<void> => {
      const { world, history, lake } = begin(story)
      const index = { index: join(lake, '..', 'index.db') }
      for (const [nth, most] of kills.entries()) {
        const failing = failingAfter(lake, most)
        const killed = askIndex(history.host, index, indexed =>
          writeLake(failing, tableGroups(indexed), { host: history.host, ...PLAIN }),
        )
        await killed.then(failing.close, error => expect(error).toBe(KILLED))
        const change = story.changes[nth]
        if (change !== undefined) world.apply(change)
      }
      await exportTo(history, lake)
      await exportTo(history, `${lake}-new`)
      expect(sortedRows(await readLake(lake))).toEqual(sortedRows(await readLake(`${lake}-new`)))
      expect(readdirSync(lake).filter(name => name.startsWith('.'))).toEqual(['.dagline.lock'])
    }
    const kills = fc.array(fc.nat(40), { minLength: 1, maxLength: 3 })
    await fc.assert(fc.asyncProperty(aStory, kills, follow), runs)
  })

  it('[Y4] forget a session that was removed after its export was killed', { timeout: 60_000 }, async () => {
    for (let most = 0; most < 24; most += 2) {
      const { world, history, lake } = newPlace()
      writeShape(world.root, '-proj', 's1: u1 a1+USAGE')
      await exportTo(history, lake)
      writeShape(world.root, '-proj', 's2: u2 a2+USAGE')
      const failing = failingAfter(lake, most)
      const killed = askIndex(history.host, { index: join(lake, '..', 'index.db') }, indexed =>
        writeLake(failing, tableGroups(indexed), { host: history.host, ...PLAIN }),
      )
      await killed.then(failing.close, error => expect(error).toBe(KILLED))
      rmSync(join(world.root, '-proj', 's2.jsonl'))
      await exportTo(history, lake)
      expect(sumOf((await readLake(lake)).get('usage'), 'output')).toBe(10)
      expect((await readLake(lake)).get('nodes')).toHaveLength(2)
    }
  })

  it('[Y4] go to a folder that holds nothing else', async () => {
    const { history, lake } = newPlace()
    await expect(exportTo(history, folder)).rejects.toThrow(/holds other files/)
    const file = `${lake}.txt`
    writeFileSync(file, '')
    await expect(exportTo(history, file)).rejects.toThrow(/is a file/)
  })

  it('[Y4] [R1] replace secrets and names, also in the names of folders', async () => {
    const { world, history, lake } = newPlace()
    const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
    writeShape(
      world.root,
      '-home-ada-shop',
      `s1: u1+${JSON.stringify({ message: { role: 'user', content: `use ${key}` } })} a1`,
    )
    await expect(
      history.exportTables(
        { ...options, allowSecrets: false, to: lake },
        {
          approve: async secrets => {
            throw new Error(`${secrets.length} kinds`)
          },
        },
      ),
    ).rejects.toThrow('1 kinds')
    const report = await history.exportTables(
      { ...options, redact: ['secrets', 'names'], names: ['ada'], to: lake },
      exporter,
    )
    expect(report.redacted?.left).toEqual([])
    const text = JSON.stringify(sortedRows(await readLake(lake)))
    expect(text).not.toContain(key)
    expect(text).toContain('redacted')
  })
})

describe('placeholders', () => {
  it('[R3] are the same in a lake, in another one, and in a session', async () => {
    const { world, history, lake } = newPlace()
    const keys = ['a1B2c3D4e5F6', 'z9Y8x7W6v5U4'].map(part => `ghp_${part.repeat(3)}`)
    const said = (text: string): string => JSON.stringify({ message: { role: 'user', content: text } })
    writeShape(world.root, '-one', `s1: u1+${said(`use ${keys[0]}`)} a1`)
    writeShape(world.root, '-one', `s2: u2+${said(`use ${keys[1]}`)} a2`)
    // The other order, in a project of its own.
    writeShape(world.root, '-two', `s3: u3+${said(`use ${keys[1]}`)} a3`)
    writeShape(world.root, '-two', `s4: u4+${said(`use ${keys[0]}`)} a4`)
    const redacted = { ...options, redact: ['secrets'] } as const
    const placeholdersOf = async (to: string): Promise<readonly (readonly string[])[]> => {
      await history.exportTables({ ...redacted, to }, exporter)
      const rows = (await readLake(to)).get('sessions') ?? []
      return ['-one', '-two'].map(project => placeholdersIn(rows.filter(row => row['project'] === project)))
    }
    const [one = [], two = []] = await placeholdersOf(lake)
    expect(one).toHaveLength(2)
    expect(two).toEqual(one)
    expect(await placeholdersOf(`${lake}-again`)).toEqual([one, two])
    const printed: string[] = []
    const print = async (pieces: Pieces): Promise<void> => {
      for await (const piece of pieces) printed.push(String(piece))
    }
    for (const session of (await history.sessions()).map(each => each.session))
      await history.export(
        session,
        { ...redacted, ...WHOLE_PAGE, format: 'jsonl', out: '-' },
        { ...exporter, print },
      )
    expect(placeholdersIn(printed)).toEqual(one)
  })
})

function placeholdersIn(value: unknown): readonly string[] {
  const text = JSON.stringify(value, (_, cell) => (typeof cell === 'bigint' ? Number(cell) : cell))
  return [...new Set(text.match(/\[redacted:[\w-]+\]/g))].sort()
}

const KILLED = new Error('killed')
const PLAIN = { redactor: null, basis: [options.redact, options.names] }

/** A lake whose writer ends after so many files, and leaves everything as it is then. */
function failingAfter(path: string, most: number): LakeFolder {
  const lake = openLakeFolder(path, MANIFEST)
  let left = most
  const orEnd = async (work: () => Promise<void>): Promise<void> => {
    if (left-- > 0) return await work()
    // A process that has ended: what it left is removed by the next one.
    renameSync(lake.scratch, join(path, '.dagline.999999999.left'))
    await lake.close()
    throw KILLED
  }
  return {
    ...lake,
    put: (name, file) => orEnd(() => lake.put(name, file)),
    remove: name => orEnd(() => lake.remove(name)),
  }
}

const corpus = findCorpus()
if (corpus === null) {
  process.stderr.write(
    'not run: tables of the corpus (no DAGLINE_CORPUS, no ../shared/corpus/projects.tar.xz)\n',
  )
  it('tables of the corpus not run: no corpus here', () => expect(corpus).toBeNull())
}

describe.runIf(corpus !== null)('tables of the corpus', () => {
  it('[Y2] [Y3] equal usage, stats and graph', { timeout: 300_000 }, async () => {
    const history = openFaceHistory({ roots: [corpus ?? ''], index: join(folder, 'corpus.db') })
    const tables = await askIndex(history.host, { index: join(folder, 'corpus.db') }, indexed =>
      rowsOf(tableGroups(indexed)),
    )
    await compareUsage(history, tables)
    await compareStats(history, tables)
    await compareGraph(history, tables, corpus ?? '')
    await compareLists(history, tables)
  })
})

const USAGE = { input_tokens: 1, output_tokens: 10, cache_read_input_tokens: 5 }

/** Writes the files of a shape; `+USAGE` on an answer says what it used. */
function writeShape(root: string, project: string, shape: string): void {
  const usage = JSON.stringify({
    message: { usage: USAGE, model: 'claude-sonnet-4-5', stop_reason: 'end_turn' },
  })
  const { files } = expandShape(shape.replaceAll('+USAGE', `+${usage}`))
  const world = new World(join(root, project))
  for (const { path, text } of files) writeFileSync(join(world.root, path), text)
}

/** The rows as they are exported, without the way over files. */
function rowsOf(groups: readonly TableGroup[]): Lake {
  const tables = new Map<string, LakeRow[]>()
  for (const group of groups)
    for (const { table, row } of group.rows()) {
      const cells = table.columns.map(({ name }, at) => [name, row[at]] as const)
      pushTo(tables, table.name, Object.fromEntries(cells))
    }
  return tables
}

/** Sums by project, month and model, as an engine gives them. */
async function compareSums(history: FaceHistory, tables: Lake): Promise<void> {
  const parts = (rows: readonly LakeRow[]): Readonly<Record<string, number>> =>
    Object.fromEntries(TOKENS.map(([, column]) => [column, sumOf(rows, column)]))
  const sums = new Map<string, LakeRow[]>()
  for (const row of tables.get('usage') ?? [])
    pushTo(sums, [row['project'], row['month'], row['model']].join(' '), row)
  const expected = new Map<string, UsageRow[]>()
  for (const row of await history.usage())
    pushTo(expected, [row.project, monthOf(row), row.model].join(' '), row)
  const fromUsage = [...expected].map(([key, rows]) => [
    key,
    Object.fromEntries(
      TOKENS.map(([name, column]) => [column, rows.reduce((sum, row) => sum + row[name], 0)]),
    ),
  ])
  const sorted = (entries: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] =>
    entries.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  expect(sorted([...sums].map(([key, rows]) => [key, parts(rows)]))).toEqual(sorted(fromUsage))
  await compareReport(history, tables)
}

/** In UTC, as the folders of a lake. */
function monthOf({ time }: UsageRow): string {
  return time === null ? '' : new Date(time).toISOString().slice(0, 7)
}

/** What `dagline usage --by` prints of each project and each model. */
async function compareReport(history: FaceHistory, tables: Lake): Promise<void> {
  for (const by of ['project', 'model', 'month'] as const) {
    const { tally } = await history.usageReport([], { ...EVERYTHING, by })
    const outputs = new Map<string, number>()
    for (const row of tables.get('usage') ?? []) {
      const key = String(row[by] ?? 'unknown')
      outputs.set(key, (outputs.get(key) ?? 0) + Number(row['output']))
    }
    expect(new Map(tally.groups.map(({ key, output }) => [key, output]))).toEqual(outputs)
  }
}

/** Every message, to the token. */
async function compareUsage(history: FaceHistory, tables: Lake): Promise<void> {
  const expected = (await history.usage()).map(usageText).sort()
  const rows = (tables.get('usage') ?? []).map(row =>
    [row['message'], row['project'], row['session'], row['line'], row['status'], row['agent'], row['model']]
      .concat(TOKENS.map(([, column]) => Number(row[column])))
      .join(' '),
  )
  expect(rows.sort()).toEqual(expected)
  await compareSums(history, tables)
  const { tally } = await history.usageReport([], { ...EVERYTHING, by: 'month' })
  expect(sumOf(tables.get('usage'), 'cost_usd')).toBeCloseTo(tally.totals.cost ?? 0, 8)
}

const EVERYTHING = { since: null, until: null, project: null, session: null, branch: null } as const

const TOKENS = [
  ['input', 'input'],
  ['output', 'output'],
  ['cacheRead', 'cache_read'],
  ['cacheWrite5m', 'cache_write_5m'],
  ['cacheWrite1h', 'cache_write_1h'],
  ['webSearches', 'web_searches'],
] as const

function usageText(row: UsageRow): string {
  const { message, project, session, line, status, agentId, model } = row
  const tokens = TOKENS.map(([name]) => row[name])
  return [message, project, session, line, status, agentId, model, ...tokens].join(' ')
}

/** Everything that `stats` counts and a table has. */
async function compareStats(history: FaceHistory, tables: Lake): Promise<void> {
  const { stats } = await history.stats()
  const calls = tables.get('tool_calls')
  const sessions = countBy(tables.get('sessions'), ({ idle }) => idle)
  expect({ sessions: sessions['false'] ?? 0, idle: sessions['true'] ?? 0 }).toEqual({
    sessions: stats.totals.sessions,
    idle: stats.totals.idle,
  })
  expect(countBy(calls, ({ tool }) => tool)).toEqual(countsOf(stats.tools, ({ tool, calls: n }) => [tool, n]))
  for (const ending of ['ok', 'error', 'denied', 'interrupted', 'spilled', 'unanswered'] as const)
    expect(calls?.filter(row => row['ending'] === ending).length ?? 0).toBe(
      stats.tools.reduce((sum, { ends }) => sum + ends[ending], 0),
    )
  const agents = tables.get('subagents')
  expect(countBy(agents, ({ name }) => name)).toEqual(
    countsOf(stats.agents, ({ agent, invocations }) => [agent, invocations]),
  )
  expect(sumOf(agents, 'tool_calls')).toBe(stats.agents.reduce((sum, { toolCalls }) => sum + toolCalls, 0))
  expect(sumOf(agents, 'errors')).toBe(stats.agents.reduce((sum, { errors }) => sum + errors, 0))
  expect(countBy(tables.get('compactions'), ({ trigger }) => trigger)).toEqual(
    countsOf(stats.compactions, ({ trigger, count }) => [String(trigger), count]),
  )
  expect(sumOf(tables.get('compactions'), 'tokens_before')).toBe(
    stats.compactions.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0),
  )
  const queued = tables.get('queue')?.filter(({ operation }) => operation === 'enqueue')
  expect(countBy(queued, ({ became }) => became)).toEqual(
    countsOf(stats.queue.fates, ({ became, count }) => [became, count]),
  )
}

function countsOf<T>(
  rows: readonly T[],
  count: (row: T) => readonly [string, number],
): Readonly<Record<string, number>> {
  return Object.fromEntries(rows.map(count))
}

/** The totals of `graph`, and what it says is odd. */
async function compareGraph(history: FaceHistory, tables: Lake, root: string): Promise<void> {
  const { totals, rules } = await history.summary([root])
  expect(countBy(tables.get('diagnostics'), row => `${row['rule']} ${row['severity']}`)).toEqual(
    countsOf(rules, ({ rule, severity, count: times }) => [`${rule} ${severity}`, times]),
  )
  const files = tables.get('transcripts')
  const nodes = tables.get('nodes') ?? []
  const forks = tables.get('forks') ?? []
  const { files: count, rewinds, ...rest } = totals
  const sums = ['bytes', 'rows', 'entries', 'blank', 'damaged', 'continuation', 'joined', 'pieces'] as const
  expect({ ...rest, rewinds, files: count }).toEqual({
    ...Object.fromEntries(sums.map(name => [name, sumOf(files, name)])),
    files: files?.length ?? 0,
    nodes: nodes.length,
    placed: nodes.filter(row => row['copy_of'] == null).length,
    folded: nodes.filter(row => row['copy_of'] != null).length,
    forks: forks.length,
    rewinds: forks.filter(row => row['rewind'] === true).length,
  })
  expect(sumOf(tables.get('branches'), 'entries')).toBe(totals.placed)
  const owned = (tables.get('membership') ?? []).filter(row => row['owned'] === true)
  expect(owned).toHaveLength(totals.placed)
}

/** The figures of `ls`, `agents` and `files`, and what tables say of each other. */
async function compareLists(history: FaceHistory, tables: Lake): Promise<void> {
  const [sessions, agents, touched] = await Promise.all([
    history.sessions(),
    history.agents(),
    history.files(),
  ])
  const figures = (rows: readonly object[], names: readonly string[]): readonly string[] =>
    rows.map(row => names.map(name => String(Reflect.get(row, name))).join(' ')).sort()
  const listed = ['session', 'turns', 'branches', 'agents', 'called', 'compactions', 'bytes', 'problems']
  const rows = tables.get('sessions') ?? []
  expect(
    figures(
      rows.map(({ subagents, lost_subagents, ...row }) => ({
        ...{ ...row, agents: subagents, called: lost_subagents },
      })),
      listed,
    ),
  ).toEqual(figures(sessions, listed))
  expect(countBy(tables.get('subagents'), ({ state }) => state)).toEqual(
    countBy(agents.map(toRow), ({ state }) => state),
  )
  const actions = { read: 'reads', edit: 'edits', write: 'writes', other: 'others' } as const
  for (const [action, name] of Object.entries(actions))
    expect(
      countBy(
        tables.get('files')?.filter(row => row['action'] === action),
        ({ path }) => path,
      ),
    ).toEqual(
      countsOf(
        touched.filter(file => file[name] > 0),
        file => [file.path, file[name]],
      ),
    )
  compareMessages(tables)
}

function toRow(item: object): LakeRow {
  return { ...item }
}

/** A message holds its entries and calls, and the turns of a session are those that begin on its lines. */
function compareMessages(tables: Lake): void {
  const messages = tables.get('messages') ?? []
  const spoken = tables.get('nodes')?.filter(({ kind }) => kind === 'user' || kind === 'assistant')
  expect(sumOf(messages, 'entries')).toBe(spoken?.filter(row => row['copy_of'] == null).length ?? 0)
  expect(sumOf(messages, 'calls')).toBe(tables.get('tool_calls')?.length ?? 0)
  const ids = new Set(messages.map(({ message }) => message))
  expect(tables.get('usage')?.filter(({ message }) => !ids.has(message)) ?? []).toEqual([])
  const isMain = (row: LakeRow): boolean => row['agent'] == null
  const turns = sumOf(tables.get('sessions'), 'turns')
  expect(messages.filter(row => row['starts_turn'] === true && isMain(row))).toHaveLength(turns)
  expect(sumOf(tables.get('branches')?.filter(isMain), 'turns')).toBe(turns)
}
