/**
 * Bytes to rows, for bytes that arrive in chunks of any size. The store has a reader of its own for files on disk, which
 * asks for the next bytes itself; a test holds both to the same rows.
 */
import type { RawRow } from '../model/source.js'
import type { Damage, Tally } from './damage.js'
import { REDUCE_LIMITS, RowReducer } from './reduce.js'
import { decodeUtf8, isUtf8 } from './utf8.js'

/** P6: rows of more bytes are reduced instead of held. */
export const GIANT_ROW: number = 16 * 1024 * 1024

/** Takes the bytes of a file in order. */
interface RowSplitter {
  readonly write: (bytes: Uint8Array) => void
  readonly end: () => SplitEnd
}

/** What is known of a file at its end. */
interface SplitEnd extends Damage {
  readonly bytes: number
  /** The last row where no newline ends it: it was not handed on. */
  readonly pending: RawRow | null
}

/** Splits bytes into rows and hands each complete one to `see`. Rows of more than `giant` bytes are reduced. */
export function splitRows(see: (row: RawRow) => void, giant: number = GIANT_ROW): RowSplitter {
  const row: UnfinishedRow = { pieces: [], length: 0, reducer: null, last: 0 }
  const damage = { crlf: emptyTally(), invalidUtf8: emptyTally() }
  let [number, offset] = [1, 0]
  const finish = (ended: 'newline' | 'file'): RawRow => {
    const isCrlf = ended === 'newline' && row.last === RETURN
    if (isCrlf) damage.crlf = counted(damage.crlf, number)
    const { text, isValid } = textOf(row, isCrlf)
    if (!isValid) damage.invalidUtf8 = counted(damage.invalidUtf8, number)
    const whole = row.reducer === null
    const made = { row: number, offset, length: row.length, text, whole }
    Object.assign(row, { pieces: [], length: 0, reducer: null, last: 0 })
    return { ...made, ...(isCrlf ? { crlf: true } : {}), ...(isValid || !whole ? {} : { invalidUtf8: true }) }
  }
  const finishRow = (): void => {
    const made = finish('newline')
    see(made)
    number++
    offset += made.length + 1
  }
  /** Hands empty rows on as one: there may be millions. Returns where they end. */
  const skipBlank = (bytes: Uint8Array, start: number): number => {
    let end = start + 1
    while (bytes[end] === NEWLINE) end++
    const rows = end - start
    const blank = { row: number, offset, length: rows - 1, text: '', whole: true }
    see(rows === 1 ? blank : { ...blank, rows })
    number += rows
    offset += rows
    return end
  }
  return {
    write: bytes => {
      let start = 0
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        if (end === start && row.length === 0) {
          start = skipBlank(bytes, start)
          continue
        }
        addTo(row, bytes.subarray(start, end), giant)
        finishRow()
        start = end + 1
      }
      addTo(row, bytes.subarray(start), giant)
    },
    end: () => {
      const pending = row.length === 0 ? null : finish('file')
      return { bytes: offset + (pending?.length ?? 0), pending, ...damage }
    },
  }
}

/** A row whose end has not come yet. */
interface UnfinishedRow {
  readonly pieces: Uint8Array[]
  length: number
  /** Takes the bytes of a giant row, which are not kept. */
  reducer: RowReducer | null
  last: number
}

function addTo(row: UnfinishedRow, bytes: Uint8Array, giant: number): void {
  if (bytes.length === 0) return
  row.length += bytes.length
  row.last = bytes.at(-1) ?? 0
  row.pieces.push(bytes)
  if (row.reducer === null && row.length <= giant) return
  row.reducer ??= new RowReducer(REDUCE_LIMITS)
  for (const piece of row.pieces.splice(0)) row.reducer.write(piece, 0, piece.length)
}

function textOf(
  { reducer, pieces, length }: UnfinishedRow,
  isCrlf: boolean,
): { readonly text: string; readonly isValid: boolean } {
  if (reducer !== null) return { text: reducer.end(), isValid: reducer.isUtf8() }
  const bytes = joinBytes(pieces, length).subarray(0, isCrlf ? length - 1 : length)
  const text = decodeUtf8(bytes)
  return { text, isValid: !text.includes('\ufffd') || isUtf8(bytes) }
}

/** Pieces as one; a single piece as it is. */
export function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return first
  const joined = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

function emptyTally(): Tally {
  return { count: 0, row: null }
}

function counted({ count, row }: Tally, at: number): Tally {
  return { count: count + 1, row: row ?? at }
}

const NEWLINE = 0x0a
const RETURN = 0x0d
