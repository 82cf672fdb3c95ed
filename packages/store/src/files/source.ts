/** Bytes that can be read at any offset: a file on disk, or one that is kept in the archive only. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { SESSION_NAMED } from '@dagline/core/files'

/** What rows are read from. */
export interface ByteSource {
  /** Bytes that were there when it was opened. */
  readonly size: number
  /** Milliseconds since 1970, with fractions. */
  readonly mtime: number
  /** 0 where there is none. */
  readonly inode: number
  /** Puts up to `length` bytes from `position` on into `buffer` at `offset`, and says how many; 0 at the end. */
  readonly read: (buffer: Uint8Array, offset: number, length: number, position: number) => number
  readonly close: () => void
}

/** Opens a file on disk. Throws what the file system throws. */
export function openFile(path: string): ByteSource {
  const file = openSync(path, 'r')
  try {
    const { size, mtimeMs, ino } = fstatSync(file)
    return {
      size,
      mtime: mtimeMs,
      inode: ino,
      read: (buffer, offset, length, position) => readSync(file, buffer, offset, length, position),
      close: () => closeSync(file),
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Bytes in memory as a source. */
export function bytesSource(
  bytes: Uint8Array,
  { mtime = 0, inode = 0 }: Partial<Pick<ByteSource, 'mtime' | 'inode'>> = {},
): ByteSource {
  return {
    ...{ size: bytes.length, mtime, inode },
    read: (buffer, offset, length, position) => {
      const part = bytes.subarray(position, position + Math.min(length, buffer.length - offset))
      buffer.set(part, offset)
      return part.length
    },
    close: () => {},
  }
}

/** Opens a file, uses it and closes it. Throws what the file system throws. */
export function withFile<T>(path: string, use: (file: ByteSource) => T): T {
  const file = openFile(path)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** A row names its session and its folder before its message, nearly always in the first bytes: more would not help. */
const STARTS = [4 * 1024, 64 * 1024]

/** The first session id in a file; null where its first rows name none. Throws what the file system throws. */
export function namedSession(path: string): string | null {
  return firstMatch(path, SESSION_NAMED)
}

/** Rows name their folder before their message. */
const FOLDER_WITHIN = 64 * 1024

/**
 * The first working directory in a file; null where its first rows name none. Throws what the file system throws, and
 * `RangeError` where the file is shorter than when it was opened.
 */
export function folderAtStart(path: string): string | null {
  return withFile(path, file => {
    const buffer = Buffer.allocUnsafe(Math.min(FOLDER_WITHIN, file.size))
    if (file.read(buffer, 0, buffer.length, 0) < buffer.length)
      throw new RangeError('The file was cut while it was read.')
    const [, text] = /"cwd"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(buffer.toString('utf8')) ?? []
    return text?.replace(/\\(.)/g, '$1') ?? null
  })
}

/** The first group of a pattern at the start of a file; null where it does not match. */
function firstMatch(path: string, pattern: RegExp): string | null {
  return withFile(path, file => {
    for (const length of STARTS) {
      const buffer = Buffer.allocUnsafe(length)
      const found = pattern.exec(buffer.toString('utf8', 0, file.read(buffer, 0, length, 0)))?.[1]
      if (found !== undefined) return found
    }
    return null
  })
}
