/** The archive as its readers see it: which files it holds, and their bytes. */
import { join, sep } from 'node:path'
import { type FileId, fileId, type SessionId, sessionId } from '@dagline/core'
import { groupBy } from '@dagline/core/model'
import type { Database, OpenOptions } from '../db/driver.js'
import type { FoundRoot } from '../files/discover.js'
import { StoreError } from '../files/failures.js'
import { dataFolder } from '../files/folders.js'
import type { ByteSource } from '../files/source.js'
import { BlockReader, damagedBlock } from './blocks.js'
import { forgetSessions } from './forget.js'
import { type KeepOptions, type KeepProgress, type KeepResult, keepFiles } from './keep.js'
import { type MarkedSession, markedSessions, markSession, unmarkSession } from './marks.js'
import {
  allFiles,
  allVersions,
  type FileRecord,
  fileAt,
  MIRRORED,
  type Run,
  runsOf,
  type VersionRecord,
  versionsOf,
} from './records.js'
import { hasMarks, isArchive, openToRead, openToWrite } from './schema.js'

/** A file that the archive holds, as it was when it was last read. */
export interface ArchivedFile {
  readonly id: number
  /** Absolute path of the folder it was found under, links resolved. */
  readonly root: string
  /** Relative to the root, with `/`. */
  readonly path: FileId
  /** As discovery named it: `session`, `agent`, `meta`, `tool-result` and so on. */
  readonly kind: string
  readonly session: SessionId | null
  readonly bytes: number
  /** Milliseconds since 1970, with fractions. */
  readonly mtime: number
  /** Hexadecimal. */
  readonly sha256: string
  /** K17: a session store wrote it: its entries are those of the original, its bytes need not be. */
  readonly isMirrored: boolean
  /** How many states of it are kept: more than one where it was cut or replaced. */
  readonly versions: number
}

/** One state of a file. Growing makes a version longer; a file that was cut or replaced has a further one. */
export interface ArchivedVersion {
  /** From 1. */
  readonly number: number
  readonly bytes: number
  readonly mtime: number
  /** When it was read, in milliseconds since 1970. */
  readonly taken: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** An open archive. Every function throws `StoreError` where the file cannot be read. */
export interface Archive {
  readonly path: string
  /** All files, in order of root and path. */
  readonly list: () => readonly ArchivedFile[]
  /** The states of a file, the last one at the end. */
  readonly versions: (file: ArchivedFile) => readonly ArchivedVersion[]
  /** The bytes of a file, of its last version unless a number is given. Blocks are unpacked as they are needed. */
  readonly read: (file: ArchivedFile, version?: number) => ByteSource
  /** The bytes of the file that was at a path (absolute, links in its root resolved), or null. */
  readonly at: (place: string) => ByteSource | null
  /** Sessions that were forgotten: they are not kept again. */
  readonly forgotten: () => readonly MarkedSession[]
  /** Sessions that may not be forgotten. */
  readonly held: () => readonly MarkedSession[]
  readonly close: () => void
  /** For the modules of the archive only. */
  readonly db: Database
}

/** An archive that can be added to. */
export interface ArchiveWriter extends Archive {
  /** Brings it up to date with what discovery found, batch by batch. */
  readonly keep: (roots: readonly FoundRoot[], options?: KeepOptions) => Generator<KeepProgress, KeepResult>
  /**
   * Removes sessions with all bytes that no other session has. Returns why traces of them may be left in unused pages, or
   * null. It does not ask whether they are held.
   */
  readonly forget: (sessions: readonly SessionId[], now: number) => StoreError | null
  /** Keeps a forgotten session again from the next `keep` on. */
  readonly keepAgain: (session: SessionId) => void
  readonly hold: (session: SessionId, now: number) => void
  readonly release: (session: SessionId) => void
}

/** The path of the archive, unless another one is given. */
export function archivePath(): string {
  return process.env['DAGLINE_ARCHIVE'] || join(dataFolder(), 'archive.db')
}

/** Whether there is an archive to read. */
export function hasArchive(path: string = archivePath()): boolean {
  return isArchive(path)
}

/** Opens an archive that is there. Throws `StoreError`. */
export function openArchive(path: string = archivePath(), options: OpenOptions = {}): Archive {
  return archiveOn(openToRead(path, options))
}

/** Opens an archive to be added to, or makes it. Throws `StoreError`. */
export function openArchiveWriter(path: string = archivePath(), options: OpenOptions = {}): ArchiveWriter {
  const db = openToWrite(path, options)
  return {
    ...archiveOn(db),
    keep: (roots, keepOptions) => keepFiles(db, roots, keepOptions),
    forget: (sessions, now) => forgetSessions(db, sessions, now),
    keepAgain: session => unmarkSession(db, 'forgotten', session),
    hold: (session, now) => markSession(db, 'held', session, now),
    release: session => unmarkSession(db, 'held', session),
  }
}

function archiveOn(db: Database): Archive {
  const blocks = new BlockReader(db)
  return {
    path: db.path,
    list: () => listFiles(db),
    versions: file => currentVersions(db, file).map(facts),
    read: (file, number) => {
      const versions = currentVersions(db, file)
      if (versions.length === 0) throw forgottenFile(file)
      const version = number === undefined ? versions.at(-1) : versions.find(each => each.number === number)
      if (version === undefined) throw new RangeError(`${file.path} has no version ${number ?? 1}`)
      return readVersion(db, blocks, version)
    },
    at: place => {
      const file = fileAt(db, place)
      const version = file === null ? undefined : versionsOf(db, file.id).at(-1)
      return version === undefined ? null : readVersion(db, blocks, version)
    },
    forgotten: () => (hasMarks(db) ? markedSessions(db, 'forgotten') : []),
    held: () => (hasMarks(db) ? markedSessions(db, 'held') : []),
    close: () => db.close(),
    db,
  }
}

/** By its path: since it was listed it may have been forgotten, and its number given to another file. */
function currentVersions(db: Database, { root, path }: ArchivedFile): readonly VersionRecord[] {
  const file = fileAt(db, (root.endsWith(sep) ? root : root + sep) + path.replaceAll('/', sep))
  return file === null ? [] : versionsOf(db, file.id)
}

function forgottenFile({ path }: ArchivedFile): StoreError {
  return new StoreError('unreachable', `The archive no longer has ${path}: its session was forgotten.`)
}

function listFiles(db: Database): ArchivedFile[] {
  const versions = groupBy(allVersions(db), ({ file }) => file)
  return allFiles(db).flatMap(file => {
    const own = versions.get(file.id) ?? []
    const last = own.at(-1)
    return last === undefined ? [] : [listed(file, last, own.length)]
  })
}

function listed(file: FileRecord, last: VersionRecord, versions: number): ArchivedFile {
  const { id, place, root, kind, session } = file
  const path = place.slice(root.endsWith(sep) ? root.length : root.length + 1)
  return {
    id,
    root,
    path: fileId(sep === '/' ? path : path.replaceAll(sep, '/')),
    kind,
    session: session === null ? null : sessionId(session),
    bytes: last.bytes,
    mtime: last.mtime,
    sha256: Buffer.from(last.sha256).toString('hex'),
    isMirrored: last.stamp === MIRRORED,
    versions,
  }
}

function facts({ number, bytes, mtime, taken, sha256 }: VersionRecord): ArchivedVersion {
  return { number, bytes, mtime, taken, sha256: Buffer.from(sha256).toString('hex') }
}

/** The bytes of a version. Throws `StoreError` where a block is damaged. */
export function readVersion(
  db: Database,
  blocks: BlockReader,
  version: Pick<VersionRecord, 'id' | 'bytes' | 'mtime'>,
): ByteSource {
  const runs = runsOf(db, version.id)
  let at = 0
  return {
    size: version.bytes,
    mtime: version.mtime,
    inode: 0,
    read: (buffer, offset, length, position) => {
      const most = Math.min(length, buffer.length - offset, version.bytes - position)
      let done = 0
      while (done < most) {
        at = findRun(runs, position + done, at)
        const got = copyRun(
          { db, blocks, run: runs[at] },
          buffer.subarray(offset + done, offset + most),
          position + done,
        )
        done += got
      }
      return done
    },
    close: () => {},
  }
}

interface Reach {
  readonly db: Database
  readonly blocks: BlockReader
  readonly run: Run | undefined
}

/** Copies what a run has from a position on. */
function copyRun({ db, blocks, run }: Reach, target: Uint8Array, position: number): number {
  if (run === undefined || position < run.position || position >= run.position + run.length) {
    throw damagedBlock(db, run?.block ?? 0)
  }
  const skipped = position - run.position
  const length = Math.min(target.length, run.length - skipped)
  const bytes = blocks.bytesAt({ block: run.block, start: run.start + skipped, length })
  if (bytes === null) throw damagedBlock(db, run.block)
  target.set(bytes)
  return length
}

/** The last run that begins at or before a position; reading usually goes on in the same run or the next. */
export function findRun(runs: readonly Pick<Run, 'position'>[], position: number, near: number): number {
  const isAt = (index: number): boolean =>
    position >= (runs[index]?.position ?? Number.POSITIVE_INFINITY) &&
    position < (runs[index + 1]?.position ?? Number.POSITIVE_INFINITY)
  if (isAt(near)) return near
  if (isAt(near + 1)) return near + 1
  let low = 0
  let high = runs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((runs[middle]?.position ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}
