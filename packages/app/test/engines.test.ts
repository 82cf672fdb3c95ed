/**
 * Y7: built-in queries give the same answers with other engines over a lake. `DAGLINE_PYTHON` names a Python that has pyspark (and
 * Java) and chdb: both take long to install and to start.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BUILT_IN_QUERIES, openFaceHistory } from '../src/index.js'
import { ownFolder } from './own-folders.js'

const PYTHON = process.env['DAGLINE_PYTHON'] ?? ''
const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')

if (PYTHON === '') {
  process.stderr.write('not run: Spark and ClickHouse over a lake (no DAGLINE_PYTHON)\n')
  it('other engines not run: no DAGLINE_PYTHON', () => expect(PYTHON).toBe(''))
}

describe.runIf(PYTHON !== '')('a lake', () => {
  const folder = ownFolder()
  it.each(['spark', 'clickhouse'])(
    '[Y4] [Y7] answers %s as it answers DuckDB',
    { timeout: 300_000 },
    async engine => {
      const history = openFaceHistory({ roots: [SAMPLES], index: join(folder, `${engine}.db`) })
      const lake = join(folder, engine)
      await history.exportTables(
        { to: lake, redact: null, names: [], allowSecrets: true },
        { approve: async () => {} },
      )
      const queries = BUILT_IN_QUERIES.map(({ sql }) => sql)
      const { stdout, stderr } = spawnSync(PYTHON, [join(import.meta.dirname, 'engines.py'), engine, lake], {
        input: JSON.stringify(queries),
        encoding: 'utf8',
      })
      const answers: readonly (readonly unknown[][])[] = JSON.parse(
        stdout.trim().split('\n').at(-1) || `"${stderr}"`,
      )
      for (const [at, { name, sql }] of BUILT_IN_QUERIES.entries()) {
        const rows = await history.sql(sql, { duckdb: null }, async answer => {
          const all: (readonly unknown[])[] = []
          for await (const part of answer.rows) all.push(...part)
          return all
        })
        expect({ name, rows: answers[at]?.map(comparable) }).toEqual({ name, rows: rows.map(comparable) })
      }
    },
  )
})

/** Numbers to one digit, whether they come as numbers or as texts. */
function comparable(row: readonly unknown[]): readonly unknown[] {
  return row.map(cell => {
    const number = cell === null || cell === '' ? Number.NaN : Number(cell)
    return Number.isNaN(number) ? cell : Math.round(number * 10)
  })
}
