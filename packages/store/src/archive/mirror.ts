/**
 * K17: files of the archive that a session store writes. Such a file has a version of its own, which only gets longer, beside
 * those that were read from disk: what the SDK gives and what Claude Code has written are the same entries, not the same bytes.
 */
import { hash } from 'node:crypto'
import { join, sep } from 'node:path'
import type { Database } from '../db/driver.js'
import { StoreError } from '../files/failures.js'
import { bytesSource } from '../files/source.js'
import { readVersion } from './archive.js'
import { BlockReader, BlockWriter } from './blocks.js'
import { eraseUnused } from './erase.js'
import { erasuresIn, finishErasure, markedSessions, noteErasure } from './marks.js'
import { cutPieces } from './pieces.js'
import { rangesByBlock } from './ranges.js'
import {
  addRuns,
  addVersion,
  allUses,
  deleteFile,
  dropRuns,
  type FileRecord,
  fileAt,
  filesBelow,
  lastVersion,
  MIRRORED,
  mirroredVersion,
  noteFile,
  type Run,
  renewVersion,
  runsOf,
  type VersionRecord,
} from './records.js'

/** A file that is written: where Claude Code would have it. */
export interface MirroredFile {
  /** Absolute path of the root that a new file is below. */
  readonly root: string
  /** Relative to it, with the separator of the system. */
  readonly path: string
  readonly kind: string
  readonly session: string
}

/** What the archive has of a file. */
export interface MirroredState {
  /** Another number where it was deleted and written again. */
  readonly id: number
  readonly bytes: number
  readonly mtime: number
}

/** A file of the archive, and when it was written to last, in milliseconds since 1970. */
interface MirrorListed {
  /** Relative to its root, with the separator of the system. */
  readonly path: string
  readonly mtime: number
}

/**
 * The archive as a place for files that are appended to. A file that is not below the given root may be below another one: an
 * archive may come from another machine. Functions throw `StoreError`.
 */
export interface Mirror {
  /** What there is of a file; null where there is nothing. */
  readonly at: (file: Pick<MirroredFile, 'root' | 'path'>) => MirroredState | null
  /** Its bytes from a position on. */
  readonly bytesFrom: (state: MirroredState, position: number) => Buffer
  /** Does something as one change: all of it happens, or nothing. */
  readonly change: <T>(work: () => T) => T
  /** Appends bytes to a file, within `change`. `sha256` is that of all its bytes then. */
  readonly append: (file: MirroredFile, bytes: Buffer, sha256: Buffer) => MirroredState
  /** Gives a file other bytes, within `change`. */
  readonly replace: (file: MirroredFile, bytes: Buffer) => void
  /** Deletes files by their paths, with all bytes that no other file has. Throws where their session is held. */
  readonly remove: (root: string, paths: readonly string[]) => void
  /** The files whose path begins with something, each once. */
  readonly list: (root: string, beginning: string) => readonly MirrorListed[]
}

/** Opens an archive that can be added to as such a place. */
export function mirrorOn(db: Database): Mirror {
  let writer: BlockWriter | null = null
  let erasures = -1
  const writerNow = (): BlockWriter => {
    const { count } = erasuresIn(db)
    // What another process erased is not to be written back.
    if (writer === null || count !== erasures) writer = new BlockWriter(db, new BlockReader(db))
    erasures = count
    return writer
  }
  const versionOf = ({ id }: FileRecord): VersionRecord | null =>
    mirroredVersion(db, id) ?? lastVersion(db, id)
  const write = (version: number, position: number, bytes: Buffer): void => {
    const used = writerNow()
    used.begin()
    addRuns(db, version, storedRuns(used, position, bytes))
    used.flush()
  }
  return {
    at: ({ root, path }) => {
      const file = findFile(db, root, path)
      return file === null ? null : versionOf(file)
    },
    bytesFrom: (state, position) => bytesFrom(db, state, position),
    change: work => {
      try {
        return db.transact(work)
      } catch (error) {
        // What it has in memory of the last block was not written.
        writer = null
        throw error
      }
    },
    append: (file, bytes, sha256) => {
      refuseForgotten(db, file.session)
      const id = fileFor(db, file)
      const base = mirroredVersion(db, id) ?? lastVersion(db, id)
      const length = (base?.bytes ?? 0) + bytes.length
      const written = { ...writtenNow(base, length), sha256 }
      const isOurs = base?.stamp === MIRRORED
      const version = isOurs ? base.id : addVersion(db, id, written)
      if (isOurs) renewVersion(db, version, written)
      else if (base !== null) addRuns(db, version, runsOf(db, base.id))
      write(version, base?.bytes ?? 0, bytes)
      return { id: version, bytes: length, mtime: written.mtime }
    },
    replace: (file, bytes) => {
      const id = fileFor(db, file)
      const base = mirroredVersion(db, id)
      const written = { ...writtenNow(base, bytes.length), sha256: hash('sha256', bytes, 'buffer') }
      const version = base === null ? addVersion(db, id, written) : base.id
      if (base !== null) renewVersion(db, version, written)
      dropRuns(db, version)
      write(version, 0, bytes)
    },
    remove: (root, paths) =>
      removeFiles(
        db,
        paths.flatMap(path => findFile(db, root, path) ?? []),
      ),
    list: (root, beginning) => {
      const found = new Map<string, FileRecord>()
      for (const file of filesBelow(db, beginning)) {
        const path = pathOf(file)
        if (file.root === root || !found.has(path)) found.set(path, file)
      }
      return [...found].map(([path, file]) => ({ path, mtime: versionOf(file)?.mtime ?? 0 }))
    },
  }
}

function pathOf({ place, root }: FileRecord): string {
  return place.slice(root.endsWith(sep) ? root.length : root.length + 1)
}

/** The file below a root; where there is none, the one with the same path below another root. */
function findFile(db: Database, root: string, path: string): FileRecord | null {
  const own = fileAt(db, join(root, path))
  return own ?? filesBelow(db, path).find(file => pathOf(file) === path) ?? null
}

/** The number of the file that there is, or of a new one. */
function fileFor(db: Database, file: MirroredFile): number {
  return findFile(db, file.root, file.path)?.id ?? noteFile(db, file, file.path)
}

/** Times do not go back, whatever the clock does. */
function writtenNow(
  base: VersionRecord | null,
  bytes: number,
): Omit<VersionRecord, 'id' | 'file' | 'number' | 'sha256'> {
  const now = Math.max(Date.now(), Math.ceil(base?.mtime ?? 0))
  return { bytes, mtime: now, taken: now, stamp: MIRRORED }
}

function storedRuns(writer: BlockWriter, from: number, bytes: Buffer): readonly Run[] {
  const runs: Run[] = []
  let position = from
  const source = bytesSource(bytes)
  for (const piece of cutPieces(source, { from: 0, to: bytes.length, rows: true })) {
    runs.push({ position, ...writer.put(piece) })
    position += piece.length
  }
  return runs
}

function bytesFrom(db: Database, state: MirroredState, position: number): Buffer {
  const source = readVersion(db, new BlockReader(db), state)
  const bytes = Buffer.alloc(Math.max(0, source.size - position))
  for (let done = 0; done < bytes.length; )
    done += source.read(bytes, done, bytes.length - done, position + done)
  return bytes
}

function refuseForgotten(db: Database, session: string): void {
  if (!markedSessions(db, 'forgotten').some(mark => mark.session === session)) return
  throw new StoreError(
    'unreachable',
    `Session ${session} was forgotten, so it is not stored. Run \`dagline archive --again ${session}\` to store it again.`,
  )
}

function removeFiles(db: Database, found: readonly FileRecord[]): void {
  if (found.length === 0) return
  const held = markedSessions(db, 'held').find(mark => found.some(({ session }) => session === mark.session))
  if (held !== undefined)
    throw new StoreError(
      'unreachable',
      `Session ${held.session} is held, so it is not deleted. Run \`dagline archive hold ${held.session} --release\` first.`,
    )
  db.transact(() => {
    const chosen = new Set(found.map(({ id }) => id))
    const blocks = rangesByBlock(allUses(db), ({ file }) => chosen.has(file))
    for (const { id } of found) deleteFile(db, id)
    eraseUnused(db, new Set(blocks.keys()))
    noteErasure(db)
  })
  try {
    finishErasure(db)
  } catch (error) {
    // The next run of `keep` removes the traces, and says so where it cannot.
    if (!(error instanceof StoreError)) throw error
  }
}
