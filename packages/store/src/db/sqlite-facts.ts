/** Facts in SQLite: files, their rows, and what was taken from them. */
import type { ParsedRow } from '@dagline/core'
import { unpackRows } from '@dagline/core/parse'
import type { Database, Row } from './driver.js'
import type { Chunk, MessageFact, TextFact } from './facts.js'
import type { FileDraft, IndexStore, KnownFile } from './index-store.js'
import { linkKeysOf, wantKey } from './link-keys.js'
import { NODE_INDEX, nodeId } from './schema.js'
import { addTerms } from './vocabulary.js'

type Facts = Pick<
  IndexStore,
  | 'rootId'
  | 'findRoot'
  | 'listing'
  | 'keepListing'
  | 'files'
  | 'addFile'
  | 'updateFile'
  | 'removeFile'
  | 'addChunk'
  | 'dropRows'
  | 'rowsOf'
  | 'linkedTo'
  | 'isFilling'
  | 'endFilling'
  | 'links'
>

/** The part of the index that holds facts. */
export function openFacts(db: Database): Facts {
  return {
    rootId: path => rootId(db, path),
    findRoot: path => findRoot(db, path),
    listing: root => listingOf(db, root),
    keepListing: (root, listing) => {
      db.prepare('UPDATE root SET listing = ? WHERE id = ?').run(listing, root)
    },
    files: root => db.prepare('SELECT * FROM file WHERE root = ? ORDER BY path').all(root).map(fileFrom),
    addFile: (root, file) => addFile(db, root, file),
    updateFile: (id, file) => updateFile(db, id, file),
    removeFile: id => removeFile(db, id),
    addChunk: (file, chunk) => addChunk(db, file, chunk),
    dropRows: (file, from) => dropRows(db, file, from),
    rowsOf: file => rowsOf(db, file),
    linkedTo: (file, nth, keys) => linkedTo(db, file, nth, keys),
    isFilling: () => db.prepare(FIND_INDEX).get(NODE_INDEX.name) === undefined,
    endFilling: () => db.exec(NODE_INDEX.sql),
    links: root => linksIn(db, root),
  }
}

/** Unpacks chunk by chunk: a large file is never in memory as a whole. */
function* rowsOf(db: Database, file: number): Generator<ParsedRow> {
  const chunks = db.prepare('SELECT rows FROM chunk WHERE file = ? ORDER BY row')
  for (const { rows } of chunks.each(file)) yield* unpackRows(String(rows))
}

function findRoot(db: Database, path: string): number | null {
  const known = db.prepare('SELECT id FROM root WHERE path = ?').get(path)
  return known === undefined ? null : Number(known['id'])
}

function listingOf(db: Database, root: number): string | null {
  const listing = db.prepare('SELECT listing FROM root WHERE id = ?').get(root)?.['listing'] ?? null
  return listing === null ? null : String(listing)
}

function rootId(db: Database, path: string): number {
  return findRoot(db, path) ?? db.prepare('INSERT INTO root (path) VALUES (?)').insert(path)
}

/** A file from the cells of its row. */
export function fileFrom(row: Row): KnownFile {
  const state = row['state'] ?? null
  return {
    id: Number(row['id']),
    path: String(row['path']),
    project: String(row['project']),
    facts: JSON.parse(String(row['facts'])),
    state: state === null ? null : JSON.parse(String(state)),
    diagnostics: JSON.parse(String(row['diagnostics'])),
    bytes: Number(row['bytes']),

    isArchived: row['archived'] === 1,
    group: row['file_group'] == null ? null : Number(row['file_group']),
  }
}

/** The columns of a file, in the order of `fileCells`. */
export const FILE_CELLS = 'path, project, session, facts, state, diagnostics, bytes, archived'

/** The cells of a file. */
export function fileCells(file: FileDraft): (string | number | null)[] {
  return [
    file.path,
    file.project,
    file.facts.session,
    JSON.stringify(file.facts),
    file.state === null ? null : JSON.stringify(file.state),
    JSON.stringify(file.diagnostics),
    file.bytes,

    Number(file.isArchived),
  ]
}

function addFile(db: Database, root: number, file: FileDraft): number {
  const sql = `INSERT INTO file (${FILE_CELLS}, root) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
  return db.prepare(sql).insert(...fileCells(file), root)
}

function updateFile(db: Database, id: number, file: FileDraft): void {
  const sql = `UPDATE file SET (${FILE_CELLS}) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`
  db.prepare(sql).run(...fileCells(file), id)
}

function removeFile(db: Database, id: number): void {
  dropRows(db, id, 0)
  db.prepare('DELETE FROM file WHERE id = ?').run(id)
}

/** Computes the keys of the rows again to delete them; an index of keys by file would cost more. */
function dropLinkKeys(db: Database, id: number): void {
  const facts = db.prepare('SELECT facts FROM file WHERE id = ?').get(id)?.['facts']
  const drop = db.prepare('DELETE FROM link_key WHERE key = ? AND file = ?')
  for (const { rows } of db.prepare('SELECT rows FROM chunk WHERE file = ?').all(id)) {
    for (const key of linkKeysOf(JSON.parse(String(facts)), unpackRows(String(rows)))) drop.run(key, id)
  }
}

function addChunk(db: Database, file: number, chunk: Chunk): void {
  const firstText = Number(db.prepare('SELECT max(id) AS id FROM text').get()?.['id'] ?? 0) + 1
  addNodes(db, file, chunk)
  addTexts(db, file, firstText, chunk.texts)
  for (const message of chunk.messages) addMessage(db, file, message)
  const touch = db.prepare('INSERT OR IGNORE INTO touched (node, path, tool) VALUES (?, ?, ?)')
  for (const [nth, path, tool] of chunk.touched) touch.run(nodeId(file, nth), path, tool)
  const addKey = db.prepare('INSERT OR IGNORE INTO link_key (key, file) VALUES (?, ?)')
  for (const key of chunk.linkKeys) addKey.run(key, file)
  db.prepare(
    'INSERT INTO chunk (file, row, node, rows, first_text, last_text) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(file, chunk.row, chunk.firstNode, chunk.rows, firstText, firstText + chunk.texts.length - 1)
}

function addNodes(db: Database, file: number, { firstNode, uuids, calls }: Chunk): void {
  const add = db.prepare('INSERT INTO node (id, uuid) VALUES (?, ?)')
  let node = nodeId(file, firstNode)
  for (const uuid of uuids) add.run(node++, uuid)
  const call = db.prepare('INSERT OR IGNORE INTO call (node, id, name) VALUES (?, ?, ?)')
  for (const [nth, id, tool] of calls) call.run(nodeId(file, nth), id, tool)
}

function addTexts(db: Database, file: number, firstText: number, texts: readonly TextFact[]): void {
  const add = db.prepare(
    'INSERT INTO text (id, file, row, offset, length, node, time, field, tool, failed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const index = db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)')
  let id = firstText
  for (const [nth, place, time, field, named, failed, text, call] of texts) {
    const node = nth < 0 ? null : nodeId(file, nth)
    const tool = call === null || node === null ? named : toolOf(db, file, node, call)
    add.run(id, file, place.row, place.offset, place.length, node, time, field, tool, Number(failed))
    index.run(id, text)
    id++
  }
  if (id > firstText)
    addTerms(
      db,
      id - 1,
      texts.map(fact => fact[6]),
    )
}

/** The tool that a call is for; only what stands before counts, so that it does not matter how much is read at once. */
function toolOf(db: Database, file: number, node: number, call: string): string | null {
  const found = db
    .prepare('SELECT name FROM call WHERE node >= ? AND node < ? AND id = ? ORDER BY node DESC LIMIT 1')
    .get(nodeId(file, 0), node, call)
  return found === undefined ? null : String(found['name'])
}

function addMessage(db: Database, file: number, fact: MessageFact): void {
  const { nth, version, message, time, ...usage } = fact
  const sql = 'INSERT OR REPLACE INTO message (node, id, version, time, usage) VALUES (?, ?, ?, ?, ?)'
  db.prepare(sql).run(nodeId(file, nth), message, version, time, JSON.stringify(usage))
}

/** Removes whole chunks: reading always continues where a chunk began. */
function dropRows(db: Database, file: number, from: number): number {
  if (from === 0) dropLinkKeys(db, file)
  const chunks = db.prepare('SELECT * FROM chunk WHERE file = ? AND row >= ? ORDER BY row').all(file, from)
  const [first] = chunks
  if (first === undefined) return countNodes(db, file)
  for (const { id, first_text, last_text } of chunks) {
    db.prepare('DELETE FROM words WHERE rowid BETWEEN ? AND ?').run(Number(first_text), Number(last_text))
    db.prepare('DELETE FROM text WHERE id BETWEEN ? AND ?').run(Number(first_text), Number(last_text))
    db.prepare('DELETE FROM chunk WHERE id = ?').run(Number(id))
  }
  const [low, high] = [nodeId(file, Number(first['node'])), nodeId(file + 1, 0)]
  db.prepare('DELETE FROM node WHERE id >= ? AND id < ?').run(low, high)
  for (const table of ['message', 'call', 'touched'])
    db.prepare(`DELETE FROM ${table} WHERE node >= ? AND node < ?`).run(low, high)
  // A verdict on entries before and behind the row goes whole; the file is judged again.
  db.prepare('DELETE FROM verdict WHERE last >= ? AND first < ? AND first >= ?').run(
    low,
    high,
    nodeId(file, 0),
  )
  return Number(first['node'])
}

/** Entries of a file: a sync that ended early may have dropped some that its row still counts. */
function countNodes(db: Database, file: number): number {
  const last = db
    .prepare('SELECT max(id) AS id FROM node WHERE id >= ? AND id < ?')
    .get(nodeId(file, 0), nodeId(file + 1, 0))?.['id']
  return last == null ? 0 : Number(last) - nodeId(file, 0) + 1
}

/** Returns one file for each key: thousands of files may have a key in common, and one of them is enough. */
function linkedTo(db: Database, file: number, nth: number, keys: ReadonlySet<string>): readonly number[] {
  const found = new Set<number>()
  const note = (rows: readonly Row[]): void => {
    for (const { linked } of rows) if (linked != null) found.add(Number(linked))
  }
  const root = Number(db.prepare('SELECT root FROM file WHERE id = ?').get(file)?.['root'] ?? -1)
  const [low, high] = [nodeId(file, nth), nodeId(file + 1, 0)]
  note(db.prepare(`SELECT DISTINCT (${WRITES} a.uuid ${FIRST}) AS linked ${OWN}`).all(root, file, low, high))
  note(
    db.prepare(`SELECT DISTINCT (${WANTS} || a.uuid ${FIRST}) AS linked ${OWN}`).all(root, file, low, high),
  )
  const sharing = db.prepare(`SELECT (${SHARES} ? ${FIRST}) AS linked`)
  const writing = db.prepare(`SELECT (${WRITES} ? ${FIRST}) AS linked`)
  for (const key of keys) {
    note(sharing.all(key, root, file))
    if (key.startsWith(wantKey(''))) note(writing.all(key.slice(wantKey('').length), root, file))
  }
  return [...found]
}

const OWN = 'FROM node a WHERE a.id >= ? AND a.id < ?'
const WRITES = 'SELECT f.id FROM node b CROSS JOIN file f ON f.id = b.id >> 26 WHERE b.uuid ='
const SHARES = 'SELECT f.id FROM link_key t CROSS JOIN file f ON f.id = t.file WHERE t.key ='
const WANTS = `${SHARES} '${wantKey('')}'`
/** The first other file of the root; a cross join keeps the order of the index, so that the search ends there. */
const FIRST = 'AND f.root = ? AND f.id <> ? LIMIT 1'

const FIND_INDEX = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?"

/** Each query goes through an index in its order, once; what many files have in common links each of them to the first. */
function linksIn(db: Database, root: number): readonly (readonly [number, number])[] {
  return [SAME_UUIDS, SAME_KEYS, WANTED].flatMap(sql =>
    db
      .prepare(sql)
      .all(root, root)
      .map(({ a, b }) => [Number(a), Number(b)] as const),
  )
}

const SAME_UUIDS = `SELECT DISTINCT first AS a, n.id >> 26 AS b FROM (
    SELECT n.uuid AS shared, min(f.id) AS first FROM node n CROSS JOIN file f ON f.id = n.id >> 26
    WHERE f.root = ? GROUP BY n.uuid HAVING min(f.id) < max(f.id)
  ) CROSS JOIN node n ON n.uuid = shared CROSS JOIN file f ON f.id = n.id >> 26 WHERE f.root = ? AND f.id <> first`
const SAME_KEYS = `SELECT DISTINCT first AS a, k.file AS b FROM (
    SELECT k.key AS shared, min(k.file) AS first FROM link_key k CROSS JOIN file f ON f.id = k.file
    WHERE f.root = ? GROUP BY k.key HAVING min(k.file) < max(k.file)
  ) CROSS JOIN link_key k ON k.key = shared CROSS JOIN file f ON f.id = k.file WHERE f.root = ? AND f.id <> first`
const WANTED = `SELECT DISTINCT k.file AS a, n.id >> 26 AS b FROM link_key k CROSS JOIN file f ON f.id = k.file
  CROSS JOIN node n ON n.uuid = substr(k.key, ${wantKey('').length + 1}) CROSS JOIN file g ON g.id = n.id >> 26
  WHERE k.key >= '${wantKey('')}' AND k.key < '${wantKey('').slice(0, -1)}!' AND f.root = ? AND g.root = ? AND f.id <> g.id`
