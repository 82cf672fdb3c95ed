/** I8: what was read of a file, small enough to keep, and what happened to the file since. */
import { hash } from 'node:crypto'
import { type Stats, statSync } from 'node:fs'
import { codeOf } from './failures.js'
import type { ReadResult } from './rows.js'
import { type ByteSource, withFile } from './source.js'

/** A file as it was when it was last read. */
export interface FileState {
  /** Bytes that were there, those of an unfinished last row included. */
  readonly size: number
  /** Milliseconds since 1970, with fractions. */
  readonly mtime: number
  readonly inode: number
  /** Behind the last complete row, where the next reading starts. */
  readonly offset: number
  /** Number of the row that starts there, from 1. */
  readonly row: number
  /** Of the first bytes before `offset`, at most 4 KiB. */
  readonly headHash: string
  /** Of the last bytes before `offset`, at most 4 KiB: the end of the last complete row. */
  readonly tailHash: string
}

/**
 * What happened to a file since it was read. Only after `grown` reading may go on at `offset`; after `truncated` and
 * `replaced` it is read from the start.
 */
type FileChange = 'unchanged' | 'grown' | 'truncated' | 'replaced' | 'gone'

const WINDOW = 4096

/**
 * The state to keep after a reading. Size and time are those that the reading saw, so that whatever was written
 * meanwhile counts as a change. Throws what the file system throws.
 */
export function stateOf(path: string, read: ReadResult): FileState {
  const { offset, row } = read.next
  return {
    size: offset + (read.pending?.length ?? 0),
    mtime: read.mtime,
    inode: read.inode,
    offset,
    row,
    ...hashesOf(path, offset),
  }
}

/**
 * Compares a file with its state. One stat where size, time and inode are the same; else the bytes at the head and
 * before `offset` are compared too. Files are taken as written at their end: a change of bytes in the middle that
 * keeps both of these, together with growth, is not noticed. Throws where the file is there but cannot be read.
 */
export function changeOf(previous: FileState, path: string): FileChange {
  try {
    const now = statSync(path)
    const isSameTime = now.size === previous.size && now.mtimeMs === previous.mtime
    if (isSameTime && now.ino === previous.inode) return 'unchanged'
    return changeByBytes(previous, path, now)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return 'gone'
    throw error
  }
}

function changeByBytes(previous: FileState, path: string, now: Stats): FileChange {
  if (now.size < previous.offset) return 'truncated'
  if (!holdsSameRows(previous, path)) return 'replaced'
  if (now.size !== previous.size) return now.size > previous.size ? 'grown' : 'truncated'
  // The same size and time under another inode is a faithful copy; another time is an edit that kept the size.
  return now.mtimeMs === previous.mtime ? 'unchanged' : 'replaced'
}

function holdsSameRows(previous: FileState, path: string): boolean {
  const { headHash, tailHash } = hashesOf(path, previous.offset)
  return headHash === previous.headHash && tailHash === previous.tailHash
}

function hashesOf(path: string, offset: number): Pick<FileState, 'headHash' | 'tailHash'> {
  const length = Math.min(WINDOW, offset)
  return withFile(path, file => ({
    headHash: hashOf(file, 0, length),
    tailHash: hashOf(file, offset - length, length),
  }))
}

function hashOf(file: ByteSource, position: number, length: number): string {
  const bytes = Buffer.alloc(length)
  const got = file.read(bytes, 0, length, position)
  return hash('sha256', bytes.subarray(0, got), 'base64url')
}
