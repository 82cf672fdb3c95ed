/** Reads rows by their locations, mostly one after the other, with a buffer for each file. */
import { join } from 'node:path'
import { RowReducer } from '@dagline/core/files'
import type { ByteSource } from '../files/source.js'
import { notWhole, openSource, type WholeSources } from '../files/whole.js'

/** Files whose rows are read again. */
export interface RowsAgain {
  readonly text: (path: string, offset: number, length: number) => string
  /** Hands a long row on piece by piece. */
  readonly pieces: (path: string, offset: number, length: number, see: (piece: Uint8Array) => void) => void
  /** Compares every file that was opened with its fingerprint once more. */
  readonly verify: () => void
  readonly close: () => void
}

const WINDOW = 1024 * 1024

/** Opens files as they are asked for. Throws `StoreError` where one is not what it was when it was read. */
export function openRows(sources: WholeSources): RowsAgain {
  const files = new Map<string, Window>()
  const windowOf = (path: string): Window => {
    const known = files.get(path) ?? openWindow(sources, path)
    files.set(path, known)
    return known
  }
  return {
    text: (path, offset, length) => windowOf(path).text(offset, length),
    pieces: (path, offset, length, see) => windowOf(path).pieces(offset, length, see),
    verify: () => {
      for (const { verify } of files.values()) verify()
    },
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
  readonly verify: () => void
  readonly text: (offset: number, length: number) => string
  readonly pieces: (offset: number, length: number, see: (piece: Uint8Array) => void) => void
}

function openWindow(sources: WholeSources, path: string): Window {
  const source = openSource(sources, path)
  const place = join(sources.root, path)
  const buffer = Buffer.allocUnsafe(WINDOW)
  let start = 0
  let end = 0
  // Several records of one row are asked for one after another.
  let last = { offset: -1, length: 0, text: '' }
  const fill = (offset: number, length: number): void => {
    start = end = offset
    while (end < offset + length) end += some(source, place, { buffer, at: end - start, position: end })
  }
  const textAt = (offset: number, length: number): string => {
    if (length > WINDOW) return wholeText(source, place, offset, length)
    if (offset < start || offset + length > end) fill(offset, length)
    return buffer.toString('utf8', offset - start, offset - start + length)
  }
  return {
    source,
    verify: source.verify,
    text: (offset, length) => {
      if (offset !== last.offset || length !== last.length)
        last = { offset, length, text: textAt(offset, length) }
      return last.text
    },
    pieces: (offset, length, see) => {
      const most = buffer.subarray(0, WINDOW)
      for (let at = 0; at < length; ) {
        const piece = most.subarray(0, Math.min(WINDOW, length - at))
        const got = some(source, place, { buffer: piece, at: 0, position: offset + at })
        see(piece.subarray(0, got))
        at += got
      }
      start = end = 0
    },
  }
}

function wholeText(source: ByteSource, place: string, offset: number, length: number): string {
  const whole = Buffer.allocUnsafe(length)
  for (let got = 0; got < length; )
    got += some(source, place, { buffer: whole, at: got, position: offset + got })
  return whole.toString('utf8')
}

/** Reads some bytes up to the end of a buffer: a row ends where it ended before, so there is at least one. */
function some(
  source: ByteSource,
  place: string,
  { buffer, at, position }: { readonly buffer: Buffer; readonly at: number; readonly position: number },
): number {
  const got = source.read(buffer, at, buffer.length - at, position)
  if (got === 0) throw notWhole(place, 'it was cut while it was read')
  return got
}
