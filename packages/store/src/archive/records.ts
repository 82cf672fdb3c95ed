/** K3: what the archive knows of files: their versions, and the runs that a version's bytes are made of. */
import { join } from 'node:path'
import type { Database } from '../db/driver.js'
import type { Place } from './blocks.js'
import type { Range } from './ranges.js'
import { bytesIn, columnsOf, numberIn, textCell, textOrNull } from './schema.js'

/** A file by the place it was found at. */
export interface FileRecord {
  readonly id: number
  /** Absolute path. */
  readonly place: string
  /** Absolute path of the folder it was found under. */
  readonly root: string
  readonly kind: string
  readonly session: string | null
}

/** One state of a file. It gets longer when the file does; a file that was cut or replaced gets another version. */
export interface VersionRecord {
  readonly id: number
  readonly file: number
  /** From 1. */
  readonly number: number
  readonly bytes: number
  /** Milliseconds since 1970, with fractions. */
  readonly mtime: number
  /** When it was last read, in milliseconds since 1970. */
  readonly taken: number
  /** Of all its bytes. */
  readonly sha256: Uint8Array
  /** The file's stat when it was read, or a word that no stat equals. */
  readonly stamp: string
}

/** A range of a version's bytes that lies in one block. */
export interface Run extends Place {
  /** Offset in the version. */
  readonly position: number
}

/** What is written of a new or grown version. */
export type Written = Omit<VersionRecord, 'id' | 'file' | 'number'>

const FILE = columnsOf<FileRecord>({
  id: numberIn,
  place: textCell,
  root: textCell,
  kind: textCell,
  session: textOrNull,
})

const VERSION = columnsOf<VersionRecord>({
  id: numberIn,
  file: numberIn,
  number: numberIn,
  bytes: numberIn,
  mtime: numberIn,
  taken: numberIn,
  sha256: bytesIn,
  stamp: textCell,
})

const RUN = columnsOf<Run>({ position: numberIn, block: numberIn, start: numberIn, length: numberIn })

/** All files, in order of their places. */
export function allFiles(db: Database): readonly FileRecord[] {
  return db.prepare(`SELECT ${FILE.list} FROM file ORDER BY place`).all().map(FILE.read)
}

/** The file at an absolute path. */
export function fileAt(db: Database, place: string): FileRecord | null {
  const row = db.prepare(`SELECT ${FILE.list} FROM file WHERE place = ?`).get(place)
  return row === undefined ? null : FILE.read(row)
}

/**
 * Notes a file, or what is known of it now. Of two roots that it was found under the upper one stays: seen from there
 * its path says more.
 */
export function noteFile(db: Database, file: Omit<FileRecord, 'id' | 'place'>, path: string): number {
  const place = join(file.root, path)
  const known = fileAt(db, place)
  if (known === null) {
    return db
      .prepare('INSERT INTO file (place, root, kind, session) VALUES (?, ?, ?, ?)')
      .insert(place, file.root, file.kind, file.session)
  }
  const isNews = known.root !== file.root || known.session !== file.session || known.kind !== file.kind
  if (isNews && file.root.length <= known.root.length) {
    db.prepare('UPDATE file SET root = ?, kind = ?, session = ? WHERE id = ?').run(
      file.root,
      file.kind,
      file.session ?? known.session,
      known.id,
    )
  }
  return known.id
}

/** What tells whether a file has to be looked at. */
export interface Known {
  readonly root: string
  /** Of the last version. */
  readonly stamp: string
}

/** What is known of each file that was read from disk, by place. */
export function allKnown(db: Database): ReadonlyMap<string, Known> {
  const rows = db
    .prepare(
      `SELECT place, root, stamp FROM file JOIN version ON version.file = file.id
       WHERE number = (SELECT max(number) FROM version WHERE file = file.id AND stamp <> ?)`,
    )
    .all(MIRRORED)
  return new Map(
    rows.map(row => [textCell(row, 'place'), { root: textCell(row, 'root'), stamp: textCell(row, 'stamp') }]),
  )
}

/** All versions of all files, in order of file and number. */
export function allVersions(db: Database): readonly VersionRecord[] {
  return db.prepare(`SELECT ${VERSION.list} FROM version ORDER BY file, number`).all().map(VERSION.read)
}

/** The versions of a file, the last one at the end. */
export function versionsOf(db: Database, file: number): readonly VersionRecord[] {
  return db
    .prepare(`SELECT ${VERSION.list} FROM version WHERE file = ? ORDER BY number`)
    .all(file)
    .map(VERSION.read)
}

/** The last version that was read from disk. */
export function lastVersion(db: Database, file: number): VersionRecord | null {
  return lastWhere(db, 'stamp <> ?', file)
}

/** K17: the version that a session store has written. */
export function mirroredVersion(db: Database, file: number): VersionRecord | null {
  return lastWhere(db, 'stamp = ?', file)
}

function lastWhere(db: Database, condition: string, file: number): VersionRecord | null {
  const row = db
    .prepare(
      `SELECT ${VERSION.list} FROM version WHERE ${condition} AND file = ? ORDER BY number DESC LIMIT 1`,
    )
    .get(MIRRORED, file)
  return row === undefined ? null : VERSION.read(row)
}

/** Adds a version behind those that a file has, without runs. */
export function addVersion(db: Database, file: number, written: Written): number {
  const number = nextNumber(db, file)
  const { bytes, mtime, taken, sha256, stamp } = written
  return db
    .prepare(
      'INSERT INTO version (file, number, bytes, mtime, taken, sha256, stamp) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .insert(file, number, bytes, mtime, taken, sha256, stamp)
}

function nextNumber(db: Database, file: number): number {
  const last = db.prepare('SELECT ifnull(max(number), 0) AS number FROM version WHERE file = ?').get(file)
  return numberIn(last, 'number') + 1
}

/** Notes that a version has grown, or that its file was seen again. What has grown last is the last one. */
export function renewVersion(db: Database, version: number, written: Written): void {
  const { bytes, mtime, taken, sha256, stamp } = written
  db.prepare(
    `UPDATE version SET number = (SELECT max(number) + 1 FROM version AS other WHERE other.file = version.file)
     WHERE id = ? AND bytes < ?
     AND number < (SELECT max(number) FROM version AS other WHERE other.file = version.file)`,
  ).run(version, bytes)
  db.prepare('UPDATE version SET bytes = ?, mtime = ?, taken = ?, sha256 = ?, stamp = ? WHERE id = ?').run(
    bytes,
    mtime,
    taken,
    sha256,
    stamp,
    version,
  )
}

/** Notes that a version cannot be read whole, so that the file is stored again while it is there. */
export function markDamaged(db: Database, version: number): void {
  db.prepare('UPDATE version SET stamp = ? WHERE id = ? AND stamp <> ?').run(DAMAGED, version, MIRRORED)
}

/** The stamp of a version that cannot be read whole. */
export const DAMAGED = 'damaged'

/** K17: the stamp of a version that a session store has written: there is no file on disk that it was read from. */
export const MIRRORED = 'mirrored'

/** Appends runs to a version. */
export function addRuns(db: Database, version: number, runs: readonly Run[]): void {
  const insert = db.prepare(
    'INSERT INTO run (version, position, block, start, length) VALUES (?, ?, ?, ?, ?)',
  )
  for (const { position, block, start, length } of runs) insert.run(version, position, block, start, length)
}

/** Takes away the runs of a damaged version, before others with the same bytes take their place. */
export function dropRuns(db: Database, version: number): void {
  db.prepare('DELETE FROM run WHERE version = ?').run(version)
}

/** The runs of a version, in order. */
export function runsOf(db: Database, version: number): readonly Run[] {
  const query = `SELECT ${RUN.list} FROM run WHERE version = ? ORDER BY position`
  return db.prepare(query).all(version).map(RUN.read)
}

/** A range of a block that a version of a file uses. */
interface Use extends Range {
  readonly file: number
  readonly session: string | null
  readonly block: number
}

/** What the versions of all files use. */
export function* allUses(db: Database): Generator<Use> {
  const query = `SELECT file.id AS file, session, block, start, length FROM run
    JOIN version ON version.id = run.version JOIN file ON file.id = version.file`
  for (const row of db.prepare(query).each()) {
    const start = numberIn(row, 'start')
    const end = start + numberIn(row, 'length')
    const [file, session] = [numberIn(row, 'file'), textOrNull(row, 'session')]
    yield { file, session, block: numberIn(row, 'block'), start, end }
  }
}

/** The files of any root whose path below it begins with something, in order of root and path. */
export function filesBelow(db: Database, beginning: string): readonly FileRecord[] {
  const query = `SELECT ${FILE.list} FROM file WHERE substr(place, length(root) + 2, ?) = ? ORDER BY root, place`
  return db.prepare(query).all(beginning.length, beginning).map(FILE.read)
}

/** Deletes a file with its versions and runs. */
export function deleteFile(db: Database, file: number): void {
  db.prepare('DELETE FROM run WHERE version IN (SELECT id FROM version WHERE file = ?)').run(file)
  db.prepare('DELETE FROM version WHERE file = ?').run(file)
  db.prepare('DELETE FROM file WHERE id = ?').run(file)
}

/** Deletes the files of a session with their versions and runs. */
export function deleteFiles(db: Database, session: string): void {
  const files = 'SELECT id FROM file WHERE session = ?'
  db.prepare(`DELETE FROM run WHERE version IN (SELECT id FROM version WHERE file IN (${files}))`).run(
    session,
  )
  db.prepare(`DELETE FROM version WHERE file IN (${files})`).run(session)
  db.prepare('DELETE FROM file WHERE session = ?').run(session)
}
