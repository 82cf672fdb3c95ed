/** Bytes that can be read at any offset: a file on disk, or one that is kept in the archive only. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

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

/** Opens a file, uses it and closes it. Throws what the file system throws. */
export function withFile<T>(path: string, use: (file: ByteSource) => T): T {
  const file = openFile(path)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** A row names its session before its message: a longer start would not help. */
const START = 64 * 1024

/** The first session id in a file; null where its first rows name none. Throws what the file system throws. */
export function namedSession(path: string): string | null {
  const buffer = Buffer.allocUnsafe(START)
  const text = buffer.toString(
    'utf8',
    0,
    withFile(path, file => file.read(buffer, 0, START, 0)),
  )
  return /"sessionId"\s*:\s*"([^"\\]{1,200})"/.exec(text)?.[1] ?? null
}
