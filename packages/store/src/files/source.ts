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

/** A row names its session and its folder before its message: a longer start would not help. */
const START = 64 * 1024

/** The first session id in a file; null where its first rows name none. Throws what the file system throws. */
export function namedSession(path: string): string | null {
  return /"sessionId"\s*:\s*"([^"\\]{1,200})"/.exec(startOf(path))?.[1] ?? null
}

/** The first working directory in a file; null where its first rows name none, or it cannot be read. */
export function folderAtStart(path: string): string | null {
  try {
    const [, literal] = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(startOf(path)) ?? []
    const folder: unknown = literal === undefined ? null : JSON.parse(literal)
    return typeof folder === 'string' ? folder : null
  } catch {
    return null
  }
}

function startOf(path: string): string {
  const buffer = Buffer.allocUnsafe(START)
  return buffer.toString(
    'utf8',
    0,
    withFile(path, file => file.read(buffer, 0, START, 0)),
  )
}
