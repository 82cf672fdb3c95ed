/**
 * K5: one original file, taken as it is at one moment: writers go on writing while it is read, and what is stored must be
 * bytes that it really had.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import type { ByteSource } from '../files/source.js'
import type { Place } from './blocks.js'
import { cutPieces } from './pieces.js'
import type { Run } from './records.js'

/** What the archive has of a file that may have grown. */
interface Base {
  readonly bytes: number
  readonly sha256: Uint8Array
}

/** How a file is taken. */
interface Take {
  /** What is there already, if anything. */
  readonly base: Base | null
  /** Whether the bytes of the base must be stored again all the same: the archive is damaged there. */
  readonly isBaseBad: boolean
  /** Whether it is cut at rows. */
  readonly rows: boolean
  readonly store: (piece: Buffer) => Place
}

/** A file that was taken. */
export interface Taken {
  /** As it was when reading began; its first `size` bytes were stored. */
  readonly stats: Stats
  readonly sha256: Buffer
  /** Whether it begins with all of the base. */
  readonly isGrown: boolean
  /** Those behind a good base, else all. */
  readonly runs: readonly Run[]
}

const ATTEMPTS = 3
const CHUNK = 1024 * 1024

/**
 * Reads a file and stores its pieces. It yields after each, so that the caller can commit in between. Null where
 * the file was rewritten each time while it was read. Throws what the file system throws.
 */
export function* takeOriginal(path: string, take: Take): Generator<void, Taken | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Opened again each time: it may have been replaced.
    const file = openSync(path, 'r')
    try {
      const taken = yield* takeOnce(file, take)
      if (taken !== null) return taken
    } finally {
      closeSync(file)
    }
  }
  return null
}

function* takeOnce(file: number, take: Take): Generator<void, Taken | null> {
  const stats = fstatSync(file)
  const source = sourceOf(file, stats)
  const begun = yield* beginHash(source, take.base)
  const isKept = begun !== null && !take.isBaseBad
  const from = isKept ? (take.base?.bytes ?? 0) : 0
  const hash = isKept ? begun : createHash('sha256')
  const runs: OpenRun[] = []
  let position = from
  for (const piece of cutPieces(source, { from, to: stats.size, rows: take.rows })) {
    hash.update(piece)
    addPlace(runs, position, take.store(piece))
    position += piece.length
    yield
  }
  const sha256 = hash.digest()
  const isWhole = position === stats.size && (yield* isStill(file, stats, sha256))
  return isWhole ? { stats, sha256, isGrown: begun !== null, runs } : null
}

function sourceOf(file: number, { size, mtimeMs, ino }: Stats): ByteSource {
  return {
    size,
    mtime: mtimeMs,
    inode: ino,
    read: (buffer, offset, length, position) => readSync(file, buffer, offset, length, position),
    close: () => {},
  }
}

/** The hash of the base's bytes, to go on with; null unless the file begins with exactly those. */
function* beginHash(source: ByteSource, base: Base | null): Generator<void, Hash | null> {
  if (base === null || base.bytes > source.size) return null
  const hash = yield* hashFirst(source, base.bytes)
  return hash?.copy().digest().equals(base.sha256) ? hash : null
}

/** The hash of the first bytes; null where there are fewer. */
function* hashFirst(source: ByteSource, count: number): Generator<void, Hash | null> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(count, 1)))
  for (let position = 0; position < count; ) {
    const got = source.read(buffer, 0, Math.min(buffer.length, count - position), position)
    if (got === 0) return null
    hash.update(buffer.subarray(0, got))
    position += got
    yield
  }
  return hash
}

/** Whether the file still begins with what was read: only where it was written meanwhile it is read once more. */
function* isStill(file: number, before: Stats, sha256: Buffer): Generator<void, boolean> {
  const now = fstatSync(file)
  if (stampOf(now) === stampOf(before)) return true
  if (now.size < before.size) return false
  const hash = yield* hashFirst(sourceOf(file, now), before.size)
  return hash?.digest().equals(sha256) ?? false
}

/** What a stat says of a file's content. The change time is in it because the other times can be set. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`
}

type OpenRun = { -readonly [Key in keyof Run]: Run[Key] }

function addPlace(runs: OpenRun[], position: number, { block, start, length }: Place): void {
  const last = runs.at(-1)
  const isNext = last !== undefined && last.block === block && last.start + last.length === start
  if (isNext) last.length += length
  else runs.push({ position, block, start, length })
}
