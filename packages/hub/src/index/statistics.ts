import type { SyncConnection } from '../db/sync-connection.js'

/** Bytes of a table below which any plan is quick. */
const WORTH_COUNTING = 64 * 1024

/**
 * HU77: PostgreSQL plans by what it has counted of a table. It counts a new one by itself, up to a minute after it was filled; until
 * then a search looks at each text, which takes a second for 40,000 of them.
 */
export function countNewTables(connection: Pick<SyncConnection, 'query'>): void {
  const tables = connection.query(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname LIKE 'index\\_%' AND reltuples < 0 AND pg_relation_size(oid) > $1`,
    [WORTH_COUNTING],
  )
  for (const { name } of tables) connection.query(`ANALYZE ${String(name)}`)
}
