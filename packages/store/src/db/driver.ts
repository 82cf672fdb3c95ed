/**
 * I7: the only file that knows SQLite. Errors of the disk and of other processes become `StoreError`, with a message
 * that says what to do; everything else is a fault of ours and stays what it is.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type * as Sqlite from 'node:sqlite'
import { type FailureKind, StoreError } from '../files/failures.js'

/** What a cell holds. */
export type Value = string | number | bigint | null | Uint8Array

export type Row = Readonly<Record<string, Value | undefined>>

interface Statement {
  readonly run: (...values: Value[]) => void
  /** Inserts a row and returns its id. */
  readonly insert: (...values: Value[]) => number
  readonly get: (...values: Value[]) => Row | undefined
  readonly all: (...values: Value[]) => readonly Row[]
  /** Returns rows one by one, where all of them would need too much memory. */
  readonly each: (...values: Value[]) => Iterable<Row>
}

export interface Database {
  readonly path: string
  readonly exec: (sql: string) => void
  /** The prepared statement for a text; prepared once. */
  readonly prepare: (sql: string) => Statement
  /** Runs work that is kept whole or not at all. Not nested. */
  readonly transact: <T>(work: () => T) => T
  /** Ends a transaction without keeping anything; nothing happens where there is none. */
  readonly rollback: () => void
  /** Statements run so far: tests count work instead of timing it. */
  readonly statements: () => number
  readonly close: () => void
}

export interface OpenOptions {
  readonly readOnly?: boolean
  /** Milliseconds to wait for another writer. */
  readonly busyTimeout?: number
  /** The most pages that the file may have, so that tests can fill the disk. */
  readonly maxPages?: number
}

const BUSY_TIMEOUT = 5000

/** Opens a database, or makes it, with its folder. Throws `StoreError`. */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  if (options.readOnly !== true && path !== ':memory:') makeFile(path)
  const { DatabaseSync } = loadSqlite()
  const guard = guardFor(path)
  const db = guard(
    () =>
      new DatabaseSync(path, {
        readOnly: options.readOnly === true,
        enableForeignKeyConstraints: false,
      }),
  )
  guard(() => db.exec(`PRAGMA busy_timeout = ${options.busyTimeout ?? BUSY_TIMEOUT}`))
  const { maxPages } = options
  if (maxPages !== undefined) guard(() => db.exec(`PRAGMA max_page_count = ${maxPages}`))
  return wrap(db, path, guard)
}

/**
 * Makes a file and its folder where there are none. Only the user may read them: transcripts contain conversations and
 * forgotten keys. Throws `StoreError` where the file cannot be written.
 */
export function makeFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && FORBIDDEN.has(String(error.code))
    const kind = isForbidden ? 'read-only' : 'unreachable'
    throw new StoreError(kind, messages[kind](path), error)
  }
}

const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS'])

function wrap(db: Sqlite.DatabaseSync, path: string, guard: Guard): Database {
  const known = new Map<string, Statement>()
  const count = { statements: 0 }
  const exec = (sql: string): void => {
    count.statements++
    guard(() => db.exec(sql))
  }
  const prepare = (sql: string): Statement => {
    const made = known.get(sql)
    if (made !== undefined) return made
    const statement = guard(() => db.prepare(sql))
    const prepared = statementOf(statement, path, count)
    known.set(sql, prepared)
    return prepared
  }
  return {
    path,
    exec,
    prepare,
    transact: work => transact(db, exec, work),
    rollback: () => rollback(db),
    statements: () => count.statements,
    close: () => db.close(),
  }
}

/**
 * `run` is called for hundreds of thousands of rows: each of its calls passes the values on once only, and asks for a row, which an
 * insert does not have, because SQLite's own `run` makes an object with what changed each time.
 */
function statementOf(
  statement: Sqlite.StatementSync,
  path: string,
  count: { statements: number },
): Statement {
  const guard = guardFor(path)
  const counted = <T>(work: () => T): T => {
    count.statements++
    return guard(work)
  }
  return {
    run: (...values) => {
      count.statements++
      try {
        statement.get(...values)
      } catch (error) {
        throw failureOf(error, path)
      }
    },
    insert: (...values) => counted(() => Number(statement.run(...values).lastInsertRowid)),
    get: (...values) => counted(() => statement.get(...values)),
    all: (...values) => counted(() => statement.all(...values)),
    *each(...values) {
      count.statements++
      try {
        yield* statement.iterate(...values)
      } catch (error) {
        throw failureOf(error, path)
      }
    },
  }
}

function transact<T>(db: Sqlite.DatabaseSync, exec: (sql: string) => void, work: () => T): T {
  exec('BEGIN IMMEDIATE')
  try {
    const value = work()
    exec('COMMIT')
    return value
  } catch (error) {
    rollback(db)
    throw error
  }
}

function rollback(db: Sqlite.DatabaseSync): void {
  try {
    db.exec('ROLLBACK')
  } catch {
    // A full disk has rolled it back already.
  }
}

type Guard = <T>(work: () => T) => T

function guardFor(path: string): Guard {
  return work => {
    try {
      return work()
    } catch (error) {
      throw failureOf(error, path)
    }
  }
}

/** Turns errors of SQLite about the disk or other processes into `StoreError`; returns any other error as it is. */
function failureOf(error: unknown, path: string): unknown {
  if (error instanceof Error && error.message.includes('no such module: fts5'))
    return new StoreError(
      'unreachable',
      `This Node (${process.version}) cannot search texts: install Node 22.16 or newer.`,
      error,
    )
  const kind = kindOf(error)
  return kind === null ? error : new StoreError(kind, messages[kind](path), error)
}

/** SQLite's primary result code, which extended codes carry in their low byte. */
function kindOf(error: unknown): FailureKind | null {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null
  return code === null ? null : (kinds[code] ?? null)
}

const kinds: Readonly<Record<number, FailureKind>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'unreachable',
  11: 'damaged',
  13: 'full',
  14: 'unreachable',
  23: 'read-only',
  26: 'damaged',
}

const messages: Readonly<Record<FailureKind, (path: string) => string>> = {
  busy: path => `Another dagline is writing ${path}: wait until it has finished, then try again.`,
  'read-only': path => `${path} cannot be written: check the permissions of the file and its folder.`,
  full: path => `The disk of ${path} is full: make room, then try again. Nothing was lost.`,
  damaged: path => `${path} is damaged or not a database: move it away and try again.`,
  unreachable: path => `${path} cannot be opened: check that its folder exists and can be read and written.`,
}

/** Loads SQLite when it is first needed, without the warning of Node 22 that it is experimental. */
function loadSqlite(): typeof Sqlite {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return createRequire(import.meta.url)('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Takes the lock beside a file, so that there is one writer at a time. Returns the function that releases it; null where
 * another process holds it. The lock is a transaction on a file of its own: it ends with its process.
 */
export function takeLock(path: string, busyTimeout: number): (() => void) | null {
  const db = openDatabase(`${path}.lock`, { busyTimeout })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return () => db.close()
  } catch (error) {
    db.close()
    if (error instanceof StoreError && error.kind === 'busy') return null
    throw error
  }
}
