/**
 * Y7: engines read a lake with the statements of docs/ENGINES.md, give the same answers to built-in queries, and sums that are those
 * of `dagline usage`. DuckDB is there; `scripts/engines.ts` gets Spark and ClickHouse, unless `DAGLINE_PYTHON` names a Python that has
 * them. `DAGLINE_TRINO` is the folder of a Trino server (its Java in `JAVA_HOME`).
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { UsageRow } from '@dagline/core/measure'
import { pushTo } from '@dagline/core/model'
import { TABLES } from '@dagline/core/tables'
import { afterAll, describe, expect, it } from 'vitest'
import { findEngine, noEngine, type PythonEngine } from '../../../scripts/engines.ts'
import { findCorpus } from '../../core/test/corpus.js'
import { World } from '../../store/test/world.js'
import { BUILT_IN_QUERIES, type FaceHistory, openFaceHistory } from '../src/index.js'
import { loadDuckDB } from '../src/sql/duckdb.js'
import { ENGINES, setupFor } from '../src/sql/engines.js'
import { ownFolder } from './own-folders.js'
import { startTrino, type Trino } from './trino.js'

type Engine = (typeof ENGINES)[number]
type Rows = readonly (readonly unknown[])[]
type Run = (setup: readonly string[], queries: readonly string[]) => Promise<readonly Rows[]>

const TRINO = process.env['DAGLINE_TRINO'] ?? ''
const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')
const folder = ownFolder()
const corpus = findCorpus()

/** The Python of each engine. Tests have a cache folder of their own, in which there is none. */
const PYTHONS: Readonly<Record<PythonEngine, string | null>> = {
  spark: findEngine('spark'),
  clickhouse: findEngine('clickhouse'),
}
const AVAILABLE: Readonly<Record<Engine, boolean>> = {
  duckdb: true,
  spark: PYTHONS.spark !== null,
  clickhouse: PYTHONS.clickhouse !== null,
  trino: TRINO !== '',
}
const REASONS: Readonly<Record<Exclude<Engine, 'duckdb'>, string>> = {
  spark: noEngine('spark'),
  clickhouse: noEngine('clickhouse'),
  trino: 'No DAGLINE_TRINO: the tests of a lake in Trino are NOT RUN.',
}
for (const engine of ENGINES) {
  if (engine === 'duckdb' || AVAILABLE[engine]) continue
  const reason = REASONS[engine]
  process.stderr.write(`${reason}\n`)
  it(reason, () => expect(engine).not.toBe('duckdb'))
}

let trino: Trino | null = null
afterAll(async () => await trino?.close())

const RUNS: Readonly<Record<Engine, Run>> = {
  duckdb: async (setup, queries) => {
    const instance = await loadDuckDB(null).DuckDBInstance.create(':memory:', {})
    const connection = await instance.connect()
    for (const sql of setup) await connection.run(sql)
    const answers: Rows[] = []
    for (const sql of queries) answers.push((await connection.runAndReadAll(sql)).getRowsJS())
    connection.closeSync()
    instance.closeSync()
    return answers
  },
  spark: async (...given) => inPython('spark', ...given),
  clickhouse: async (...given) => inPython('clickhouse', ...given),
  trino: async (setup, queries) => {
    trino ??= await startTrino(TRINO, folder)
    const answers: Rows[] = []
    await trino.run('DROP SCHEMA IF EXISTS hive.dagline CASCADE')
    for (const sql of setup) await trino.run(sql)
    for (const sql of queries) answers.push(await trino.run(sql))
    return answers
  },
}

function inPython(
  engine: PythonEngine,
  setup: readonly string[],
  queries: readonly string[],
): readonly Rows[] {
  const { stdout, stderr } = spawnSync(
    PYTHONS[engine] ?? '',
    [join(import.meta.dirname, 'engines.py'), engine],
    {
      input: JSON.stringify({ setup, queries }),
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    },
  )
  const last = stdout.trim().split('\n').at(-1) ?? ''
  if (!last.startsWith('[')) throw new Error(`${engine}: ${stderr.slice(-3000)} ${stdout.slice(-1000)}`)
  return JSON.parse(last)
}

/** Histories: the samples, forked, resumed and copied sessions by chance, and the corpus where it is. */
const HISTORIES: readonly (readonly [name: string, root: () => string])[] = [
  ['samples', () => SAMPLES],
  ['generated', generated],
  ...(corpus === null ? [] : ([['corpus', () => corpus]] as const)),
]

function generated(): string {
  const world = new World(join(folder, 'generated'))
  for (let seed = 1; seed <= 12; seed++)
    world.add(
      seed,
      { style: '2.1.325', actions: 12, damage: seed % 4 === 0, project: `-p ü+%${seed % 3}` },
      1,
    )
  return world.root
}

const lakes = new Map<string, Promise<{ readonly lake: string; readonly history: FaceHistory }>>()

/** The lake of a history, exported once. */
function lakeOf(
  name: string,
  root: () => string,
): Promise<{ readonly lake: string; readonly history: FaceHistory }> {
  const known = lakes.get(name) ?? exported(name, root())
  lakes.set(name, known)
  return known
}

async function exported(
  name: string,
  root: string,
): Promise<{ readonly lake: string; readonly history: FaceHistory }> {
  const history = openFaceHistory({ roots: [root], index: join(folder, `${name}.db`) })
  const lake = join(folder, 'lakes', name)
  const options = { to: lake, redact: null, names: [], allowSecrets: true } as const
  await history.exportTables(options, { approve: async () => {} })
  return { lake, history }
}

const TOKENS = ['input', 'output', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'web_searches'] as const
const SUMS = `SELECT project, month, model, count(*), ${TOKENS.map(name => `sum(${name})`).join(', ')}
FROM usage GROUP BY project, month, model`

/** The same from what `dagline usage` counts. */
async function usageSums(history: FaceHistory): Promise<readonly string[]> {
  const groups = new Map<string, UsageRow[]>()
  for (const row of await history.usage()) {
    const month = row.time === null ? null : new Date(row.time).toISOString().slice(0, 7)
    pushTo(groups, JSON.stringify([row.project, month, row.model]).slice(0, -1), row)
  }
  const names = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'webSearches'] as const
  return [...groups]
    .map(([key, rows]) => {
      const sums = names.map(name => rows.reduce((sum, row) => sum + row[name], 0))
      return `${key},${[rows.length, ...sums].join()}]`
    })
    .sort()
}

describe.each(ENGINES.filter(engine => AVAILABLE[engine]))('a lake in %s', engine => {
  it.each(HISTORIES)(
    '[Y7] [Y2] of %s answers as the tables of dagline, and adds up to its usage',
    { timeout: 900_000 },
    async (name, root) => {
      const { lake, history } = await lakeOf(name, root)
      const address = engine === 'trino' ? `local:///lakes/${name}` : lake
      const tables = TABLES.filter(table => readdirSync(lake).includes(table.name))
      const queries = BUILT_IN_QUERIES.filter(({ sql }) => asksOnly(sql, tables))
      const answers = await RUNS[engine](setupFor(engine, address, tables), [
        SUMS,
        ...queries.map(({ sql }) => sql),
      ])
      const [sums = [], ...built] = answers
      const seen = sums.map(
        ([project, month, model, ...counts]) =>
          `${JSON.stringify([project, month, model]).slice(0, -1)},${counts.map(Number).join()}]`,
      )
      expect(seen.sort()).toEqual(await usageSums(history))
      for (const [at, { name: query, sql }] of queries.entries()) {
        const rows = await history.sql(sql, { duckdb: null }, async answer => {
          const all: (readonly unknown[])[] = []
          for await (const part of answer.rows) all.push(...part)
          return all
        })
        const expected = rows.map(comparable)
        const got = built[at]?.map(comparable) ?? []
        const answered =
          engine === 'clickhouse' ? got.map((row, nth) => roundedUp(row, expected[nth] ?? [])) : got
        expect({ query, rows: answered }).toEqual({ query, rows: expected })
      }
    },
  )
})

/** Whether a query is about some tables alone: a table without rows has no folder in a lake. */
function asksOnly(sql: string, tables: readonly { readonly name: string }[]): boolean {
  return [...sql.matchAll(/(?:FROM|JOIN) (\w+)/g)].every(([, asked]) =>
    tables.some(({ name }) => name === asked),
  )
}

/** ClickHouse rounds halves of floating numbers to even: 6.25 is 6.2 there and 6.3 elsewhere. Counts differ by more. */
function roundedUp(row: readonly unknown[], expected: readonly unknown[]): readonly unknown[] {
  return row.map((cell, at) => (Number(expected[at]) - Number(cell) === 1 ? expected[at] : cell))
}

/** Numbers to one digit, whether they come as numbers or as texts. */
function comparable(row: readonly unknown[]): readonly unknown[] {
  return row.map(cell => {
    const number = cell === null || cell === '' ? Number.NaN : Number(cell)
    return Number.isNaN(number) ? cell : Math.round(number * 10)
  })
}
