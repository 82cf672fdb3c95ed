/**
 * HU15: what a client remembers of a hub, so that files that did not change cost one stat each. It may be lost at any time: the
 * hub tells what it has.
 */
import { type Database, openDatabase } from '@dagline/store'
import type { HubVersion } from '../raw/model.js'

/** A file as it was sent. */
export interface SentFile extends HubVersion {
  readonly place: string
  /** The stat of the file when it was read, or empty where the next push has to look at it again. */
  readonly stamp: string
  /** Rows with secrets: offset and length in the file; null where that is not known. */
  readonly secrets: readonly (readonly [offset: number, length: number])[] | null
}

/** What is remembered of a hub. */
export interface PushState {
  /** The database that it was, and how often files of this machine had changed there; null where nothing was sent. */
  readonly hub: () => { readonly hub: string; readonly changes: number } | null
  /** Notes that the hub is as it is known now. */
  readonly keepHub: (hub: string, changes: number) => void
  /** Forgets all files: the hub is another one. */
  readonly clear: () => void
  readonly files: () => ReadonlyMap<string, SentFile>
  readonly keep: (files: readonly SentFile[]) => void
  readonly drop: (places: readonly string[]) => void
  /** The remotes that a folder had when it was there. */
  readonly remotes: (folder: string) => readonly string[] | null
  readonly keepRemotes: (folder: string, remotes: readonly string[]) => void
  /** The folder in which a transcript was begun, by its place. */
  readonly folders: () => ReadonlyMap<string, string>
  readonly keepFolder: (place: string, folder: string) => void
  /** HU80: what names, tags and notes the hub has, as a hash; null where that is not known. */
  readonly labels: () => string | null
  readonly keepLabels: (hash: string) => void
  readonly transact: <T>(work: () => T) => T
  readonly close: () => void
}

const TABLES = `
CREATE TABLE IF NOT EXISTS hub (uuid TEXT NOT NULL, changes INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS file (
  place TEXT PRIMARY KEY, stamp TEXT NOT NULL, number INTEGER NOT NULL, bytes INTEGER NOT NULL, chain BLOB NOT NULL,
  original_bytes INTEGER NOT NULL, original_sha256 BLOB NOT NULL, secrets TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS label (hash TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS remote (folder TEXT PRIMARY KEY, remotes TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS folder (place TEXT PRIMARY KEY, folder TEXT NOT NULL) STRICT, WITHOUT ROWID;`

/** Opens what is remembered of a hub, or makes it, readable for the user only. Throws `StoreError`. */
export function openPushState(path: string): PushState {
  const db = openDatabase(path)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec(TABLES)
  return {
    hub: () => {
      const row = db.prepare('SELECT uuid, changes FROM hub').get()
      return row === undefined ? null : { hub: String(row['uuid']), changes: Number(row['changes']) }
    },
    keepHub: (hub, changes) => {
      db.exec('DELETE FROM hub')
      db.prepare('INSERT INTO hub (uuid, changes) VALUES (?, ?)').run(hub, changes)
    },
    clear: () => db.exec('DELETE FROM hub; DELETE FROM file; DELETE FROM label'),
    files: () => filesIn(db),
    keep: files => keepFiles(db, files),
    drop: places => {
      for (const place of places) db.prepare('DELETE FROM file WHERE place = ?').run(place)
    },
    remotes: folder => {
      const row = db.prepare('SELECT remotes FROM remote WHERE folder = ?').get(folder)
      return row === undefined
        ? null
        : String(row['remotes'])
            .split('\n')
            .filter(remote => remote !== '')
    },
    keepRemotes: (folder, remotes) =>
      db
        .prepare('INSERT OR REPLACE INTO remote (folder, remotes) VALUES (?, ?)')
        .run(folder, remotes.join('\n')),
    folders: () => {
      const rows = db.prepare('SELECT place, folder FROM folder').all()
      return new Map(rows.map(row => [String(row['place']), String(row['folder'])]))
    },
    keepFolder: (place, folder) =>
      db.prepare('INSERT OR REPLACE INTO folder (place, folder) VALUES (?, ?)').run(place, folder),
    labels: () => {
      const row = db.prepare('SELECT hash FROM label').get()
      return row === undefined ? null : String(row['hash'])
    },
    keepLabels: hash => {
      db.exec('DELETE FROM label')
      db.prepare('INSERT INTO label (hash) VALUES (?)').run(hash)
    },
    transact: work => db.transact(work),
    close: () => db.close(),
  }
}

function filesIn(db: Database): ReadonlyMap<string, SentFile> {
  const rows = db.prepare('SELECT * FROM file').all()
  return new Map(
    rows.map(row => {
      const place = String(row['place'])
      const file: SentFile = {
        place,
        stamp: String(row['stamp']),
        number: Number(row['number']),
        bytes: Number(row['bytes']),
        chain: bytesOf(row['chain']),
        originalBytes: Number(row['original_bytes']),
        originalSha256: bytesOf(row['original_sha256']),
        secrets: typeof row['secrets'] === 'string' ? JSON.parse(row['secrets']) : null,
      }
      return [place, file]
    }),
  )
}

function bytesOf(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0)
}

function keepFiles(db: Database, files: readonly SentFile[]): void {
  const insert = db.prepare(
    `INSERT OR REPLACE INTO file (place, stamp, number, bytes, chain, original_bytes, original_sha256, secrets)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { place, stamp, number, bytes, chain, originalBytes, originalSha256, secrets } of files) {
    const found = secrets === null ? null : JSON.stringify(secrets)
    insert.run(place, stamp, number, bytes, chain, originalBytes, originalSha256, found)
  }
}
