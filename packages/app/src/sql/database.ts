/**
 * Y6: the tables in a database of DuckDB beside the index. Rows of file groups that changed are made again, all others stay. The
 * database is changed in a copy that takes its place when it is whole: a query that runs keeps the one that it has opened.
 */
import { chmodSync, constants, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Column, TABLES } from '@dagline/core/tables'
import { removeAbandoned } from '@dagline/store'
import { hashBasis } from '../graphs/answers.js'
import type { Host } from '../host/host.js'
import type { Indexed } from '../index/open.js'
import { type TableGroup, tableGroups } from '../tables/groups.js'
import { createParquet, type ParquetFile } from '../tables/parquet.js'
import { progressLine } from '../text/meter.js'
import type { DuckConnection, DuckDB, DuckInstance } from './duckdb.js'

/** Nothing is fetched: not even what DuckDB would load by itself. */
const OFFLINE = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
} as const

/** Brings the database up to date with the index, and returns its path. */
export async function updateDatabase(duckdb: DuckDB, indexed: Indexed, host: Host): Promise<string> {
  const roots = indexed.found.map(({ root }) => root)
  const path = join(dirname(indexed.path), `tables-${hashBasis(roots)}.duckdb`)
  const groups = tableGroups(indexed)
  const known = await knownGroups(duckdb, path)
  const now = new Set(groups.map(({ basis }) => basis))
  const fresh = groups.filter(({ basis }) => known?.has(basis) !== true)
  const gone = [...(known ?? [])].flatMap(([basis, id]) => (now.has(basis) ? [] : [id]))
  if (known !== null && fresh.length === 0 && gone.length === 0) return path
  const isNew = known === null || gone.length === known.size
  await replaceDatabase(path, async temporary => {
    if (!isNew) copyFileSync(path, temporary, constants.COPYFILE_FICLONE)
    const last = isNew ? 0 : Math.max(...known.values())
    await withConnection(await duckdb.DuckDBInstance.create(temporary, OFFLINE), async connection => {
      await connection.run('BEGIN')
      if (isNew) await connection.run(schemaStatements().join(';\n'))
      else await removeGroups(connection, gone)
      await addGroups(connection, { host, groups: fresh, first: last + 1, scratch: dirname(temporary) })
      await connection.run('COMMIT')
      await connection.run('CHECKPOINT')
    })
  })
  return path
}

/** Opens the database for queries: they can read its tables, write one file, and reach nothing else. */
export async function openDatabase(
  duckdb: DuckDB,
  path: string,
  mayWrite: string | null,
): Promise<DuckInstance> {
  const instance = await duckdb.DuckDBInstance.create(path, { ...OFFLINE, access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    if (mayWrite !== null) await connection.run(`SET allowed_paths = [${quoted(mayWrite)}]`)
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
  } finally {
    connection.closeSync()
  }
  return instance
}

/** A text of SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Does something with a connection; it and the database are closed afterwards. */
export async function withConnection<T>(
  instance: DuckInstance,
  use: (connection: DuckConnection) => Promise<T>,
): Promise<T> {
  try {
    const connection = await instance.connect()
    try {
      return await use(connection)
    } finally {
      connection.closeSync()
    }
  } finally {
    instance.closeSync()
  }
}

/** The groups in the database with their numbers; null where there is none, or one of another version. */
async function knownGroups(duckdb: DuckDB, path: string): Promise<ReadonlyMap<string, number> | null> {
  if (!existsSync(path)) return null
  try {
    const instance = await duckdb.DuckDBInstance.create(path, { ...OFFLINE, access_mode: 'READ_ONLY' })
    return await withConnection(instance, async connection => {
      const made = await connection.runAndReadAll('SELECT definition FROM store.made')
      if (made.getRowsJS()[0]?.[0] !== definition()) return null
      const groups = await connection.runAndReadAll('SELECT basis, id FROM store.groups')
      return new Map(groups.getRowsJS().map(([basis, id]) => [String(basis), Number(id)]))
    })
  } catch {
    // Damaged, or of a DuckDB that wrote another format: it is made again.
    return null
  }
}

/** A short text that differs where tables differ. */
function definition(): string {
  return hashBasis(TABLES.map(({ name, about, columns }) => [name, about, columns]))
}

const SQL_TYPES: Readonly<Record<Column['type'], string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
}

const GROUP: Column = { name: 'group_id', type: 'integer', about: 'The file group of the row.' }

/** Queries see the views, which have no numbers of groups. */
function schemaStatements(): readonly string[] {
  return [
    'CREATE SCHEMA store',
    'CREATE TABLE store.made (definition VARCHAR)',
    `INSERT INTO store.made VALUES (${quoted(definition())})`,
    'CREATE TABLE store.groups (basis VARCHAR, id BIGINT)',
    ...TABLES.flatMap(({ name, about, columns }) => [
      `CREATE TABLE store.${name} (${[GROUP, ...columns].map(columnSql).join(', ')})`,
      `CREATE VIEW ${name} AS SELECT ${columns.map(column => `"${column.name}"`).join(', ')} FROM store.${name}`,
      `COMMENT ON VIEW ${name} IS ${quoted(about)}`,
      ...columns.map(column => `COMMENT ON COLUMN ${name}."${column.name}" IS ${quoted(column.about)}`),
    ]),
  ]
}

function columnSql({ name, type }: Column): string {
  return `"${name}" ${SQL_TYPES[type]}`
}

async function removeGroups(connection: DuckConnection, gone: readonly number[]): Promise<void> {
  if (gone.length === 0) return
  for (const { name } of TABLES)
    await connection.run(`DELETE FROM store.${name} WHERE group_id IN (${gone.join(', ')})`)
  await connection.run(`DELETE FROM store.groups WHERE id IN (${gone.join(', ')})`)
}

interface NewGroups {
  readonly host: Host
  readonly groups: readonly TableGroup[]
  /** The number of the first one. */
  readonly first: number
  readonly scratch: string
}

const ROWS_AT_ONCE = 16_384

/** Rows go over files of Parquet: row by row they would take many times as long. */
async function addGroups(
  connection: DuckConnection,
  { host, groups, first, scratch }: NewGroups,
): Promise<void> {
  const files = new Map<string, ParquetFile>()
  const meter = progressLine(host)
  for (const [at, group] of groups.entries()) {
    meter.show(() => `making tables: ${at} of ${groups.length} file groups`)
    for (const { table, row } of group.rows()) {
      const path = join(scratch, `${table.name}.parquet`)
      const file = files.get(table.name) ?? createParquet(path, [GROUP, ...table.columns])
      files.set(table.name, file)
      file.add([first + at, ...row])
      if (file.held() >= ROWS_AT_ONCE) file.flush()
    }
  }
  meter.done()
  for (const [name, file] of files) {
    file.finish()
    await connection.run(`INSERT INTO store.${name} SELECT * FROM read_parquet(${quoted(file.path)})`)
  }
  const rows = groups.map(({ basis }, at) => `(${quoted(basis)}, ${first + at})`)
  if (rows.length > 0) await connection.run(`INSERT INTO store.groups VALUES ${rows.join(', ')}`)
}

/** Makes a file in a folder of its own, and gives it its name when it is whole. */
async function replaceDatabase(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
  const folder = dirname(path)
  const start = `.${basename(path)}.`
  removeAbandoned(folder, name =>
    name.startsWith(start) ? /^(\d+)\./.exec(name.slice(start.length))?.[1] : undefined,
  )
  const scratch = mkdtempSync(join(folder, `${start}${process.pid}.`))
  try {
    const temporary = join(scratch, 'tables.duckdb')
    await make(temporary)
    // DuckDB would let everybody read it.
    chmodSync(temporary, 0o600)
    renameSync(temporary, path)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
