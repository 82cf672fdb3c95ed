/**
 * HU5: changes the audience of files. Their rows change, and nothing is judged again. The verdicts on their groups are
 * divided again, because each session has the audience of its own file.
 */
import { GROUP_CELLS, nodeId } from '@dagline/store'
import type { SyncConnection } from '../db/sync-connection.js'
import { dropAnswers } from './answers.js'
import { becomeOwner } from './as-person.js'
import { type GroupAudiences, groupAudiences } from './group-audiences.js'
import { factsIn, lockOf, UNKNOWN } from './known.js'
import { openSession, type PgSession } from './session.js'

interface FilesOfTenant {
  readonly tenant: number
  /** Their numbers in the index. */
  readonly files: readonly number[]
}

/** Changes the audience of files in one transaction. */
export function setAudience(
  connection: SyncConnection,
  { tenant, files }: FilesOfTenant,
  audience: number,
): void {
  becomeOwner(connection)
  const pg = openSession(connection, tenant)
  pg.begin()
  try {
    lockRoots(pg, files)
    changeFacts(pg, files, audience)
    const groups = pg.read(
      'SELECT DISTINCT file_group AS id FROM index_file WHERE tenant = $1 AND id = ANY ($2) AND file_group IS NOT NULL',
      [tenant, files],
    )
    for (const { id } of groups) divideGroup(pg, Number(id))
    pg.commit()
  } catch (error) {
    pg.rollback()
    throw error
  }
}

/** Waits for other writers of the roots; in the order of their numbers, so that there is no deadlock. */
function lockRoots(pg: PgSession, files: readonly number[]): void {
  const sql = 'SELECT DISTINCT root FROM index_file WHERE tenant = $1 AND id = ANY ($2) ORDER BY root'
  for (const { root } of pg.read(sql, [pg.tenant, files]))
    pg.read('SELECT pg_advisory_xact_lock($1, $2)', lockOf(pg.tenant, Number(root)))
}

/** Tables with what the bytes of a file say, and the verdicts on its nodes; by file, or by node. */
const BY_FILE = ['index_chunk', 'index_link_key', 'index_text', 'index_undelivered']
const BY_NODE = [
  ['index_node', 'id'],
  ['index_message', 'node'],
  ['index_call', 'node'],
  ['index_touched', 'node'],
  ['index_verdict', 'first'],
] as const

function changeFacts(pg: PgSession, files: readonly number[], audience: number): void {
  const ranges = [files.map(file => nodeId(file, 0)), files.map(file => nodeId(file + 1, 0))]
  pg.change('UPDATE index_file SET audience = $3 WHERE tenant = $1 AND id = ANY ($2)', [
    pg.tenant,
    files,
    audience,
  ])
  for (const table of BY_FILE)
    pg.change(`UPDATE ${table} SET audience = $3 WHERE tenant = $1 AND file = ANY ($2)`, [
      pg.tenant,
      files,
      audience,
    ])
  for (const [table, node] of BY_NODE)
    pg.change(
      `UPDATE ${table} x SET audience = $4 FROM unnest($2::bigint[], $3::bigint[]) AS range(low, high)
        WHERE x.tenant = $1 AND x.${node} >= range.low AND x.${node} < range.high`,
      [pg.tenant, ...ranges, audience],
    )
}

function divideGroup(pg: PgSession, group: number): void {
  const sql =
    'SELECT id, audience, root, path, session FROM index_file WHERE tenant = $1 AND file_group = $2 ORDER BY path'
  const rows = pg.read(sql, [pg.tenant, group])
  const facts = new Map(rows.map(row => [Number(row['id']), factsIn(row)]))
  const known = { of: (file: number) => facts.get(file) ?? UNKNOWN }
  const audiences = groupAudiences(known, [...facts.keys()])
  dropAnswers(pg, group)
  changeBySession(pg, { table: 'index_line', session: 'session', group }, audiences)
  changeBySession(pg, { table: 'index_session', session: 'id', group }, audiences)
  const lists = pg.read('SELECT * FROM index_group WHERE tenant = $1 AND id = $2 ORDER BY audience', [
    pg.tenant,
    group,
  ])
  pg.change('DELETE FROM index_group WHERE tenant = $1 AND id = $2', [pg.tenant, group])
  const root = Number(lists[0]?.['root'] ?? -1)
  for (const audience of audiences.all) {
    const cells = GROUP_CELLS.map(name => {
      const items = lists.flatMap(row => JSON.parse(String(row[name])))
      return JSON.stringify(audiences.part(items, audience))
    })
    pg.add('index_group', [audience, group, root, ...cells])
  }
}

interface BySession {
  readonly table: 'index_line' | 'index_session'
  /** The column with the session. */
  readonly session: string
  readonly group: number
}

function changeBySession(
  pg: PgSession,
  { table, session, group }: BySession,
  audiences: GroupAudiences,
): void {
  const sql = `SELECT DISTINCT ${session} AS session FROM ${table} WHERE tenant = $1 AND file_group = $2`
  const sessions = pg.read(sql, [pg.tenant, group]).map(row => String(row['session']))
  pg.change(
    `UPDATE ${table} x SET audience = u.audience FROM unnest($3::text[], $4::int[]) AS u(session, audience)
      WHERE x.tenant = $1 AND x.file_group = $2 AND x.${session} = u.session`,
    [pg.tenant, group, sessions, sessions.map(audiences.ofSession)],
  )
}
