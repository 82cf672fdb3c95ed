/** Rows read again by their locations: the index and the graph keep locations, not texts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { GIANT_ROW, REDUCE_LIMITS, RowReducer } from '@dagline/core/files'
import { failureOf, StoreError } from './failures.js'
import { type ByteSource, openFile } from './source.js'

export interface RangeReader {
  /** The bytes at a location as text; null where they cannot be read. A giant row is reduced: long strings are cut. */
  readonly read: (
    root: string,
    path: string,
    at: { readonly offset: number; readonly length: number },
  ) => string | null
  /** Files of which something could not be read, by their paths, each with a message. */
  readonly unread: ReadonlyMap<string, string>
  readonly close: () => void
}

const MOST_OPEN = 32
const PIECE = 1024 * 1024
/** Bytes that are read at once where ranges follow each other, as they do when a session is walked in its order. */
const AHEAD = 256 * 1024
/** Ranges with at most so many bytes between them follow each other. */
const NEAR = 64 * 1024

/** An open file, and the bytes of it that were read ahead. */
interface Opened {
  readonly file: ByteSource
  ahead: Buffer
  /** Where `ahead` begins in the file. */
  start: number
  /** Where the last range ended. */
  end: number
}

/** Opens files as they are asked for, those that are not on disk with `elsewhere`. */
export function openRangeReader(elsewhere: (path: string) => ByteSource | null = () => null): RangeReader {
  return readRanges(path => (existsSync(path) ? openFile(path) : elsewhere(path)))
}

/** The same for files that are not on this machine, whatever lies at their paths. */
export function openPushedRanges(open: (path: string) => ByteSource | null): RangeReader {
  return readRanges(open)
}

function readRanges(open: (path: string) => ByteSource | null): RangeReader {
  const files = new Map<string, Opened>()
  const unread = new Map<string, string>()
  const pathOf = rememberingLast(join)
  const close = (): void => {
    for (const { file } of files.values()) file.close()
    files.clear()
  }
  return {
    close,
    unread,
    read: (root, path, { offset, length }) => {
      const full = pathOf(root, path)
      try {
        if (files.size >= MOST_OPEN && !files.has(full)) close()
        const opened = files.get(full) ?? openAt(full, open)
        files.set(full, opened)
        return length > GIANT_ROW ? readGiant(opened.file, offset, length) : readSpan(opened, offset, length)
      } catch (error) {
        const isOurs = error instanceof StoreError
        unread.set(full, isOurs ? error.message : failureOf(error, path, 'file').message)
        return null
      }
    },
  }
}

/** The same function of a file, which knows its last result: rows are read in the order of their files. */
export function rememberingLast<T>(
  get: (root: string, path: string) => T,
): (root: string, path: string) => T {
  let last: { readonly root: string; readonly path: string; readonly value: T } | null = null
  return (root, path) => {
    if (last === null || last.path !== path || last.root !== root)
      last = { root, path, value: get(root, path) }
    return last.value
  }
}

function openAt(path: string, open: (path: string) => ByteSource | null): Opened {
  const file = open(path)
  if (file === null) throw new StoreError('unreachable', 'The file is not there any more.')
  return { file, ahead: Buffer.alloc(0), start: 0, end: -NEAR - 1 }
}

function readSpan(opened: Opened, offset: number, length: number): string {
  const { ahead, start, end } = opened
  const isAhead = offset >= start && offset + length <= start + ahead.length
  if (!isAhead) {
    const follows = offset >= end && offset - end <= NEAR
    // What was there when the file was opened must still be there: a file that was cut is noticed wherever it is read.
    const most = follows ? Math.min(AHEAD, opened.file.size - offset) : length
    opened.ahead = readBytes(opened.file, offset, Math.max(length, most))
    opened.start = offset
  }
  opened.end = offset + length
  return opened.ahead.toString('utf8', offset - opened.start, offset - opened.start + length)
}

function readBytes(file: ByteSource, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  for (let got = 0; got < length; ) got += some(file.read(buffer, got, length - got, offset + got))
  return buffer
}

/** P6: a row too large to hold is reduced. */
function readGiant(file: ByteSource, offset: number, length: number): string {
  const reducer = new RowReducer(REDUCE_LIMITS)
  const buffer = Buffer.allocUnsafe(PIECE)
  for (let at = 0; at < length; ) {
    const got = some(file.read(buffer, 0, Math.min(PIECE, length - at), offset + at))
    reducer.write(buffer, 0, got)
    at += got
  }
  return reducer.end()
}

/** A location that was read before has as many bytes now, unless the file was cut. */
function some(got: number): number {
  if (got === 0) throw new StoreError('unreachable', 'The file was cut since it was read.')
  return got
}
