/** The database for asynchronous modules: queries, transactions and announcements. */
import type pg from 'pg'
import { databaseFailure, databaseSettings, inTransaction, openPool } from './connect.js'
import { type Listener, listenTo } from './listen.js'

/** A row of an answer. */
export type Row = Readonly<Record<string, unknown>>

/** Asks one connection, or any of a pool. Throws `StoreError` where the database cannot do its work. */
export interface Queries {
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>
}

export interface HubDatabase extends Queries {
  /** Does work in one transaction. */
  readonly transact: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>
  /** Hears what is announced on a channel (`listenTo`). */
  readonly listen: (channel: string, hear: (payload: string | null) => void) => Promise<Listener>
  readonly pool: pg.Pool
  readonly close: () => Promise<void>
}

/** Opens a database with a pool of its own. Nothing is sent before the first query. */
export function openHubDatabase(url: string, most?: number): HubDatabase {
  const settings = databaseSettings(url)
  const pool = openPool(url, most)
  return { ...databaseOn(pool, settings), close: () => pool.end() }
}

/** A database on a pool that the caller closes. */
function databaseOn(
  pool: pg.Pool,
  settings: ReturnType<typeof databaseSettings>,
): Omit<HubDatabase, 'close'> {
  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw databaseFailure(error, settings)
    }
  }
  return {
    pool,
    listen: (channel, hear) => translated(() => listenTo(pool, channel, hear)),
    query: (sql, values) => translated(() => rowsOf(pool, sql, values)),
    transact: work =>
      translated(() =>
        inTransaction(pool, client => work({ query: (sql, values) => rowsOf(client, sql, values) })),
      ),
  }
}

async function rowsOf(
  client: pg.Pool | pg.PoolClient,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await client.query(sql, [...values])).rows
}

/** A number of a row: those of 64 bits arrive as texts. */
export function numberIn(row: Row, name: string): number {
  const value = row[name] === null ? Number.NaN : Number(row[name])
  if (Number.isNaN(value)) throw new TypeError(`${name} is not a number`)
  return value
}

export function numberOrNull(row: Row, name: string): number | null {
  return row[name] === null ? null : numberIn(row, name)
}

/** Milliseconds since 1970. */
export function timeIn(row: Row, name: string): number {
  const value = row[name]
  if (!(value instanceof Date)) throw new TypeError(`${name} is not a time`)
  return value.getTime()
}

export function timeOrNull(row: Row, name: string): number | null {
  return row[name] === null ? null : timeIn(row, name)
}

export function textIn(row: Row, name: string): string {
  const value = row[name]
  if (typeof value !== 'string') throw new TypeError(`${name} is not a text`)
  return value
}

export function textOrNull(row: Row, name: string): string | null {
  return row[name] === null ? null : textIn(row, name)
}

export function bytesIn(row: Row, name: string): Buffer {
  const value = row[name]
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name} is not bytes`)
  return Buffer.from(value.buffer, value.byteOffset, value.length)
}
