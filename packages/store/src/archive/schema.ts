/**
 * K11: the archive's database: one file that holds
 *
 *     file ──< version ──< run >── block      the bytes of a version are those of its runs, one after another
 *                                  piece      where a row is stored already, by its hash
 *
 *     mark                                    sessions that are forgotten, or held
 *     erasure, erased                         how often bytes were erased, and how many of each block
 *
 * A version only gets longer, and so does the last block. Only forgetting a session deletes (K15).
 */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Database, type OpenOptions, openDatabase, type Row, type Value } from '../db/driver.js'
import { StoreError } from '../files/failures.js'
import { inFileSystem } from '../files/sink.js'

/** `dagl`: tells an archive from other databases. */
const APPLICATION = 0x6461676c

/** What leads from each version of the tables to the next; the number of steps is the present version. */
const STEPS: readonly string[] = [
  `CREATE TABLE block (
     id INTEGER PRIMARY KEY, codec TEXT NOT NULL, bytes INTEGER NOT NULL, hash BLOB NOT NULL, data BLOB NOT NULL
   ) STRICT;
   CREATE TABLE piece (
     hash BLOB PRIMARY KEY, block INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE file (
     id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, root TEXT NOT NULL, kind TEXT NOT NULL, session TEXT
   ) STRICT;
   CREATE INDEX file_session ON file (session);
   CREATE TABLE version (
     id INTEGER PRIMARY KEY, file INTEGER NOT NULL, number INTEGER NOT NULL, bytes INTEGER NOT NULL,
     mtime REAL NOT NULL, taken REAL NOT NULL, sha256 BLOB NOT NULL, stamp TEXT NOT NULL, UNIQUE (file, number)
   ) STRICT;
   CREATE TABLE run (
     version INTEGER NOT NULL, position INTEGER NOT NULL, block INTEGER NOT NULL, start INTEGER NOT NULL,
     length INTEGER NOT NULL, PRIMARY KEY (version, position)
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE mark (
     kind TEXT NOT NULL, session TEXT NOT NULL, since REAL NOT NULL, PRIMARY KEY (kind, session)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE erased (block INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
   CREATE TABLE erasure (count INTEGER NOT NULL, pending INTEGER NOT NULL) STRICT;
   INSERT INTO erasure (count, pending) VALUES (0, 0);`,
]

/**
 * Opens an archive to be written, or makes it with its folder, readable for its owner only. Throws `StoreError`.
 */
export function openToWrite(path: string, options: OpenOptions = {}): Database {
  inFileSystem(path, () => makeFile(path), ADVICE)
  const db = openDatabase(path, options)
  return closeUnless(db, () => {
    // The rollback journal, not the write-ahead log: the archive is then one file, and can be read from a medium that
    // cannot be written. Truncating the journal is what commits, and it is synced.
    db.exec('PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
    // A batch fits into the cache, so that readers are shut out while it is committed, and no longer.
    db.exec('PRAGMA cache_size = -32000; PRAGMA cache_spill = OFF')
    // What is deleted is overwritten.
    db.exec('PRAGMA secure_delete = ON')
    if (isEmpty(db)) db.transact(() => migrate(db, 0))
    else if (versionOf(db) < STEPS.length) db.transact(() => migrate(db, versionOf(db)))
  })
}

/** Whether there is an archive. A file without a byte is what is left where the disk was full. */
export function isArchive(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Opens an archive to be read, also one that may not be written. Throws `StoreError`. */
export function openToRead(path: string, options: OpenOptions = {}): Database {
  if (!isArchive(path)) {
    throw new StoreError(
      'unreachable',
      `There is no archive at ${path}. Run \`dagline archive\` to create one.`,
    )
  }
  const db = openLeniently(path, options)
  return closeUnless(db, () => {
    if (isEmpty(db))
      throw new StoreError('unreachable', `The archive ${path} is empty. Run \`dagline archive\` to fill it.`)
    if (versionOf(db) < STEPS.length) migrateIfPossible(db)
  })
}

/** An old archive that cannot be written is read as it is: it has what readers need. */
function migrateIfPossible(db: Database): void {
  try {
    db.transact(() => migrate(db, versionOf(db)))
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'read-only') throw error
  }
}

/** Whether the archive has tables of marks and erasures: one of the first version that cannot be written has not. */
export function hasMarks(db: Database): boolean {
  return versionOf(db) > 1
}

/** Able to write where possible: what a killed writer has left half done must be undone before anything is read. */
function openLeniently(path: string, options: OpenOptions): Database {
  try {
    return openDatabase(path, options)
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'read-only') throw error
    return openDatabase(path, { ...options, readOnly: true })
  }
}

function closeUnless(db: Database, check: () => void): Database {
  try {
    check()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

const ADVICE = {
  full: ' Nothing was lost.',
  other: (path: string): string =>
    `The archive ${path} cannot be made: check that its folder can be written, or give another with --archive.`,
}

/** Whether there are no tables yet. Refuses databases of other programs, and archives of a newer dagline. */
function isEmpty(db: Database): boolean {
  const application = numberIn(db.prepare('PRAGMA application_id').get(), 'application_id')
  const tables = numberIn(db.prepare('SELECT count(*) AS count FROM sqlite_schema').get(), 'count')
  if (tables === 0) return true
  if (application !== APPLICATION) {
    throw new StoreError(
      'damaged',
      `${db.path} is a database of another program: give another file with --archive.`,
    )
  }
  if (versionOf(db) > STEPS.length) {
    throw new StoreError('unreachable', `The archive ${db.path} was made by a newer dagline: update dagline.`)
  }
  return false
}

function versionOf(db: Database): number {
  return numberIn(db.prepare('PRAGMA user_version').get(), 'user_version')
}

function migrate(db: Database, from: number): void {
  // Another process may have been faster, between our look and our lock.
  if (versionOf(db) !== from) return
  for (const step of STEPS.slice(from)) db.exec(step)
  db.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${STEPS.length}`)
}

// Cells of the tables. A cell of another type means that dagline did not make the file.

type Cell<T> = (row: Row | undefined, name: string) => T

/** A number in a row. */
export const numberIn: Cell<number> = (row, name) => {
  const value = row?.[name]
  return typeof value === 'number' ? value : wrongType(name, value)
}

/** A text in a row. */
export const textCell: Cell<string> = (row, name) => {
  const value = row?.[name]
  return typeof value === 'string' ? value : wrongType(name, value)
}

/** A text in a row, or null. */
export const textOrNull: Cell<string | null> = (row, name) =>
  row?.[name] === null ? null : textCell(row, name)

/** Bytes in a row. */
export const bytesIn: Cell<Uint8Array> = (row, name) => {
  const value = row?.[name]
  return value instanceof Uint8Array ? value : wrongType(name, value)
}

/** The columns of a table, each with the reader of its cells: the list of columns for a query, and a reader of rows. */
export function columnsOf<T extends object>(
  cells: { readonly [K in keyof T & string]: Cell<T[K]> },
): {
  readonly list: string
  readonly read: (row: Row) => T
} {
  const all = Object.entries<Cell<unknown>>(cells)
  return {
    list: Object.keys(cells).join(', '),
    read: row => Object.fromEntries(all.map(([name, cell]) => [name, cell(row, name)])) as T,
  }
}

function wrongType(name: string, value: Value | undefined): never {
  throw new StoreError(
    'damaged',
    `The archive is damaged: a cell ${name} holds ${typeof value}. Take the archive from a backup.`,
  )
}
