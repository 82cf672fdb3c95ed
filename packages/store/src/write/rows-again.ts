/** Rows read by their places, mostly one behind the other: a window of each file is held. */
import { join } from 'node:path'
import { RowReducer } from '../files/reduce.js'
import { type ByteSource, openFile } from '../files/source.js'

/** Files whose rows are read again. */
export interface RowsAgain {
  readonly text: (path: string, offset: number, length: number) => string
  /** Hands a long row on piece by piece. */
  readonly pieces: (path: string, offset: number, length: number, see: (piece: Uint8Array) => void) => void
  /** Sizes and inodes as they were when each file was opened. */
  readonly opened: () => readonly { readonly path: string; readonly source: ByteSource }[]
  readonly close: () => void
}

const WINDOW = 1024 * 1024

/** Opens files below a root as they are asked for. Throws what the file system throws. */
export function openRows(root: string): RowsAgain {
  const files = new Map<string, Window>()
  const windowOf = (path: string): Window => {
    const known = files.get(path) ?? openWindow(join(root, path))
    files.set(path, known)
    return known
  }
  return {
    text: (path, offset, length) => windowOf(path).text(offset, length),
    pieces: (path, offset, length, see) => windowOf(path).pieces(offset, length, see),
    opened: () => [...files].map(([path, { source }]) => ({ path: join(root, path), source })),
    close: () => {
      for (const { source } of files.values()) source.close()
      files.clear()
    },
  }
}

/** The text of a row that is too long to hold, with its long strings cut. */
export function reducedText(rows: RowsAgain, path: string, offset: number, length: number): string {
  const reducer = new RowReducer()
  rows.pieces(path, offset, length, piece => reducer.write(piece, 0, piece.length))
  return reducer.end()
}

interface Window {
  readonly source: ByteSource
  readonly text: (offset: number, length: number) => string
  readonly pieces: (offset: number, length: number, see: (piece: Uint8Array) => void) => void
}

function openWindow(path: string): Window {
  const source = openFile(path)
  const buffer = Buffer.allocUnsafe(WINDOW)
  let start = 0
  let end = 0
  const fill = (offset: number): void => {
    start = offset
    end = offset + source.read(buffer, 0, WINDOW, offset)
  }
  return {
    source,
    text: (offset, length) => {
      if (length > WINDOW) return wholeText(source, offset, length)
      if (offset < start || offset + length > end) fill(offset)
      return buffer.toString('utf8', offset - start, Math.min(offset + length, end) - start)
    },
    pieces: (offset, length, see) => {
      for (let at = 0; at < length; ) {
        const got = source.read(buffer, 0, Math.min(WINDOW, length - at), offset + at)
        if (got === 0) break
        see(buffer.subarray(0, got))
        at += got
      }
      start = end = 0
    },
  }
}

function wholeText(source: ByteSource, offset: number, length: number): string {
  const whole = Buffer.allocUnsafe(length)
  let got = 0
  while (got < length) {
    const more = source.read(whole, got, length - got, offset + got)
    if (more === 0) break
    got += more
  }
  return whole.toString('utf8', 0, got)
}
