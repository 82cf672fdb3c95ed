/**
 * Y7: how the files of a lake become tables of other engines: statements that docs/ENGINES.md shows and the tests run. After them,
 * built-in queries run as they are.
 */
import { type ColumnType, PARTITION_COLUMNS, type Table } from '@dagline/core/tables'
import { withoutPartition } from '../tables/parquet.js'

/** An engine that reads a lake. */
export const ENGINES = ['duckdb', 'spark', 'trino', 'clickhouse'] as const
type Engine = (typeof ENGINES)[number]

/** The statements that make some tables of the lake at a path or address. */
export function setupFor(
  engine: Engine,
  lake: string,
  tables: readonly Pick<Table, 'name' | 'columns'>[],
): readonly string[] {
  const { before, table } = SETUPS[engine]
  return [...before(lake), ...tables.flatMap(each => table(each, `${lake}/${each.name}`))]
}

interface Setup {
  readonly before: (lake: string) => readonly string[]
  readonly table: (table: Pick<Table, 'name' | 'columns'>, path: string) => readonly string[]
}

const SETUPS: Readonly<Record<Engine, Setup>> = {
  duckdb: {
    before: () => [],
    table: ({ name }, path) => [
      `CREATE OR REPLACE VIEW ${name} AS SELECT * FROM read_parquet('${path}/*/*/*.parquet', hive_partitioning = true, hive_types_autocast = false)`,
    ],
  },
  spark: {
    before: () => [
      // Months and projects are texts, also where they look like numbers.
      'SET spark.sql.sources.partitionColumnTypeInference.enabled = false',
      'SET spark.sql.ansi.enabled = true',
      'SET spark.sql.ansi.doubleQuotedIdentifiers = true',
    ],
    table: ({ name }, path) => [
      `CREATE OR REPLACE TEMPORARY VIEW ${name} USING parquet OPTIONS (path '${path}')`,
    ],
  },
  trino: {
    before: lake => [
      `CREATE SCHEMA IF NOT EXISTS hive.dagline WITH (location = '${lake}')`,
      'USE hive.dagline',
    ],
    table: ({ name, columns }, path) => [
      `CREATE TABLE IF NOT EXISTS hive.dagline.${name} (\n  ${trinoColumns(columns)}\n) WITH (external_location = '${path}', format = 'PARQUET', partitioned_by = ARRAY['project', 'month'])`,
      `CALL hive.system.sync_partition_metadata('dagline', '${name}', 'FULL')`,
    ],
  },
  clickhouse: {
    before: () => ['SET join_use_nulls = 1'],
    // It takes the names of folders as they are.
    table: ({ name }, path) => [
      `CREATE OR REPLACE VIEW ${name} AS SELECT * REPLACE (${PARTITION_COLUMNS.map(column => named(column.name)).join(', ')}) FROM file('${path}/*/*/*.parquet') SETTINGS use_hive_partitioning = 1`,
    ],
  },
}

function named(column: string): string {
  return `nullIf(decodeURLComponent(toString(${column})), '__HIVE_DEFAULT_PARTITION__') AS ${column}`
}

/** Columns of partitions come last. */
function trinoColumns(columns: Table['columns']): string {
  const all = [...withoutPartition(columns), ...PARTITION_COLUMNS]
  return all.map(({ name, type }) => `"${name}" ${TRINO_TYPES[type]}`).join(', ')
}

const TRINO_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'varchar',
  integer: 'bigint',
  double: 'double',
  boolean: 'boolean',
  time: 'timestamp(3)',
}
