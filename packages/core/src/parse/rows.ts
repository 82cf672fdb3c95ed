/**
 * The rows of a file, one after another. JSON may be written over several rows, as editors do, and Claude Code reads it:
 * a row that leaves an object open waits for the rows that close it. All other rows are parsed as they come.
 */
import type { ParsedRow } from '../model/row.js'
import type { RawRow } from '../model/source.js'
import { isRecord, objectIn, piecesOf } from './pieces.js'
import { utf8Length, withoutNulAndBom } from './recover.js'
import { parseLastRow, parseRow, parseWhole, type SeeRecord } from './row.js'
import { type ObjectScan, scanOn } from './scan.js'

/** Takes rows in the order of the file. */
export interface RowParser {
  readonly take: (raw: RawRow) => void
  /** Rows that wait for the rest of their record. Another reading may begin with the first of them. */
  readonly waiting: () => readonly RawRow[]
  /** Ends the file, with its last row where no newline ends it. Rows that still wait are read as they are. */
  readonly end: (last: RawRow | null) => void
}

/** Receives each parsed row with its text; of several rows where a record spans them. */
export type PutRow = (parsed: ParsedRow, raw: RawRow) => void

/** A record over several rows may have this many characters; one that has more counts as damaged, row by row. */
export const MOST_WAITING: number = 16 * 1024 * 1024

/** Starts at the beginning of a file, or where `waiting` says. */
export function startRows(put: PutRow, see?: SeeRecord): RowParser {
  let held: Held | null = null
  const parse = (raw: RawRow): void => put(parseRow(raw, see), raw)
  const takeFirst = (raw: RawRow): void => {
    const whole = parseWhole(raw, see)
    held = whole === null ? holdOpen(raw) : null
    if (whole !== null) put(whole, raw)
    else if (held === null) parse(raw)
  }
  return {
    waiting: () => held?.rows ?? [],
    take: raw => {
      const found = held === null ? 'foreign' : addTo(held, raw)
      if (found === 'waits') return
      for (const row of held === null ? [] : released(held)) parse(row)
      held = null
      if (found === 'foreign') takeFirst(raw)
    },
    end: last => {
      const isForeign = last !== null && (held === null || addTo(held, last) === 'foreign')
      const rows = [...(held === null ? [] : released(held)), ...(isForeign ? [last] : [])]
      held = null
      for (const row of rows) put(row === last ? parseLastRow(row, see) : parseRow(row, see), row)
    },
  }
}

/** Rows that wait: an object begins on the first of them and is not closed. */
interface Held {
  readonly rows: RawRow[]
  /** Where each row begins in the text of all of them, which is without NUL bytes. */
  readonly starts: number[]
  length: number
  scan: ObjectScan
  /** Rows up to the last one on which an object was closed: they are read together, whatever follows. */
  closed: number
}

/** Holds a row that leaves an object open; null for any other. */
function holdOpen(raw: RawRow): Held | null {
  const text = withoutNulAndBom(raw.text)
  const scan = raw.whole ? piecesOf(text).open : null
  if (scan === null) return null
  return { rows: [raw], starts: [0], length: text.length + 1, scan, closed: 0 }
}

/** Adds a row. It completes the rows before it, they keep waiting, or it does not belong to them and is not added. */
function addTo(held: Held, raw: RawRow): 'complete' | 'waits' | 'foreign' {
  const text = raw.text.replaceAll('\0', '')
  const start = held.length
  if (!raw.whole || start + text.length > MOST_WAITING) return 'foreign'
  scanOn(held.scan, text, 0, start)
  if (held.scan.state === 'invalid') return 'foreign'
  held.rows.push(raw)
  held.starts.push(start)
  held.length += text.length + 1
  if (held.scan.state === 'open') return 'waits'
  held.closed = held.rows.length
  // Another record may begin after the end of this one.
  const { open } = piecesOf(text.slice(held.scan.at - start))
  if (open === null) return 'complete'
  held.scan = open
  return 'waits'
}

/** The rows that waited, those of one record as one. */
function released(held: Held): readonly RawRow[] {
  const { rows } = held
  const together = held.closed > 0 ? { from: 0, to: held.closed } : recordBehindDamage(held)
  if (together === null) return rows
  const { from, to } = together
  return [...rows.slice(0, from), joinRows(rows.slice(from, to)), ...rows.slice(to)]
}

/** A record was cut before a value and another one follows over several rows: the scan took it for the value. */
function recordBehindDamage({
  rows,
  starts,
  scan,
}: Held): { readonly from: number; readonly to: number } | null {
  const { start, end } = scan.inner
  const rowAt = (position: number): number => starts.findLastIndex(first => first <= position)
  const [from, last] = [rowAt(start), rowAt(end - 1)]
  if (end === 0 || from === last) return null
  const text = rows.slice(from, last + 1).map(row => row.text.replaceAll('\0', ''))
  const base = starts[from] ?? 0
  const json = objectIn(text.join('\n').slice(start - base, end - base))
  return json !== null && isRecord(json) ? { from, to: last + 1 } : null
}

/** Several rows as one: its text has their newlines. */
function joinRows(rows: readonly RawRow[]): RawRow {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('no rows to join')
  return {
    row: first.row,
    offset: first.offset,
    length: last.offset + last.length - first.offset,
    text: rows.map(({ text }) => text).join('\n'),
    whole: true,
    rows: rows.reduce((sum, { rows = 1 }) => sum + rows, 0),
  }
}

/** Parses the text of a whole transcript. Offsets and lengths count the bytes of its UTF-8 form. */
export function parseTranscript(text: string): ParsedRow[] {
  const rows: ParsedRow[] = []
  const parser = startRows(parsed => rows.push(parsed))
  let offset = 0
  let row = 0
  const rawRow = (line: string): RawRow => {
    const raw = { row: ++row, offset, length: utf8Length(line), text: line.replace(/\r$/, ''), whole: true }
    offset += raw.length + 1
    return raw
  }
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    parser.take(rawRow(text.slice(start, end)))
    start = end + 1
  }
  parser.end(start === text.length ? null : rawRow(text.slice(start)))
  return rows
}
