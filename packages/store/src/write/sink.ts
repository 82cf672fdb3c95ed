/** Bytes to a file through one buffer, with a hash of all of them. */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

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
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done)
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
