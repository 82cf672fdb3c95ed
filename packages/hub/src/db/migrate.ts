/**
 * HU2: the tables of the hub, made and changed step by step. Each part of the hub has a list of steps of its own, which
 * only ever grows; `hub_meta` says how many of them are done. One server does this at a time, the others wait for it.
 */
import { createHash } from 'node:crypto'
import { type HubDatabase, numberIn, type Queries } from './database.js'

/** The tables of one part of the hub. */
export interface SchemaPart {
  readonly name: string
  /** SQL, in order. A step that was released never changes. */
  readonly steps: readonly string[]
  /** SQL that may run any number of times, after steps of any part and when it changed itself: rights on tables of all parts. */
  readonly rights?: string
}

/** Any number, the same for all servers. */
const LOCK = 7_233_911_064

/** Readers use this role: it owns nothing, writes nothing, and row-level security holds for it. */
export const READER_ROLE = 'dagline_reader'

/** Roles belong to the whole server: a migration of another database may be making it at this moment. */
const MAKE_ROLE = `DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${READER_ROLE}') THEN CREATE ROLE ${READER_ROLE} NOLOGIN NOBYPASSRLS; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`

const LET_IN = `DO $$ BEGIN
  IF NOT pg_has_role(current_user, '${READER_ROLE}', 'MEMBER') THEN GRANT ${READER_ROLE} TO CURRENT_USER; END IF;
END $$`

/** Brings the tables of all parts to this version, in the order of the parts. Throws `RangeError` for a newer database, and `StoreError`. */
export async function migrate(
  database: Pick<HubDatabase, 'transact'>,
  parts: readonly SchemaPart[],
): Promise<void> {
  await database.transact(async queries => {
    await queries.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await queries.query('CREATE TABLE IF NOT EXISTS hub_meta (part text PRIMARY KEY, version int NOT NULL)')
    await queries.query(MAKE_ROLE)
    await queries.query(LET_IN)
    await queries.query(`GRANT USAGE ON SCHEMA public TO ${READER_ROLE}`)
    const steps: number[] = []
    for (const part of parts) steps.push(await migratePart(queries, part))
    await renewRights(
      queries,
      parts,
      steps.some(count => count > 0),
    )
  })
}

/** Makes the partitions of a table that is partitioned by hash. */
export function hashPartitions(table: string, count: number): string {
  const each = Array.from({ length: count }, (_, at) => {
    const values = `FOR VALUES WITH (MODULUS ${count}, REMAINDER ${at})`
    return `CREATE TABLE ${table}_${at} PARTITION OF ${table} ${values};`
  })
  return each.join('\n')
}

/** The name under which rights have their version. */
const RIGHTS = 'rights'

/**
 * HU74: rights are given where tables or rights have changed. This locks all tables: done at each start, it would wait for judges, let
 * readers wait for itself, and sometimes be in a deadlock with both.
 */
async function renewRights(
  queries: Queries,
  parts: readonly SchemaPart[],
  hasChanged: boolean,
): Promise<void> {
  const statements = parts.flatMap(({ rights = [] }) => rights)
  const version = createHash('sha256').update(statements.join('\n')).digest().readUInt32LE(0) >>> 1
  if (!hasChanged && (await versionOf(queries, RIGHTS)) === version) return
  for (const sql of statements) await queries.query(sql)
  await keepVersion(queries, RIGHTS, version)
}

/** Does the steps that are left, and returns how many these were. */
async function migratePart(queries: Queries, { name, steps }: SchemaPart): Promise<number> {
  const done = await versionOf(queries, name)
  if (done > steps.length)
    throw new RangeError(
      `The database was made by a newer dagline (${name} ${done}): update dagline on this server.`,
    )
  for (const step of steps.slice(done)) await queries.query(step)
  await keepVersion(queries, name, steps.length)
  return steps.length - done
}

async function versionOf(queries: Queries, name: string): Promise<number> {
  const [row] = await queries.query('SELECT version FROM hub_meta WHERE part = $1', [name])
  return row === undefined ? 0 : numberIn(row, 'version')
}

async function keepVersion(queries: Queries, name: string, version: number): Promise<void> {
  await queries.query(
    'INSERT INTO hub_meta (part, version) VALUES ($1, $2) ON CONFLICT (part) DO UPDATE SET version = $2',
    [name, version],
  )
}
