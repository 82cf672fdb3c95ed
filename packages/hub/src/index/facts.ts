/** Facts in PostgreSQL: files, their rows, and what was taken from them. */
import type { ParsedRow } from '@dagline/core'
import { unpackRows } from '@dagline/core/parse'
import {
  type Chunk,
  createTokenizer,
  FILE_CELLS,
  type FileDraft,
  fileCells,
  fileFrom,
  type IndexStore,
  nodeId,
  type Row,
  wantKey,
} from '@dagline/store'
import { LEXEME_LENGTH } from '../db/schema-index.js'
import { type CellValue, keepable, keepableId, keepableTime } from './cells.js'
import type { Known, KnownFacts } from './known.js'
import type { PgSession } from './session.js'

type Facts = Pick<
  IndexStore,
  | ('rootId' | 'findRoot' | 'listing' | 'keepListing')
  | ('files' | 'addFile' | 'updateFile' | 'removeFile')
  | ('addChunk' | 'dropRows' | 'rowsOf' | 'linkedTo' | 'isFilling' | 'endFilling' | 'links')
>

/** The part of the index that holds facts. */
export function openFacts(pg: PgSession, known: Known): Facts {
  const { tenant } = pg
  const tokens = createTokenizer()
  const files = (root: number): readonly Row[] => {
    known.roots.add(root)
    const rows = pg.read('SELECT * FROM index_file WHERE tenant = $1 AND root = $2 ORDER BY path', [
      tenant,
      root,
    ])
    for (const row of rows) known.note(Number(row['id']), row)
    return rows
  }
  const dropRows = (file: number, from: number): number => dropFrom(pg, file, from)
  return {
    rootId: path => rootId(pg, known, path),
    findRoot: path => findRoot(pg, path),
    listing: root => {
      const [row] = pg.read('SELECT listing FROM index_root WHERE tenant = $1 AND id = $2', [tenant, root])
      return row?.['listing'] == null ? null : String(row['listing'])
    },
    keepListing: (root, listing) => {
      const kept = listing === null ? null : keepable(listing)
      pg.change('UPDATE index_root SET listing = $3 WHERE tenant = $1 AND id = $2', [tenant, root, kept])
    },
    files: root => files(root).map(fileFrom),
    addFile: (root, file) => {
      known.roots.add(root)
      const id = pg.nextId('file')
      const facts = known.add(id, root, file)
      pg.add('index_file', [facts.audience, ...cellsOf(file), root, id])
      return id
    },
    updateFile: (id, file) => {
      known.change(id, file)
      pg.updateFile(id, cellsOf(file))
    },
    removeFile: id => {
      known.roots.add(known.of(id).root)
      dropRows(id, 0)
      pg.change('DELETE FROM index_undelivered WHERE tenant = $1 AND file = $2', [tenant, id])
      pg.change('DELETE FROM index_file WHERE tenant = $1 AND id = $2', [tenant, id])
      known.remove(id)
    },
    addChunk: (file, chunk) => addChunk({ pg, tokens, facts: known.of(file) }, file, chunk),
    dropRows,
    rowsOf: file => rowsOf(pg, file),
    linkedTo: (file, nth, keys) => linkedTo(pg, known.of(file).root, { file, nth, keys }),
    isFilling: () => isFilling(pg, known),
    endFilling: () => {
      pg.change('UPDATE index_root SET filling = false WHERE tenant = $1 AND filling AND id = ANY ($2)', [
        tenant,
        [...known.roots],
      ])
      // Without statistics of the new rows, the planner would scan whole tables for each query.
      for (const table of ['index_file', 'index_node', 'index_link_key']) pg.change(`ANALYZE ${table}`)
    },
    links: root =>
      LINKS.flatMap(sql => pg.read(sql, [tenant, root])).map(({ a, b }) => [Number(a), Number(b)] as const),
  }
}

/** The columns of `FILE_CELLS`: path, project, session, facts, state, diagnostics, bytes, archived. */
function cellsOf(file: FileDraft): readonly CellValue[] {
  const archived = FILE_CELLS.split(', ').indexOf('archived')
  return fileCells(file).map((cell, at) => {
    if (at === archived) return cell === 1
    return typeof cell === 'string' ? keepable(cell) : cell
  })
}

function findRoot(pg: PgSession, path: string): number | null {
  const [row] = pg.read('SELECT id FROM index_root WHERE tenant = $1 AND path = $2', [
    pg.tenant,
    keepable(path),
  ])
  return row === undefined ? null : Number(row['id'])
}

/** HU6: one writer at a time for each root: others wait until its index is closed. */
function rootId(pg: PgSession, known: Known, path: string): number {
  const root = findRoot(pg, path) ?? addRoot(pg, path)
  known.lock(root)
  known.roots.add(root)
  return root
}

/** Roots are numbered one by one in each tenant, under a lock that ends with the statement. */
function addRoot(pg: PgSession, path: string): number {
  pg.read('SELECT pg_advisory_xact_lock($1, $2)', [ROOT_LOCK, pg.tenant])
  pg.change(
    `INSERT INTO index_root (tenant, id, path, filling)
      SELECT $1, coalesce(max(id), 0) + 1, $2, true FROM index_root WHERE tenant = $1 ON CONFLICT DO NOTHING`,
    [pg.tenant, keepable(path)],
  )
  return findRoot(pg, path) ?? addRoot(pg, path)
}

/** Any number; locks of two numbers are apart from those of one. */
const ROOT_LOCK = 723_391

/** I10: whether a root that is written has never been read whole; true for an index without roots. */
function isFilling(pg: PgSession, known: Known): boolean {
  const sql =
    'SELECT bool_or(filling) AS filling, count(*) AS roots FROM index_root WHERE tenant = $1 AND ($2::int[] = $3 OR id = ANY ($2))'
  const [row] = pg.read(sql, [pg.tenant, [...known.roots], []])
  return Number(row?.['roots'] ?? 0) === 0 || row?.['filling'] === 1
}

/** Unpacks chunk by chunk: a large file is never in memory as a whole. */
function* rowsOf(pg: PgSession, file: number): Generator<ParsedRow> {
  let after = -1
  for (;;) {
    const sql =
      'SELECT row, rows FROM index_chunk WHERE tenant = $1 AND file = $2 AND row > $3 ORDER BY row LIMIT 20'
    const chunks = pg.read(sql, [pg.tenant, file, after])
    for (const { rows } of chunks) yield* unpackRows(String(rows))
    const last = chunks.at(-1)
    if (last === undefined) return
    after = Number(last['row'])
  }
}

interface Adding {
  readonly pg: PgSession
  readonly tokens: (text: string) => string
  readonly facts: KnownFacts
}

function addChunk({ pg, tokens, facts: { audience } }: Adding, file: number, chunk: Chunk): void {
  let node = nodeId(file, chunk.firstNode)
  for (const uuid of chunk.uuids) pg.add('index_node', [audience, node++, keepableId(uuid)])
  const calls = firstOfEach(chunk.calls, ([nth, id]) => `${nth} ${id}`)
  for (const [nth, id, name] of calls)
    pg.add('index_call', [audience, nodeId(file, nth), keepableId(id), keepable(name)])
  for (const fact of chunk.texts) {
    const [nth, place, time, field, named, failed, text, call] = fact
    const entry = nth < 0 ? null : nodeId(file, nth)
    const tool = call === null || entry === null ? named : toolOf(pg, file, entry, call)
    const words = shortened(tokens(text), pg.tenant)
    const cells = [entry, keepableTime(time), field, tool === null ? null : keepable(tool), failed]
    pg.add('index_text', [
      ...[audience, pg.nextText(), file, place.row, place.offset, place.length, ...cells],
      ...[hasLongWord(words), words === '' ? '' : ` ${words} `],
    ])
  }
  const messages = new Map(chunk.messages.map(fact => [`${fact.nth} ${fact.message}`, fact]))
  for (const { nth, version, message, time, ...usage } of messages.values()) {
    const cells = [
      keepable(message),
      version === null ? null : keepable(version),
      time,
      JSON.stringify(usage),
    ]
    pg.add('index_message', [audience, nodeId(file, nth), ...cells])
  }
  const touched = firstOfEach(chunk.touched, cells => JSON.stringify(cells))
  for (const [nth, path, tool] of touched)
    pg.add('index_touched', [audience, nodeId(file, nth), keepable(path), keepable(tool)])
  for (const key of chunk.linkKeys) pg.addKey(audience, keepableId(key), file)
  pg.add('index_chunk', [audience, file, chunk.row, chunk.firstNode, chunk.rows])
}

function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const known = new Map<string, T>()
  for (const item of items) if (!known.has(keyOf(item))) known.set(keyOf(item), item)
  return [...known.values()]
}

function hasLongWord(words: string): boolean {
  return words.length > LEXEME_LENGTH && words.split(' ').some(word => word.length > LEXEME_LENGTH)
}

/** Bytes of all lexemes of a text: PostgreSQL takes a little more. */
const MOST_BYTES = 900_000

/** The words from the first on, as many as PostgreSQL takes. Only texts of more than 100,000 characters come near. */
function shortened(words: string, tenant: number): string {
  if (words.length < 100_000) return words
  const known = new Set<string>()
  let bytes = 0
  let end = 0
  for (const word of words.split(' ')) {
    if (!known.has(word)) bytes += Buffer.byteLength(word.slice(0, LEXEME_LENGTH)) + String(tenant).length + 5
    known.add(word)
    if (bytes > MOST_BYTES) break
    end += word.length + 1
  }
  return words.slice(0, Math.max(0, end - 1))
}

/** The tool of a call. Only calls before the node count, so that the answer does not depend on how much is read at once. */
function toolOf(pg: PgSession, file: number, node: number, call: string): string | null {
  const sql =
    'SELECT name FROM index_call WHERE tenant = $1 AND node >= $2 AND node < $3 AND id = $4 ORDER BY node DESC LIMIT 1'
  const [row] = pg.read(sql, [pg.tenant, nodeId(file, 0), node, keepableId(call)])
  return row === undefined ? null : String(row['name'])
}

/** Removes whole chunks: reading always continues where a chunk began. */
function dropFrom(pg: PgSession, file: number, from: number): number {
  const { tenant } = pg
  if (from === 0) pg.change('DELETE FROM index_link_key WHERE tenant = $1 AND file = $2', [tenant, file])
  const sql =
    'SELECT row, node FROM index_chunk WHERE tenant = $1 AND file = $2 AND row >= $3 ORDER BY row LIMIT 1'
  const [first] = pg.read(sql, [tenant, file, from])
  if (first === undefined) return countNodes(pg, file)
  const row = Number(first['row'])
  for (const table of ['index_text', 'index_chunk'])
    pg.change(`DELETE FROM ${table} WHERE tenant = $1 AND file = $2 AND row >= $3`, [tenant, file, row])
  const [low, high] = [nodeId(file, Number(first['node'])), nodeId(file + 1, 0)]
  pg.change('DELETE FROM index_node WHERE tenant = $1 AND id >= $2 AND id < $3', [tenant, low, high])
  for (const table of ['index_message', 'index_call', 'index_touched'])
    pg.change(`DELETE FROM ${table} WHERE tenant = $1 AND node >= $2 AND node < $3`, [tenant, low, high])
  // A verdict on entries before and behind the row goes whole; the file is judged again.
  pg.change('DELETE FROM index_verdict WHERE tenant = $1 AND last >= $2 AND first < $3 AND first >= $4', [
    ...[tenant, low, high],
    nodeId(file, 0),
  ])
  return Number(first['node'])
}

/** Entries of a file: a sync that ended early may have dropped some that its row still counts. */
function countNodes(pg: PgSession, file: number): number {
  const sql = 'SELECT max(id) AS id FROM index_node WHERE tenant = $1 AND id >= $2 AND id < $3'
  const last = pg.read(sql, [pg.tenant, nodeId(file, 0), nodeId(file + 1, 0)])[0]?.['id']
  return last == null ? 0 : Number(last) - nodeId(file, 0) + 1
}

interface Linking {
  readonly file: number
  readonly nth: number
  readonly keys: ReadonlySet<string>
}

/** Returns one file for each key: thousands of files may have a key in common, and one of them is enough. */
function linkedTo(pg: PgSession, root: number, { file, nth, keys }: Linking): readonly number[] {
  const found = new Set<number>()
  const note = (rows: readonly Row[]): void => {
    for (const { linked } of rows) if (linked != null) found.add(Number(linked))
  }
  const own = [pg.tenant, root, file, nodeId(file, nth), nodeId(file + 1, 0)]
  note(pg.read(`SELECT DISTINCT ${WRITES('a.uuid')} AS linked ${OWN}`, own))
  note(pg.read(`SELECT DISTINCT ${SHARES(`'${wantKey('')}' || a.uuid`)} AS linked ${OWN}`, own))
  const kept = [...keys].map(keepableId)
  const wanted = kept.filter(key => key.startsWith(wantKey(''))).map(key => key.slice(wantKey('').length))
  const given = [pg.tenant, root, file]
  if (kept.length > 0)
    note(pg.read(`SELECT DISTINCT ${SHARES('k')} AS linked FROM unnest($4::text[]) k`, [...given, kept]))
  if (wanted.length > 0)
    note(pg.read(`SELECT DISTINCT ${WRITES('k')} AS linked FROM unnest($4::text[]) k`, [...given, wanted]))
  return [...found]
}

const OWN = 'FROM index_node a WHERE a.tenant = $1 AND a.id >= $4 AND a.id < $5'
const OTHER = 'f.tenant = $1 AND f.root = $2 AND f.id <> $3'
const WRITES = (uuid: string): string =>
  `(SELECT f.id FROM index_node b JOIN index_file f ON f.id = b.id >> 26 AND ${OTHER}
    WHERE b.tenant = $1 AND b.uuid = ${uuid} ORDER BY b.id LIMIT 1)`
const SHARES = (key: string): string =>
  `(SELECT f.id FROM index_link_key t JOIN index_file f ON f.id = t.file AND ${OTHER}
    WHERE t.tenant = $1 AND t.key = ${key} ORDER BY t.file LIMIT 1)`

/** Each statement goes through a table once; what many files have in common links each of them to the first. */
const LINKS = [
  linksBy(
    'SELECT n.uuid AS shared, f.id AS file FROM index_node n JOIN index_file f ON f.id = n.id >> 26 WHERE n.tenant = $1',
  ),
  linksBy(
    'SELECT k.key AS shared, f.id AS file FROM index_link_key k JOIN index_file f ON f.id = k.file WHERE k.tenant = $1',
  ),
  `SELECT DISTINCT k.file AS a, n.id >> 26 AS b FROM index_link_key k
    JOIN index_file f ON f.id = k.file AND f.tenant = $1 AND f.root = $2
    JOIN index_node n ON n.tenant = $1 AND n.uuid = substr(k.key, ${wantKey('').length + 1})
    JOIN index_file g ON g.id = n.id >> 26 AND g.tenant = $1 AND g.root = $2
    WHERE k.tenant = $1 AND k.key >= '${wantKey('')}' AND k.key < '${wantKey('').slice(0, -1)}!' AND f.id <> g.id`,
]

function linksBy(owners: string): string {
  return `WITH owners AS MATERIALIZED (${owners} AND f.tenant = $1 AND f.root = $2),
    firsts AS (SELECT shared, min(file) AS first FROM owners GROUP BY shared HAVING min(file) < max(file))
    SELECT DISTINCT first AS a, file AS b FROM firsts JOIN owners USING (shared) WHERE file <> first`
}
