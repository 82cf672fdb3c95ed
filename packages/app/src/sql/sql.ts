/** Y5, Y6: SQL over the tables. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { refuseExisting, writeBeside, writePieces } from '../export/write.js'
import type { Host } from '../host/host.js'
import { inStore, UserError } from '../host/user-error.js'
import { askIndex, type IndexOptions } from '../index/open.js'
import { openDatabase, quoted, updateDatabase, withConnection } from './database.js'
import { type DuckConnection, type DuckDB, type DuckResult, loadDuckDB } from './duckdb.js'
import { type SqlFormat, type SqlValue, sqlPieces } from './format.js'

/** How a query is run. */
export interface SqlOptions extends IndexOptions {
  /** A folder that has DuckDB; null for the usual ones. */
  readonly duckdb: string | null
}

/** A column of an answer. */
interface SqlColumn {
  readonly name: string
  /** The type as DuckDB names it. */
  readonly type: string
}

/** The answer to a query. */
export interface SqlAnswer {
  readonly columns: readonly SqlColumn[]
  /** Rows in parts, read as they are asked for. */
  readonly rows: AsyncIterable<readonly (readonly SqlValue[])[]>
}

/** Runs a query, and lets somebody use the answer while the database is open. Throws `UserError` where it is not valid. */
export async function askSql<T>(
  host: Host,
  query: string,
  options: SqlOptions,
  use: (answer: SqlAnswer) => Promise<T>,
): Promise<T> {
  const { duckdb, path } = await openTables(host, options)
  return await withConnection(await openDatabase(duckdb, path, null), async connection => {
    const result = await orUserError(() => runAll(connection, query))
    return await use(answerOf(result))
  })
}

/** Where an answer is written to. */
export interface SqlTarget {
  readonly path: string
  readonly format: SqlFormat
  readonly force: boolean
}

/** Runs a query, and writes the answer into a file. Returns its path and its size. */
export async function writeSql(
  host: Host,
  query: string,
  options: SqlOptions,
  { path: given, format, force }: SqlTarget,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const target = resolve(given)
  refuseExisting(target, force)
  const bytes = await writeBeside(target, force, async temporary => {
    if (format === 'parquet') return await copyParquet(host, query, options, temporary)
    return await askSql(host, query, options, answer => writePieces(temporary, sqlPieces(answer, format)))
  })
  return { path: target, bytes }
}

async function copyParquet(host: Host, query: string, options: SqlOptions, path: string): Promise<number> {
  const { duckdb, path: database } = await openTables(host, options)
  await withConnection(await openDatabase(duckdb, database, path), connection =>
    // The query may end in a comment.
    orUserError(() => connection.run(`COPY (${withoutEnd(query)}\n) TO ${quoted(path)} (FORMAT parquet)`)),
  )
  return statSync(path).size
}

/** The query without the semicolon that ends it; a comment may follow. */
function withoutEnd(query: string): string {
  return query.trim().replace(/;\s*(?:--[^\n]*\s*)*$/, '')
}

async function openTables(
  host: Host,
  options: SqlOptions,
): Promise<{ readonly duckdb: DuckDB; readonly path: string }> {
  const duckdb = loadDuckDB(options.duckdb)
  const path = await inStore(() => askIndex(host, options, indexed => updateDatabase(duckdb, indexed, host)))
  return { duckdb, path }
}

const EMPTY = 'The query is empty. Run `dagline sql` to list the tables.'

/** Runs all statements of a query; the answer is that of the last one. */
async function runAll(connection: DuckConnection, query: string): Promise<DuckResult> {
  if (query.trim() === '') throw new UserError(EMPTY)
  const statements = await connection.extractStatements(query)
  if (statements.count === 0) throw new UserError(EMPTY)
  for (let at = 0; at < statements.count - 1; at++) await (await statements.prepare(at)).run()
  return await (await statements.prepare(statements.count - 1)).stream()
}

function answerOf(result: DuckResult): SqlAnswer {
  const types = result.columnTypes().map(String)
  const columns = result.deduplicatedColumnNames().map((name, at) => ({ name, type: types[at] ?? '' }))
  return { columns, rows: rowsOf(result, types) }
}

async function* rowsOf(
  result: DuckResult,
  types: readonly string[],
): AsyncGenerator<readonly (readonly SqlValue[])[]> {
  const parts = result.yieldRowsJs()[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await orUserError(() => parts.next())
    if (done === true) return
    yield value.map(row => row.map((cell, at) => plainValue(cell, types[at] ?? '')))
  }
}

/** A value as JSON has it: whole numbers that JSON cannot hold, and all that it does not know, as text. */
function plainValue(value: unknown, type: string): SqlValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date)
    return type === 'DATE' ? isoDate(value).slice(0, 'YYYY-MM-DD'.length) : isoDate(value)
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value
  if (Buffer.isBuffer(value)) return value.toString('base64')
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each)) ?? null
}

function isoDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** What DuckDB says of a query is for the user. */
async function orUserError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UserError || !(error instanceof Error)) throw error
    throw new UserError(
      `The query failed. ${asSentence(reasonIn(error.message))} Run \`dagline sql\` to list the tables, and \`dagline sql TABLE\` for columns.`,
    )
  }
}

/** Ends with one mark: a question of DuckDB keeps its own. */
function asSentence(text: string): string {
  return text.replace(/[.\s]*$/, '').replace(/([^?!])$/, '$1.')
}

/** The first sentence: the query itself, which follows it, was just typed. */
function reasonIn(message: string): string {
  const [first = ''] = message.trim().split(/\n\s*\n/)
  return first.replace('Failed to extract statements: ', '').replaceAll('\n', ' ')
}
