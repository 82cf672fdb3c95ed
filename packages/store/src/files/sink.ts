/** Files that are written whole: through one buffer, with a hash of all bytes, and named when they are complete. */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { codeOf, StoreError } from './failures.js'
import { renameFile } from './rename.js'

/** A file that is being written. */
interface Sink {
  readonly text: (text: string) => void
  readonly bytes: (bytes: Uint8Array) => void
  /** Writes what is left, asks the disk to keep it, closes, and gives the hash (sha256, hex) and the size. */
  readonly end: () => { readonly hash: string; readonly bytes: number }
  /** Closes the file; may be called after `end`. */
  readonly close: () => void
}

const ROOM = 1024 * 1024

/** Makes a file that was not there. Throws what the file system throws. */
export function openSink(path: string, mode: number): Sink {
  const file = openSync(path, 'wx', mode)
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(ROOM)
  let filled = 0
  let total = 0
  let isOpen = true
  const put = (bytes: Uint8Array): void => {
    hash.update(bytes)
    total += bytes.length
    writeAll(file, bytes)
  }
  const flush = (): void => {
    put(buffer.subarray(0, filled))
    filled = 0
  }
  const close = (): void => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  const bytes = (more: Uint8Array): void => {
    if (filled + more.length > ROOM) flush()
    if (more.length > ROOM) put(more)
    else {
      buffer.set(more, filled)
      filled += more.length
    }
  }
  return {
    bytes,
    text: text => {
      // A character takes three bytes at most, in this encoding of UTF-16 units.
      if (text.length * 3 > ROOM) bytes(Buffer.from(text))
      else {
        if (filled + text.length * 3 > ROOM) flush()
        filled += buffer.write(text, filled)
      }
    },
    end: () => {
      flush()
      fsyncSync(file)
      close()
      return { hash: hash.digest('hex'), bytes: total }
    },
    close,
  }
}

/** Writes all bytes to an open file. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done)
}

/** Gives a finished file its name, unless the name is taken: renaming alone would replace the file that has it. */
export function putInPlace(part: string, target: string): boolean {
  try {
    linkSync(part, target)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || existsSync(target)) return false
    renameFile(part, target)
    return true
  }
  rmSync(part)
  return true
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What to add to messages about a file that cannot be written. */
interface WriteAdvice {
  /** After a full disk: what became of the data. */
  readonly full: string
  /** Instead of "cannot be written", and what to do about it. */
  readonly other: (target: string, code: string) => string
}

const ADVICE: WriteAdvice = {
  full: ' Nothing was left behind.',
  other: (target, code) =>
    `${target} cannot be written (${code}): check ${code === 'EIO' ? 'the disk' : 'the permissions of its folder'}, then try again.`,
}

/** Runs work on the file system and turns its errors into `StoreError` with a message for the user. */
export function inFileSystem<T>(target: string, work: () => T, advice: WriteAdvice = ADVICE): T {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (error instanceof StoreError || code === null) throw error
    if (!FULL.has(code)) throw new StoreError('read-only', advice.other(target, code), error)
    const message = `The disk of ${target} is full: make room, then try again.${advice.full}`
    throw new StoreError('full', message, error)
  }
}
