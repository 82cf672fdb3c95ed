/** How values of the index are kept in PostgreSQL, and read back as the store reads those of SQLite. */
import { createHash } from 'node:crypto'
import type { Row } from '@dagline/store'
import type { PgRow } from '../db/sync-connection.js'

/** A cell to be written. */
export type CellValue = string | number | boolean | null

/**
 * HU4: `text` takes neither NUL nor half of a surrogate pair, which names and ids in transcripts may hold. Each of them becomes this
 * noncharacter of Unicode and its four hexadecimal digits, and so does the noncharacter itself.
 */
const ESCAPE = '\uffff'

/** A text as it is kept. Nearly all are kept as they are. */
export function keepable(text: string): string {
  return text.replace(UNKEEPABLE, bad => ESCAPE + bad.charCodeAt(0).toString(16).padStart(4, '0'))
}

/** NUL, our own character, and halves of surrogate pairs. */
const UNKEEPABLE = /[\0\uffff]|\p{Cs}/gu

function original(text: string): string {
  if (!text.includes(ESCAPE)) return text
  return text.replace(/\uffff([0-9a-f]{4})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/** The longest id that an index of PostgreSQL takes, with room for the other columns of a key. */
const LONGEST_ID = 600

/** An id as it is kept: one that is too long for an index by its beginning and its hash. */
export function keepableId(id: string): string {
  const text = keepable(id)
  if (text.length <= LONGEST_ID) return text
  return `${text.slice(0, LONGEST_ID - 64)}${createHash('sha256').update(text).digest('hex')}`
}

/** Milliseconds as they are kept: texts without a time come last in any order. */
export function keepableTime(time: number | null): number {
  return time ?? Number.NEGATIVE_INFINITY
}

/** A row with the cells that the store expects: numbers for truth values, null for no time. */
export function rowFrom(row: PgRow): Row {
  const cells: Record<string, string | number | bigint | null | Uint8Array> = {}
  for (const [name, cell] of Object.entries(row)) cells[name] = cellFrom(cell)
  return cells
}

function cellFrom(cell: PgRow[string]): string | number | bigint | null | Uint8Array {
  if (typeof cell === 'string') return original(cell)
  if (typeof cell === 'boolean') return Number(cell)
  if (cell === Number.NEGATIVE_INFINITY || cell === undefined) return null
  return cell
}

/** A line of the text format of COPY. */
export function copyLine(cells: readonly CellValue[]): string {
  let line = ''
  for (const cell of cells) line += line === '' ? copyCell(cell) : `\t${copyCell(cell)}`
  return `${line}\n`
}

function copyCell(cell: CellValue): string {
  if (cell === null) return '\\N'
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'boolean') return cell ? 't' : 'f'
  return NEEDS_ESCAPE.test(cell) ? cell.replace(/[\\\t\n\r]/g, escapeCharacter) : cell
}

const NEEDS_ESCAPE = /[\\\t\n\r]/

function escapeCharacter(character: string): string {
  return character === '\\' ? '\\\\' : `\\${ESCAPES[character]}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': 't', '\n': 'n', '\r': 'r' }
