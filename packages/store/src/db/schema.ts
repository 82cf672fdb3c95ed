/**
 * The tables of the index. Two kinds of things are kept apart:
 *
 *   facts      what the bytes of a file say: rows, nodes, texts, messages. They grow with the file.
 *   verdicts   what the graph says of them: lines, live or not, sessions. They may change with every row.
 *
 * Nodes are numbered by file and place (`nodeId`), so that those of a file stand together. Texts are numbered as they
 * come, because FTS5 wants ascending numbers.
 */

import { StoreError } from '../files/failures.js'
import { type Database, type OpenOptions, openDatabase, type Value } from './driver.js'
import { hasOwnSums, readStart } from './page-sums.js'

/** Raised whenever the tables change, or what they hold (parsed rows, texts, verdicts, figures): an older index is rebuilt. */
export const INDEX_VERSION = 19

/** `dagi`: what a file says it is. */
const INDEX_MARK = 0x64_61_67_69

const TABLES = `
-- listing: what was there when all of it was known; null while that is not so.
CREATE TABLE root (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, listing TEXT);

-- state: where reading ended (FileState). file_group: files whose graph is one; null until it was judged.
CREATE TABLE file (
  id INTEGER PRIMARY KEY, root INTEGER NOT NULL, path TEXT NOT NULL, project TEXT NOT NULL, session TEXT,
  facts TEXT NOT NULL, state TEXT, diagnostics TEXT NOT NULL, bytes INTEGER NOT NULL, archived INTEGER NOT NULL, file_group INTEGER,
  UNIQUE (root, path)
);
CREATE INDEX file_in_group ON file (file_group);

-- Packed rows, with the texts that were taken from them.
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, row INTEGER NOT NULL, node INTEGER NOT NULL, rows TEXT NOT NULL,
  first_text INTEGER NOT NULL, last_text INTEGER NOT NULL
);
CREATE INDEX chunk_file ON chunk (file, row);

-- Its index (NODE_INDEX) is made when the first filling ends: uuids that come in no order would be slow to add to it.
CREATE TABLE node (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL);

-- What links files, besides equal uuids (link-keys.ts).
CREATE TABLE link_key (key TEXT NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (key, file)) WITHOUT ROWID;

-- usage: what one file says of a message (MessageUsage); the largest of all files counts.
CREATE TABLE message (
  node INTEGER NOT NULL, id TEXT NOT NULL, version TEXT, time REAL, usage TEXT NOT NULL, PRIMARY KEY (node, id)
) WITHOUT ROWID;
CREATE TABLE call (node INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (node, id)) WITHOUT ROWID;
CREATE TABLE touched (
  node INTEGER NOT NULL, path TEXT NOT NULL, tool TEXT NOT NULL, PRIMARY KEY (node, path, tool)
) WITHOUT ROWID;

-- node: null for a queued text.
CREATE TABLE text (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, row INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
  node INTEGER, time REAL, field INTEGER NOT NULL, tool TEXT, failed INTEGER NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(
  text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);
-- The words of all texts, once a search has asked for them (vocabulary.ts). part: the last text whose words are in it.
CREATE TABLE vocabulary (part INTEGER PRIMARY KEY, terms TEXT NOT NULL);

-- Nodes that follow each other in a file have the same verdict nearly always: one row for all of them. owner: the node
-- that owns the first one; the next is owned by the next.
CREATE TABLE verdict (
  first INTEGER PRIMARY KEY, last INTEGER NOT NULL, owner INTEGER NOT NULL, line INTEGER, live INTEGER NOT NULL,
  compacted INTEGER NOT NULL
);
CREATE TABLE line (
  id INTEGER PRIMARY KEY, file_group INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  session TEXT NOT NULL, agent TEXT, agent_name TEXT, branch TEXT NOT NULL, branch_status TEXT NOT NULL
);
CREATE INDEX line_in_group ON line (file_group);
CREATE TABLE session (
  id TEXT NOT NULL, file_group INTEGER NOT NULL, project TEXT NOT NULL, last REAL, figures TEXT NOT NULL
);
CREATE INDEX session_in_group ON session (file_group);
-- agents, branches: what lists show of them.
CREATE TABLE file_group (
  id INTEGER PRIMARY KEY, root INTEGER NOT NULL, queue TEXT NOT NULL, diagnostics TEXT NOT NULL, agents TEXT NOT NULL,
  branches TEXT NOT NULL
);
-- Queued texts that never arrived. The others are found where they arrived.
CREATE TABLE undelivered (
  file INTEGER NOT NULL, row INTEGER NOT NULL, file_group INTEGER NOT NULL, PRIMARY KEY (file, row)
) WITHOUT ROWID;
CREATE INDEX undelivered_in_group ON undelivered (file_group);
-- I12: what commands computed for the files of a group in one project. basis: all that the value was computed from.
CREATE TABLE answer (
  file_group INTEGER NOT NULL, kind TEXT NOT NULL, part TEXT NOT NULL, basis TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (file_group, kind, part)
);
-- The answers of a kind for all groups of a root, added up. It goes when one of them does.
CREATE TABLE root_answer (
  root INTEGER NOT NULL, kind TEXT NOT NULL, basis TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (root, kind)
);
`

/** The index of uuids. Without it the index is being filled (I10). */
export const NODE_INDEX = {
  name: 'node_uuid',
  sql: 'CREATE INDEX IF NOT EXISTS node_uuid ON node (uuid)',
} as const

/** Room for the nodes of one file: 67 million, more than any file of rows can hold. */
const NODES_PER_FILE = 2 ** 26

/** The number of a node: the nth entry of a file, from 0. Both stay whole numbers that JavaScript can hold. */
export function nodeId(file: number, nth: number): number {
  return file * NODES_PER_FILE + nth
}

/** The name in a cell. Throws `StoreError` for one that is not among `names`: another version wrote it. */
export function knownName<T extends string>(names: readonly T[], value: Value | undefined): T {
  const known = names.find(name => name === value)
  if (known !== undefined) return known
  const what = `The index holds a value that this version of dagline does not know (${value})`
  throw new StoreError('damaged', `${what}. Delete the index and run \`dagline sync\`.`)
}

/** Opens the index, makes its tables where there are none, and makes it anew where it is of an older version. */
export function openIndexDatabase(path: string, options: OpenOptions = {}): Database {
  const db = openDatabase(path, options)
  try {
    return prepareIndex(db, options)
  } catch (error) {
    db.close()
    throw error
  }
}

function prepareIndex(db: Database, options: OpenOptions): Database {
  const version = versionOf(db)
  const problem = problemOf(db, version)
  if (problem !== null) throw new StoreError('damaged', `${db.path} ${problem}`)
  if (options.readOnly === true) {
    if (version === INDEX_VERSION) return db
    const message = `${db.path} was made by an older dagline: bring it up to date first.`
    throw new StoreError('unreachable', message)
  }
  // Large pages make the first filling a tenth faster. Checkpoints are made where page-sums.ts can follow them.
  db.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 0')
  if (version < INDEX_VERSION) makeAnew(db)
  return db
}

const NAMES = [...TABLES.matchAll(/^CREATE (?:VIRTUAL TABLE|TABLE|INDEX) (\w+)/gm)].map(
  ([, name = '']) => name,
)

/** Why this index cannot be used. What another program has made is never touched. */
function problemOf(db: Database, version: number): string | null {
  const mark = Number(db.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0)
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (mark !== INDEX_MARK && !isEmpty)
    return 'is a database of another program: name another index with --index.'
  if (version > INDEX_VERSION)
    return 'was made by a newer dagline: update dagline, or name another index with --index.'
  return version === INDEX_VERSION && !hasAllTables(db) ? 'is damaged: tables are missing.' : null
}

function hasAllTables(db: Database): boolean {
  const names = new Set(
    db
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
  )
  return NAMES.every(name => names.has(name))
}

/** Whether a file is an index that this version may replace: its own mark says so, or its checksums where that is gone. */
export function isOwnIndex(path: string): boolean {
  const version = markedVersion(path)
  return version === null ? hasOwnSums(path, INDEX_VERSION) : version <= INDEX_VERSION
}

/** The version that the header of an index names; null where it is not that of a database. Infinite for another program. */
export function markedVersion(path: string): number | null {
  const header = readStart(path, 100)
  if (header?.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null
  return header.readUInt32BE(68) === INDEX_MARK ? header.readUInt32BE(60) : Number.POSITIVE_INFINITY
}

function versionOf(db: Database): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

/** The index is a cache: nothing in it is moved from version to version, it is read again. */
function makeAnew(db: Database): void {
  db.transact(() => {
    // Another process may have made it while this one waited.
    if (versionOf(db) === INDEX_VERSION) return
    const old = db.prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all()
    for (const type of ['table', 'view']) {
      for (const { name } of old.filter(item => item['type'] === type && !isShadow(String(item['name'])))) {
        db.exec(`DROP ${type} IF EXISTS "${String(name).replaceAll('"', '""')}"`)
      }
    }
    db.exec(TABLES)
    db.exec("INSERT INTO words (words, rank) VALUES ('hashsize', 4194304)")
    db.exec(`PRAGMA application_id = ${INDEX_MARK}; PRAGMA user_version = ${INDEX_VERSION}`)
  })
}

/** Tables that FTS5 keeps for itself; they go with it. */
function isShadow(name: string): boolean {
  return /^words_(data|idx|content|docsize|config)$/.test(name)
}
