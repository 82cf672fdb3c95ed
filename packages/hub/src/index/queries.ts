/** What is asked of the index in PostgreSQL, beside texts. */
import {
  type IndexStore,
  messagesOf,
  nodeId,
  type Row,
  type TouchSource,
  textOrNull,
  touchesOf,
  type UsageSource,
  usageOf,
} from '@dagline/store'
import { keepable } from './cells.js'
import type { PgSession } from './session.js'

type Queries = Pick<
  IndexStore,
  | ('sessions' | 'agents' | 'branches' | 'touches' | 'diagnostics' | 'locate')
  | ('usage' | 'groupUsage' | 'groupTouches' | 'messages')
>

/** The part of the index that answers. */
export function openQueries(pg: PgSession): Queries {
  const { tenant } = pg
  const inRoots = (sql: string, roots: readonly number[] | undefined, order: string): readonly Row[] =>
    roots === undefined
      ? pg.read(`${sql} ORDER BY ${order}`, [tenant])
      : pg.read(`${sql} AND root = ANY ($2) ORDER BY ${order}`, [tenant, roots])
  const fromGroups = (cell: string, roots: readonly number[] | undefined): readonly string[] =>
    inRoots(
      `SELECT ${cell} AS cell FROM index_group WHERE tenant = $1 AND ${cell} <> '[]'`,
      roots,
      'id, audience',
    ).map(row => String(row['cell']))
  const filesIn = (roots: readonly number[] | undefined): readonly Row[] =>
    inRoots('SELECT id, project, session FROM index_file WHERE tenant = $1', roots, 'id')
  const filesOfGroup = (group: number): readonly Row[] =>
    pg.read('SELECT id, project, session FROM index_file WHERE tenant = $1 AND file_group = $2 ORDER BY id', [
      tenant,
      group,
    ])
  return {
    sessions: roots =>
      inRoots('SELECT figures FROM index_session WHERE tenant = $1', roots, 'last DESC, id').map(
        ({ figures }) => JSON.parse(String(figures)),
      ),
    agents: roots => fromGroups('agents', roots).flatMap(json => JSON.parse(json)),
    branches: roots => fromGroups('branches', roots).flatMap(json => JSON.parse(json)),
    diagnostics: roots => fromGroups('diagnostics', roots).flatMap(json => JSON.parse(json)),
    touches: roots => readTouches(pg, filesIn(roots)),
    groupTouches: group => readTouches(pg, filesOfGroup(group)),
    usage: roots => readUsage(pg, filesIn(roots)),
    groupUsage: group => readUsage(pg, filesOfGroup(group)),
    messages: files => messagesOf({ parts: rowsByFile(pg, PARTS, files) }, files),
    locate: (what, start, most = 100) =>
      pg.read(LOCATE[what], [tenant, keepable(start), `${keepable(start)}\u{10ffff}`, most]).map(row => ({
        id: String(row['id']),
        root: Number(row['root']),
        path: String(row['path']),
        session: textOrNull(row['session']),
        isArchived: row['archived'] === 1,
      })),
  }
}

const FILE = 'f.root, f.path, f.session, f.archived'

const LOCATE = {
  uuid: `SELECT n.uuid AS id, ${FILE} FROM index_node n JOIN index_file f ON f.tenant = $1 AND f.id = n.id >> 26
    WHERE n.tenant = $1 AND n.uuid >= $2 AND n.uuid < $3 ORDER BY n.uuid, n.id LIMIT $4`,
  // Sessions that rows name are link keys.
  session: `SELECT substr(k.key, 3) AS id, ${FILE} FROM index_link_key k JOIN index_file f ON f.tenant = $1 AND f.id = k.file
    WHERE k.tenant = $1 AND k.key >= 's ' || $2 AND k.key < 's ' || $3 ORDER BY k.key, k.file LIMIT $4`,
} as const

function readUsage(pg: PgSession, files: readonly Row[]): ReturnType<IndexStore['usage']> {
  const ids = files.map(({ id }) => Number(id))
  const source: UsageSource = {
    parts: rowsByFile(pg, PARTS, ids),
    runs: rowsByFile(pg, RUNS, ids),
    line: linesOf(pg, ids),
  }
  return usageOf(source, files)
}

function readTouches(pg: PgSession, files: readonly Row[]): ReturnType<IndexStore['touches']> {
  const ids = files.map(({ id }) => Number(id))
  const source: TouchSource = {
    touched: rowsByFile(pg, TOUCHED, ids),
    runs: rowsByFile(pg, RUNS, ids),
    line: linesOf(pg, ids),
  }
  return touchesOf(source, files)
}

/** A table whose rows are read by the file of their node. */
interface ByFile {
  readonly select: string
  readonly node: string
  readonly order: string
}

const PARTS: ByFile = {
  select: 'SELECT x.node, x.id, x.version, x.time, x.usage FROM index_message x',
  node: 'x.node',
  order: 'x.node',
}
const RUNS: ByFile = {
  select: 'SELECT x.first, x.last, x.owner, x.line FROM index_verdict x',
  node: 'x.first',
  order: 'x.first',
}
/** A message has the time; all entries with calls have one. */
const TOUCHED: ByFile = {
  select: `SELECT x.node, n.uuid, x.path, x.tool,
    (SELECT max(m.time) FROM index_message m WHERE m.tenant = x.tenant AND m.node = x.node) AS time
    FROM index_touched x LEFT JOIN index_node n ON n.tenant = x.tenant AND n.id = x.node`,
  node: 'x.node',
  order: 'x.node, x.path, x.tool',
}

/** Files whose rows are read at a time: a statement for each would take longer than the rows. */
const FILES_AT_A_TIME = 200

/** Gives the rows of files that are asked for in a known order. */
function rowsByFile(
  pg: PgSession,
  { select, node, order }: ByFile,
  files: readonly number[],
): (file: number) => readonly Row[] {
  const next = [...files]
  let known = new Map<number, Row[]>()
  const readMore = (): void => {
    const some = next.splice(0, FILES_AT_A_TIME)
    known = new Map(some.map(file => [file, []]))
    const sql = `${select} JOIN unnest($2::bigint[], $3::bigint[]) AS range(low, high)
      ON ${node} >= range.low AND ${node} < range.high WHERE x.tenant = $1 ORDER BY ${order}`
    const rows = pg.read(sql, [
      pg.tenant,
      some.map(file => nodeId(file, 0)),
      some.map(file => nodeId(file + 1, 0)),
    ])
    for (const row of rows)
      known.get(Math.floor(Number(row['node'] ?? row['first']) / nodeId(1, 0)))?.push(row)
  }
  return file => {
    while (!known.has(file) && next.length > 0) readMore()
    return known.get(file) ?? []
  }
}

/** Finds the lines of the groups of some files. */
function linesOf(pg: PgSession, files: readonly number[]): (id: number) => Row | undefined {
  let known: ReadonlyMap<number, Row> | null = null
  const sql = `SELECT id, session, agent, agent_name, branch, branch_status FROM index_line WHERE tenant = $1
    AND file_group IN (SELECT file_group FROM index_file WHERE tenant = $1 AND id = ANY ($2))`
  return id => {
    known ??= new Map(pg.read(sql, [pg.tenant, files]).map(row => [Number(row['id']), row]))
    return known.get(id)
  }
}
