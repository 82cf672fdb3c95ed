/** Rows read again by their places: the index and the graph keep places, not texts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { REDUCE_LIMITS, RowReducer } from './reduce.js'
import { GIANT_ROW } from './rows.js'
import { type ByteSource, openFile } from './source.js'

export interface Spans {
  /** The bytes at a place as text; null where they cannot be read. A giant row is reduced: long strings are cut. */
  readonly read: (
    root: string,
    path: string,
    at: { readonly offset: number; readonly length: number },
  ) => string | null
  readonly close: () => void
}

const MOST_OPEN = 32
const PIECE = 1024 * 1024

/** Opens files as they are asked for, those that are not on disk with `elsewhere`. */
export function openSpans(elsewhere: (place: string) => ByteSource | null = () => null): Spans {
  const files = new Map<string, ByteSource>()
  const close = (): void => {
    for (const file of files.values()) file.close()
    files.clear()
  }
  return {
    close,
    read: (root, path, { offset, length }) => {
      try {
        const full = join(root, path)
        if (files.size >= MOST_OPEN && !files.has(full)) close()
        const file = files.get(full) ?? (existsSync(full) ? openFile(full) : elsewhere(full))
        if (file === null) return null
        files.set(full, file)
        return length > GIANT_ROW ? readGiant(file, offset, length) : readSpan(file, offset, length)
      } catch {
        return null
      }
    },
  }
}

function readSpan(file: ByteSource, offset: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length)
  return buffer.toString('utf8', 0, file.read(buffer, 0, length, offset))
}

/** P6: a row too large to hold is reduced. */
function readGiant(file: ByteSource, offset: number, length: number): string {
  const reducer = new RowReducer(REDUCE_LIMITS)
  const buffer = Buffer.allocUnsafe(PIECE)
  for (let at = 0; at < length; at += PIECE) {
    reducer.write(buffer, 0, file.read(buffer, 0, Math.min(PIECE, length - at), offset + at))
  }
  return reducer.end()
}
