/** Y5-Y7: SQL over the tables with DuckDB, which reaches nothing but them. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TABLES } from '@dagline/core/tables'
import { STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aChange, World } from '../../store/test/world.js'
import { BUILT_IN_QUERIES, type FaceHistory, openFaceHistory, sqlPieces } from '../src/index.js'
import { type DuckDB, loadDuckDB } from '../src/sql/duckdb.js'
import type { SqlFormat } from '../src/sql/format.js'
import { countBy, readLake } from './lake.js'
import { ownFolder } from './own-folders.js'

const folder = ownFolder()
const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')
const exporter = { approve: async (): Promise<void> => {} }

const duckdb = installed()
if (duckdb === null) {
  process.stderr.write('not run: SQL (@duckdb/node-api cannot be loaded here)\n')
  it('SQL not run: no DuckDB here', () => expect(duckdb).toBeNull())
}

function installed(): DuckDB | null {
  try {
    return loadDuckDB(null)
  } catch {
    return null
  }
}

let places = 0

function openSamples(): FaceHistory {
  const place = join(folder, `samples-${++places}`)
  mkdirSync(place, { recursive: true })
  return openFaceHistory({ roots: [SAMPLES], index: join(place, 'index.db') })
}

/** The rows of an answer. */
async function ask(history: FaceHistory, query: string): Promise<readonly (readonly unknown[])[]> {
  return await history.sql(query, { duckdb: null }, async ({ rows }) => {
    const all: (readonly unknown[])[] = []
    for await (const part of rows) all.push(...part)
    return all
  })
}

/** An answer as text. */
async function print(history: FaceHistory, query: string, format: SqlFormat): Promise<string> {
  return await history.sql(query, { duckdb: null }, async answer => {
    const pieces: string[] = []
    for await (const piece of sqlPieces(answer, format)) pieces.push(piece)
    return pieces.join('')
  })
}

describe('DuckDB', () => {
  it('[Y5] is looked for in the folder that is named, and missed in one sentence', () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty, { recursive: true })
    expect(() => loadDuckDB(empty)).toThrow(/has no @duckdb\/node-api. Run `npm install/)
  })

  it('[Y5] must be the package that it is taken for', () => {
    const other = join(folder, 'other')
    const inside = join(other, 'node_modules', '@duckdb', 'node-api')
    mkdirSync(inside, { recursive: true })
    writeFileSync(join(inside, 'package.json'), '{"main": "index.js"}')
    writeFileSync(join(inside, 'index.js'), 'exports.x = 1')
    expect(() => loadDuckDB(other)).toThrow(/is not the package that dagline needs/)
  })
})

describe.runIf(duckdb !== null)('SQL', () => {
  it('[Y7] has built-in queries that all answer', async () => {
    const history = openSamples()
    const empty: string[] = []
    for (const { name, sql } of BUILT_IN_QUERIES) if ((await ask(history, sql)).length === 0) empty.push(name)
    expect(empty).toEqual([])
    const [whole] = await ask(history, 'SELECT round(sum(cost_usd), 6) FROM usage')
    const { tally } = await history.usageReport([], {
      ...{ since: null, until: null, project: null, session: null, branch: null },
      by: 'model',
    })
    expect(whole?.[0]).toBeCloseTo(tally.totals.cost ?? 0, 5)
  })

  it('[Y6] reads the tables, and no other file, no extension and nothing of the network', async () => {
    const history = openSamples()
    const secret = join(folder, 'secret.csv')
    writeFileSync(secret, 'a,b\n1,2\n')
    const refused = [
      `FROM read_csv('${secret}')`,
      `COPY usage TO '${join(folder, 'stolen.csv')}'`,
      `ATTACH '${join(folder, 'other.duckdb')}'`,
      "FROM 'https://127.0.0.1:9/a.parquet'",
      'INSTALL httpfs',
      'LOAD httpfs',
      'SET enable_external_access = true',
      'DROP VIEW usage',
      'DELETE FROM store.usage',
      'CREATE TABLE mine AS SELECT 1',
    ]
    for (const query of refused)
      await expect(ask(history, query), query).rejects.toThrow(/^The query failed\. /)
    expect(readdirSync(folder)).not.toContain('stolen.csv')
    expect(await ask(history, 'CREATE TEMP TABLE mine AS SELECT 1; SELECT count(*) FROM mine')).toEqual([[1]])
    await expect(ask(history, ' ')).rejects.toThrow(/The query is empty/)
    await expect(ask(history, 'SELECT * FROM nothing')).rejects.toThrow(/^The query failed. Catalog Error/)
    await expect(ask(history, 'SELECT * FROM nosuch')).rejects.toThrow(/Did you mean ".*"\? Run /)
  })

  it('[Y6] makes only what changed again, and says what a new database says', {
    timeout: 600_000,
  }, async () => {
    const aStory = fc.record({
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      style: fc.constantFrom(...STYLE_NAMES),
      changes: fc.array(aChange, { minLength: 1, maxLength: 2, size: 'max' }),
    })
    const follow = async ({
      seed,
      style,
      changes,
    }: typeof aStory extends fc.Arbitrary<infer T> ? T : never) => {
      const place = join(folder, `world-${++places}`)
      const world = new World(join(place, 'projects'))
      const open = (name: string): FaceHistory =>
        openFaceHistory({ roots: [world.root], index: join(place, name, 'index.db') })
      world.add(seed, { style, actions: 5 }, 0.7)
      for (const name of ['kept', 'new']) mkdirSync(join(place, name))
      await ask(open('kept'), 'SELECT 1')
      for (const change of changes) world.apply(change)
      expect(await ask(open('kept'), EVERYTHING)).toEqual(await ask(open('new'), EVERYTHING))
    }
    await fc.assert(fc.asyncProperty(aStory, follow), { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 4) })
  })

  it('[Y6] leaves an unchanged database as it is, and makes a damaged one again', async () => {
    const history = openSamples()
    const count = await ask(history, 'SELECT count(*) FROM nodes')
    const place = join(folder, `samples-${places}`)
    const [name = ''] = readdirSync(place).filter(file => file.endsWith('.duckdb'))
    const path = join(place, name)
    const before = statSync(path)
    expect(await ask(history, 'SELECT count(*) FROM nodes')).toEqual(count)
    expect(statSync(path)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino })
    expect(before.mode & 0o077).toBe(0)
    writeFileSync(path, 'not a database')
    expect(await ask(history, 'SELECT count(*) FROM nodes')).toEqual(count)
    expect(readdirSync(dirname(path)).filter(file => file.startsWith('.tables-'))).toEqual([])
  })

  it('[Y6] writes answers as CSV, JSON and Parquet', async () => {
    const history = openSamples()
    const query = `SELECT 'a "b", c' AS text, 12345678901234567890 AS large, 3 AS small, NULL AS nothing,
      TIMESTAMP '2026-01-02 03:04:05' AS at, DATE '2026-01-02' AS day, [1, 2] AS list`
    expect(await print(history, query, 'csv')).toBe(
      'text,large,small,nothing,at,day,list\n"a ""b"", c",12345678901234567890,3,,2026-01-02T03:04:05.000Z,2026-01-02,"[1,2]"\n',
    )
    const { dagline, rows } = JSON.parse(await print(history, query, 'json'))
    expect({ dagline, row: rows[0] }).toEqual({
      dagline: 1,
      row: {
        ...{ text: 'a "b", c', large: '12345678901234567890', small: 3, nothing: null },
        ...{ at: '2026-01-02T03:04:05.000Z', day: '2026-01-02', list: '[1,2]' },
      },
    })
    expect(JSON.parse(await print(history, 'SELECT 1 AS one', 'jsonl'))).toEqual({ dagline: 1, one: 1 })
    const out = join(folder, 'answers', 'nodes')
    const target = { path: join(out, 'data.parquet'), format: 'parquet', force: false } as const
    await history.writeSql('SELECT * FROM nodes; -- all', { duckdb: null }, target)
    const read = (await readLake(join(folder, 'answers'))).get('nodes')
    expect(read).toHaveLength(Number((await ask(history, 'SELECT count(*) FROM nodes'))[0]?.[0]))
    await expect(history.writeSql('FROM nodes', { duckdb: null }, target)).rejects.toThrow(/already exists/)
  })

  it('[Y4] reads a lake by project, month and model, and adds up to what usage says', async () => {
    const history = openSamples()
    const lake = join(folder, `lake-${places}`)
    await history.exportTables({ to: lake, redact: null, names: [], allowSecrets: true }, exporter)
    const instance = await duckdb?.DuckDBInstance.create(':memory:', {})
    const connection = await instance?.connect()
    const read = await connection?.runAndReadAll(
      `SELECT project || ' ' || coalesce(month, '') || ' ' || model, sum(output)
       FROM read_parquet('${lake}/usage/*/*/*.parquet', hive_partitioning = true) GROUP BY 1`,
    )
    const sums = Object.fromEntries((read?.getRowsJS() ?? []).map(([key, sum]) => [String(key), Number(sum)]))
    const expected: Record<string, number> = {}
    for (const { project, time, model, output } of await history.usage()) {
      const month = time === null ? '' : new Date(time).toISOString().slice(0, 7)
      const key = `${project} ${month} ${model}`
      expected[key] = (expected[key] ?? 0) + output
    }
    expect(sums).toEqual(expected)
    expect(
      Object.keys(countBy((await readLake(lake)).get('usage'), row => row['project'])).length,
    ).toBeGreaterThan(0)
    connection?.closeSync()
    instance?.closeSync()
  })
})

/** All rows of all tables as texts, in an order of their own. */
const EVERYTHING = `SELECT * FROM (${TABLES.map(
  ({ name }) => `SELECT '${name} ' || CAST(${name} AS VARCHAR) AS row_text FROM ${name}`,
).join(' UNION ALL ')}) ORDER BY row_text`
