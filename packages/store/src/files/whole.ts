/**
 * E17: sources of edits and exports: files that were read from their first byte to their last. What was parsed proves nothing
 * about the bytes that were not, so a fingerprint of the bytes is taken while they are read, and the file on disk is
 * compared with it before anything is written.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { adviceFor, codeOf, reasonFor, StoreError } from './failures.js'
import { type ByteSource, openFile } from './source.js'

/** The bytes of a file that was read whole. */
export interface Fingerprint {
  readonly size: number
  /** sha256 in hex. */
  readonly hash: string
}

declare const isWhole: unique symbol

/**
 * The files of a project, each of which was read whole. Only `wholeSources` makes one, and edits are written from
 * nothing else.
 */
export interface WholeSources {
  readonly [isWhole]: true
  readonly root: string
  /** By their paths below the root. */
  readonly files: ReadonlyMap<string, Fingerprint>
}

/** The sources of edits in a root. Throws `StoreError` where one of the files was not read whole. */
export function wholeSources(root: string, files: ReadonlyMap<string, Fingerprint | null>): WholeSources {
  for (const [path, fingerprint] of files)
    if (fingerprint === null) throw notWhole(join(root, path), 'it was not read to its end')
  return { root, files } as WholeSources
}

/** A source whose bytes are hashed as they pass, from the first one on. */
interface Fingerprinting extends ByteSource {
  /** The fingerprint; null unless all bytes that were there when it was opened have passed in order. */
  readonly fingerprint: () => Fingerprint | null
}

/** Takes the fingerprint of a source while it is read. */
export function takeFingerprint(source: ByteSource): Fingerprinting {
  const hash = createHash('sha256')
  let size = 0
  let isInOrder = true
  return {
    ...source,
    read: (buffer, offset, length, position) => {
      const got = source.read(buffer, offset, length, position)
      if (position === size) hash.update(buffer.subarray(offset, offset + got))
      else isInOrder = false
      size += got
      return got
    },
    fingerprint: () => (isInOrder && size >= source.size ? { size, hash: hash.copy().digest('hex') } : null),
  }
}

/** A source that was compared with its fingerprint. Its errors name the file. */
interface VerifiedSource extends ByteSource {
  /** Throws `StoreError` unless the file still begins with the bytes that were read. */
  readonly verify: () => void
}

/**
 * Opens a file of an edit and compares it with what was read before. A file may have grown since: rows are only ever
 * added. Throws `StoreError` where it cannot be read, or has changed otherwise.
 */
export function openSource(sources: WholeSources, path: string): VerifiedSource {
  const place = join(sources.root, path)
  const fingerprint = sources.files.get(path)
  if (fingerprint === undefined) throw notWhole(place, 'it is not among the files that were read')
  const source = readingSource(place, () => openFile(place))
  const read: ByteSource['read'] = (...words) => readingSource(place, () => source.read(...words))
  const verify = (): void => {
    if (hashStart(read, fingerprint.size) !== fingerprint.hash)
      throw notWhole(place, 'it was changed or cut after it was read')
  }
  try {
    verify()
  } catch (error) {
    source.close()
    throw error
  }
  return { ...source, read, verify }
}

/** Compares files with their fingerprints, or all of them; throws `StoreError` at the first that differs. */
export function verifySources(sources: WholeSources, paths: Iterable<string> = sources.files.keys()): void {
  for (const path of paths) openSource(sources, path).close()
}

const CHUNK = 1024 * 1024

/** The sha256 of the first bytes; null where there are fewer. */
function hashStart(read: ByteSource['read'], size: number): string | null {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(size, 1)))
  for (let position = 0; position < size; ) {
    const got = read(buffer, 0, Math.min(buffer.length, size - position), position)
    if (got === 0) return null
    hash.update(buffer.subarray(0, got))
    position += got
  }
  return hash.digest('hex')
}

/** Runs work on a source file and turns errors of the file system into a message about this file. */
export function readingSource<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (error instanceof StoreError || code === null) throw error
    throw notWhole(path, reasonFor(error), adviceFor(code), error)
  }
}

/** Nothing is written from a file that was not read whole. */
export function notWhole(
  path: string,
  why: string,
  advice: string = adviceFor(null),
  cause?: unknown,
): StoreError {
  return new StoreError(
    'unreachable',
    `Nothing was written, because ${path} could not be read whole: ${why}. ${advice}`,
    cause,
  )
}

/**
 * The bytes of a file in order; the buffer is used again for the next ones. Throws `StoreError` where it cannot be
 * read to its end.
 */
export function* chunksOf(path: string, from = 0): Generator<Buffer> {
  const file = readingSource(path, () => openFile(path))
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    let position = from
    for (;;) {
      const got = readingSource(path, () => file.read(buffer, 0, CHUNK, position))
      if (got === 0) break
      position += got
      yield buffer.subarray(0, got)
    }
    if (position < file.size) throw notWhole(path, 'it was cut while it was read')
  } finally {
    file.close()
  }
}
