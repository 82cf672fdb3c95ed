/** Files as edits handle them: copied with a hash, put in place whole, never over another. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  futimesSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { codeOf, StoreError } from '../files/failures.js'
import { openFile } from '../files/source.js'
import { notWhole, readingSource } from '../files/whole.js'
import { openSink } from './sink.js'

const CHUNK = 1024 * 1024

/** The sha256 of a file in hex; null where there is none. Throws `StoreError` where it cannot be read. */
export function hashOf(path: string): string | null {
  if (!existsSync(path)) return null
  const hash = createHash('sha256')
  readAll(path, bytes => hash.update(bytes))
  return hash.digest('hex')
}

/** Copies a file to a new name, byte for byte, with its mode and, where wanted, its time. */
export function copyFile(
  from: string,
  to: string,
  { mode, mtime }: { readonly mode: number; readonly mtime: number | null },
): { readonly hash: string; readonly bytes: number } {
  const sink = openSink(to, mode)
  try {
    readAll(from, bytes => sink.bytes(bytes))
    const written = sink.end()
    if (mtime !== null) setTime(to, mtime)
    return written
  } finally {
    sink.close()
  }
}

/** Hands on all bytes of a file. Throws `StoreError` unless these are as many as it had, or more. */
function readAll(path: string, see: (bytes: Uint8Array) => void): void {
  const source = readingSource(path, () => openFile(path))
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    let position = 0
    for (let got = -1; got !== 0; position += got) {
      got = readingSource(path, () => source.read(buffer, 0, CHUNK, position))
      see(buffer.subarray(0, got))
    }
    if (position < source.size) throw notWhole(path, 'it was cut while it was read')
  } finally {
    source.close()
  }
}

function setTime(path: string, mtime: number): void {
  const file = openSync(path, 'r+')
  try {
    futimesSync(file, mtime / 1000, mtime / 1000)
  } finally {
    closeSync(file)
  }
}

/** The permission bits of a file; those of a private one where there is none. */
export function modeOf(path: string): number {
  return existsSync(path) ? readingSource(path, () => statSync(path)).mode & 0o777 : 0o600
}

/** Gives a finished file its name. Refuses where the name is taken. */
export function putInPlace(part: string, target: string): void {
  try {
    linkSync(part, target)
    rmSync(part)
  } catch (error) {
    if (existsSync(target) && codeOf(error) === 'EEXIST')
      throw new StoreError('unreachable', `${target} is there already and was left as it is: try again.`)
    renameSync(part, target)
  }
}

/** Syncs the names in a folder to disk, on systems where folders can be synced. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Windows cannot open folders.
  }
}

/** Runs work on the file system and turns its errors into `StoreError` with a message for the user. */
export function inFileSystem<T>(target: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (error instanceof StoreError || code === null) throw error
    const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
    const message = isFull
      ? `The disk of ${target} is full: make room, then try again. Nothing was left behind.`
      : `${target} cannot be written (${code}): check the permissions of its folder.`
    throw new StoreError(isFull ? 'full' : 'read-only', message, error)
  }
}
