/** Y9: the tables of sessions hold what those of the whole history hold, to the token. */
import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import { World } from '../../store/test/world.js'
import { WHOLE_PAGE } from '../src/export/findings.js'
import { type FaceHistory, openFaceHistory } from '../src/index.js'
import { type Lake, type LakeRow, readLake, sortedRows } from './lake.js'
import { ownFolder } from './own-folders.js'

const folder = ownFolder()
const exporter = { approve: async (): Promise<void> => {}, print: async (): Promise<void> => {} }
const plain = { redact: null, names: [], allowSecrets: true } as const
const asTables = { ...WHOLE_PAGE, ...plain, format: 'parquet' } as const
let places = 0

/** The rows of each table in the folders of some sessions. */
async function readSessions(folders: readonly string[]): Promise<Lake> {
  const tables = new Map<string, LakeRow[]>()
  for (const path of folders)
    for (const name of readdirSync(path)) {
      const table = name.replace('.parquet', '')
      const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(path, name)) })
      tables.set(table, (tables.get(table) ?? []).concat(rows))
    }
  return tables
}

/** Empty transcripts belong to no session, and copies (G7) are not shown apart from what they repeat. */
function isShown(row: LakeRow): boolean {
  return row['copy_of'] == null && Number(row['rows'] ?? 1) > 0
}

/** The rows as texts, without tables that have none. */
function textsIn(
  lake: Lake,
  isMeant: (row: LakeRow) => boolean,
): Readonly<Record<string, readonly string[]>> {
  const kept = [...lake].map(([name, rows]) => [name, rows.filter(isMeant)] as const)
  return sortedRows(new Map(kept.filter(([name, rows]) => name !== 'contents' && rows.length > 0)))
}

/** Compares what is exported of each project and of each session with the tables of the whole history. */
async function compareSessions(history: FaceHistory, place: string): Promise<void> {
  await history.exportTables({ ...plain, to: join(place, 'lake') }, exporter)
  const lake = await readLake(join(place, 'lake'))
  const sessions = lake.get('sessions') ?? []
  // S8: a project is exported without sessions that did nothing, and notes alone are no session.
  const known = new Set(sessions.map(row => row['session']))
  const transcripts = lake.get('transcripts') ?? []
  const idle = new Set([
    ...sessions.flatMap(row => (row['idle'] === true ? row['session'] : [])),
    ...transcripts.flatMap(({ kind, session }) => (kind === 'session' && !known.has(session) ? session : [])),
  ])
  const isIdle = (row: LakeRow): boolean => row['session'] != null && idle.has(row['session'])
  const placed = [...transcripts, ...(lake.get('nodes') ?? [])]
  const unused = new Set(placed.flatMap(row => (isIdle(row) ? row['transcript'] : [])))
  const isUsed = (row: LakeRow): boolean => !isIdle(row) && !unused.has(row['transcript'])
  const projects = new Set(sessions.map(row => String(row['project'])))
  for (const project of projects) {
    const out = join(place, `all ${project}`)
    await history.export(null, { ...asTables, project, out }, exporter)
    const folders = readdirSync(out, { withFileTypes: true }).filter(item => item.isDirectory())
    const found = await readSessions(folders.map(({ name }) => join(out, name)))
    // Words that name a project may name several.
    const isOf = (row: LakeRow): boolean => row['project'] === project
    expect(textsIn(found, isOf)).toEqual(textsIn(lake, row => isOf(row) && isShown(row) && isUsed(row)))
  }
  for (const session of sessions.map(row => String(row['session']))) {
    const out = join(place, `one ${session}`)
    await history.export(session, { ...asTables, out }, exporter)
    const isOwn = (row: LakeRow): boolean => row['session'] === session && isShown(row)
    const found = await readSessions([out])
    expect(textsIn(found, isOwn)).toEqual(textsIn(lake, isOwn))
    await compareUsage(history, session, (found.get('usage') ?? []).filter(isOwn))
  }
}

/** What `dagline usage SESSION` prints. */
async function compareUsage(history: FaceHistory, session: string, rows: readonly LakeRow[]): Promise<void> {
  const all = { since: null, until: null, project: null, branch: null, by: 'month' } as const
  if (rows.length === 0)
    return await expect(history.usageReport([], { ...all, session })).rejects.toThrow('has no usage')
  const { totals } = (await history.usageReport([], { ...all, session })).tally
  const sum = (column: string): number => rows.reduce((part, row) => part + Number(row[column]), 0)
  expect([rows.length, sum('input'), sum('output'), sum('cache_read')]).toEqual([
    totals.messages,
    totals.input,
    totals.output,
    totals.cacheRead,
  ])
  expect(sum('cost_usd')).toBeCloseTo(totals.cost ?? 0, 8)
}

const aStory = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  style: fc.constantFrom(...STYLE_NAMES),
  damage: fc.boolean(),
})

type Story = typeof aStory extends fc.Arbitrary<infer T> ? T : never

describe('tables of sessions', { timeout: 600_000 }, () => {
  it('[Y9] [Y3] property: hold the rows of the whole history, of forks, resumes and copies as well', async () => {
    await fc.assert(
      fc.asyncProperty(aStory, async ({ seed, style, damage }) => {
        const place = join(folder, String(++places))
        const world = new World(join(place, 'projects'))
        world.add(seed, { style, actions: 8, damage }, 1)
        await compareSessions(openFaceHistory({ roots: [world.root], index: join(place, 'index.db') }), place)
      }),
      {
        numRuns: Number(process.env['DAGLINE_RUNS'] ?? 12),
        examples: KNOWN,
      },
    )
  })
})

/** Copied files, a session without entries of its own, a fork in shared history. */
const KNOWN: [Story][] = [
  [{ seed: 1, style: '2.0.64', damage: false }],
  [{ seed: 790_516, style: 'seed', damage: false }],
  [{ seed: 696_271, style: '2.1.325', damage: false }],
  [{ seed: 170_771, style: '2.1.41', damage: false }],
]

const corpus = findCorpus()
if (corpus === null) process.stderr.write('not run: tables of the sessions of the corpus (no corpus here)\n')

/** Projects of the corpus that are compared; all of them where `DAGLINE_RUNS` is set. */
const MOST_BYTES = process.env['DAGLINE_RUNS'] === undefined ? 4_000_000 : Number.POSITIVE_INFINITY

describe.runIf(corpus !== null)('tables of the sessions of the corpus', { timeout: 3_600_000 }, () => {
  it('[Y9] [Y3] hold the rows of the whole history', async () => {
    const place = join(folder, 'corpus')
    const root = join(place, 'projects')
    for (const name of readdirSync(corpus ?? '')) {
      const path = join(corpus ?? '', name)
      if (sizeOf(path) < MOST_BYTES && isFlat(path)) cpSync(path, join(root, name), { recursive: true })
    }
    await compareSessions(openFaceHistory({ roots: [root], index: join(place, 'index.db') }), place)
  })
})

/** Whether the subagents of all sessions are where Claude Code puts them: elsewhere they are in a project of their own. */
function isFlat(path: string): boolean {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.jsonl'),
  )
  return names.every(name => /^[^\\/]+(?:\.jsonl|[\\/]subagents[\\/].*)$/.test(name))
}

function sizeOf(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names.reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
}
