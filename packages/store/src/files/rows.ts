/** Bytes to rows: a file is read in chunks and handed on row by row, each with its exact location. */
import { isUtf8 } from 'node:buffer'
import type { RawRow } from '@dagline/core'
import {
  type Damage,
  GIANT_ROW,
  REDUCE_LIMITS,
  type ReduceLimits,
  RowReducer,
  type Tally,
} from '@dagline/core/files'
import { type ByteSource, withFile } from './source.js'

/** The start of a row: its byte offset and its number, from 1. */
export interface RowLocation {
  readonly offset: number
  readonly row: number
}

/** Where reading begins, and its limits. */
export interface ReadOptions {
  /** A row's start; the start of the file unless given. `ReadResult.next` continues where a reading ended. */
  readonly from?: RowLocation
  /** Rows of more bytes are not held but reduced; 16 MiB unless given. */
  readonly giant?: number
  /** Reading may end before the file does: at the end of a row, once so many bytes were read. */
  readonly most?: number
  /** Whether a record goes on with the next row: reading does not end before it because of `most`. */
  readonly isWaiting?: () => boolean
  /** Bytes read at a time. */
  readonly chunk?: number
  /** What the reduction of giant rows keeps. */
  readonly limits?: ReduceLimits
}

/** What a reading came to. */
export interface ReadResult extends Damage {
  /** Complete rows delivered, blank ones included. */
  readonly rows: number
  /** Their bytes, newlines included. */
  readonly bytes: number
  /** Where the next reading starts: behind the last complete row. */
  readonly next: RowLocation
  /** False where reading ended because of `most`. */
  readonly isEnd: boolean
  /** The last row where no newline ends it: not delivered; the caller decides whether it waits or is final. */
  readonly pending: RawRow | null
  /** The file as it was when reading began, for `stateOf`. */
  readonly mtime: number
  readonly inode: number
  /** The same for the rows before `next` alone: the pending row may stop within a character. */
  readonly settled: Damage
}

const CHUNK = 1024 * 1024
const SMALLEST_BUFFER = 64

/**
 * Reads the complete rows of a file in order and hands each to `see`: of a path, or of bytes that the caller has
 * opened and will close. A row's `text` is without newline and carriage return, `length` counts the carriage return; a
 * byte order mark and NUL bytes stay in the text for the parser. Memory: one chunk, or one row of up to `giant` bytes.
 * Throws what the file system throws.
 */
export function readRows(
  from: string | ByteSource,
  see: (row: RawRow) => void,
  options: ReadOptions = {},
): ReadResult {
  const read = (file: ByteSource): ReadResult => new RowReader(file, see, options).read()
  return typeof from === 'string' ? withFile(from, read) : read(from)
}

class RowReader {
  private readonly file: ByteSource
  private readonly see: (row: RawRow) => void
  private readonly giant: number
  private readonly chunk: number
  private readonly limits: ReduceLimits
  private readonly from: RowLocation
  private readonly most: number
  private readonly isWaiting: () => boolean
  private buffer: Buffer
  /** File offset of the buffer's first byte. */
  private base: number
  /** The buffer holds file bytes up to here. */
  private end = 0
  /** Up to here there is no newline in the unfinished row. */
  private scanned = 0
  private row: number
  /** The giant row that is under way; it began at the file offset `giantStart`. */
  private reducer: RowReducer | null = null
  private giantStart = 0
  /** The byte before the buffer's first one: a newline may be alone in its chunk. */
  private lastDropped = NEWLINE
  private readonly crlf = new Counter()
  private readonly invalidUtf8 = new Counter()

  constructor(file: ByteSource, see: (row: RawRow) => void, options: ReadOptions) {
    this.file = file
    this.see = see
    this.from = options.from ?? { offset: 0, row: 1 }
    this.giant = options.giant ?? GIANT_ROW
    this.chunk = Math.max(options.chunk ?? CHUNK, 1)
    this.limits = options.limits ?? REDUCE_LIMITS
    this.most = options.most ?? Number.POSITIVE_INFINITY
    this.isWaiting = options.isWaiting ?? (() => false)
    this.base = this.from.offset
    this.row = this.from.row
    // Most files are small: one byte more than the file shows its end without a larger buffer.
    this.buffer = Buffer.allocUnsafe(
      Math.max(SMALLEST_BUFFER, Math.min(file.size - this.base + 1, this.chunk)),
    )
  }

  read(): ReadResult {
    let isEnd = !this.fill()
    while (!isEnd) {
      this.split()
      const isEnough = this.base - this.from.offset >= this.most
      if (isEnough && this.reducer === null && !this.isWaiting()) break
      isEnd = !this.fill()
    }
    const start = this.reducer === null ? this.base : this.giantStart
    const settled = { crlf: this.crlf.tally(), invalidUtf8: this.invalidUtf8.tally() }
    return {
      rows: this.row - this.from.row,
      bytes: start - this.from.offset,
      next: { offset: start, row: this.row },
      isEnd,
      pending: isEnd ? this.pending() : null,
      mtime: this.file.mtime,
      inode: this.file.inode,
      crlf: this.crlf.tally(),
      invalidUtf8: this.invalidUtf8.tally(),
      settled,
    }
  }

  /** Reads more bytes behind those of the unfinished row; false at the end of the file. */
  private fill(): boolean {
    if (this.end === this.buffer.length) this.makeRoom()
    const room = this.buffer.length - this.end
    const got = this.file.read(this.buffer, this.end, room, this.base + this.end)
    this.end += got
    return got > 0
  }

  /** The unfinished row fills the buffer: a larger one, or none at all where the row turns out a giant. */
  private makeRoom(): void {
    if (this.end > this.giant) {
      this.beginGiant(0).write(this.buffer, 0, this.end)
      this.drop(this.end)
      return
    }
    const larger = Buffer.allocUnsafe(Math.min(this.buffer.length * 2, this.giant + this.chunk))
    this.buffer.copy(larger, 0, 0, this.end)
    this.buffer = larger
  }

  /** Delivers all rows that end in the buffer, and moves the rest to its front. */
  private split(): void {
    const filled = this.buffer.subarray(0, this.end)
    let start = 0
    let newline = filled.indexOf(NEWLINE, this.scanned)
    while (newline >= 0) {
      if (newline === start && this.reducer === null) start = this.deliverBlank(start)
      else {
        this.deliver(start, newline)
        start = newline + 1
      }
      newline = filled.indexOf(NEWLINE, start)
    }
    if (this.reducer !== null) {
      this.reducer.write(this.buffer, start, this.end)
      start = this.end
    }
    this.drop(start)
  }

  private drop(count: number): void {
    if (count > 0) this.lastDropped = this.buffer[count - 1] ?? 0
    if (count > 0 && count < this.end) this.buffer.copyWithin(0, count, this.end)
    this.base += count
    this.end -= count
    this.scanned = this.end
  }

  /** Hands on the empty rows that begin here as one, and says where they end: there may be millions. */
  private deliverBlank(start: number): number {
    let end = start + 1
    while (end < this.end && this.buffer[end] === NEWLINE) end++
    const rows = end - start
    const blank: RawRow = {
      row: this.row,
      offset: this.base + start,
      length: rows - 1,
      text: '',
      whole: true,
    }
    this.row += rows
    this.see(rows === 1 ? blank : { ...blank, rows })
    return end
  }

  private deliver(start: number, newline: number): void {
    const last = newline > 0 ? this.buffer[newline - 1] : this.lastDropped
    const isCrlf = last === RETURN
    if (isCrlf) this.crlf.add(this.row)
    const row = this.makeRow(start, newline, isCrlf ? newline - 1 : newline)
    this.row++
    this.see(isCrlf ? { ...row, crlf: true } : row)
  }

  private makeRow(start: number, end: number, textEnd: number): RawRow {
    if (this.reducer === null && end - start > this.giant) this.beginGiant(start)
    if (this.reducer !== null) return this.finishGiant(this.reducer, start, end)
    const text = this.buffer.toString('utf8', start, textEnd)
    const row = { row: this.row, offset: this.base + start, length: end - start, text, whole: true }
    // A one-byte string cannot hold U+FFFD, so this costs nothing for most rows.
    if (!text.includes('\ufffd') || isUtf8(this.buffer.subarray(start, textEnd))) return row
    this.invalidUtf8.add(this.row)
    return { ...row, invalidUtf8: true }
  }

  private beginGiant(start: number): RowReducer {
    this.reducer = new RowReducer(this.limits)
    this.giantStart = this.base + start
    return this.reducer
  }

  private finishGiant(reducer: RowReducer, start: number, end: number): RawRow {
    reducer.write(this.buffer, start, end)
    this.reducer = null
    const text = reducer.end()
    if (!reducer.isUtf8()) this.invalidUtf8.add(this.row)
    const length = this.base + end - this.giantStart
    return { row: this.row, offset: this.giantStart, length, text, whole: false }
  }

  private pending(): RawRow | null {
    if (this.reducer === null && this.end === 0) return null
    return this.makeRow(0, this.end, this.end)
  }
}

class Counter {
  private count = 0
  private first: number | null = null

  add(row: number): void {
    this.count++
    this.first ??= row
  }

  tally(): Tally {
    return { count: this.count, row: this.first }
  }
}

const NEWLINE = 0x0a
const RETURN = 0x0d
