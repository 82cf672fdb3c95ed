/** K2: pieces: what is stored once. A row with its newline, or a part of a row or sidecar that is longer than a part. */
import type { ByteSource } from '../files/source.js'

/** The largest piece. */
export const PART: number = 1024 * 1024

const NEWLINE = 0x0a

/** From where to where a file is cut, and whether at rows. */
export interface Cut {
  readonly from: number
  readonly to: number
  readonly rows: boolean
}

/**
 * The pieces of a file in order; together they are its bytes. Rows are cut into parts counted from their start, so that
 * the same row gives the same pieces in every file. A piece holds until the next one is asked for. Ends early where
 * the file does.
 */
export function* cutPieces(source: ByteSource, { from, to, rows }: Cut): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(2 * PART, Math.max(to - from, 1)))
  let position = from
  let end = 0
  for (;;) {
    const room = Math.min(buffer.length - end, to - position)
    const got = room > 0 ? source.read(buffer, end, room, position) : 0
    position += got
    end += got
    const isLast = got === 0 || position === to
    let start = 0
    for (let next = pieceEnd(buffer, start, end, rows); next > 0; next = pieceEnd(buffer, start, end, rows)) {
      yield buffer.subarray(start, next)
      start = next
    }
    if (isLast && start < end) yield buffer.subarray(start, end)
    if (isLast) return
    buffer.copyWithin(0, start, end)
    end -= start
  }
}

/** Where the piece that begins at `start` ends, or 0 where more bytes are needed to know. */
function pieceEnd(buffer: Buffer, start: number, end: number, rows: boolean): number {
  const newline =
    rows && start < end ? buffer.subarray(start, Math.min(end, start + PART)).indexOf(NEWLINE) : -1
  if (newline >= 0) return start + newline + 1
  return end - start >= PART ? start + PART : 0
}
