/**
 * Parsed rows as a compact text, and back: what an index keeps so that a graph can be built again without reading the
 * transcript. Nearly every row holds one record and nothing odd; it is a flat list:
 *
 *   [row, offset, length, shape, value, value, ...]
 *
 * A shape is the list of fields of one kind of record. A string that is equal to that of the previous record of the shape
 * (session, version, folder) is `=`; a string that begins with `=` gets another one. All other rows are kept as they are.
 */
import type { TranscriptRecord } from '../model/entry.js'
import type { ParsedRow } from '../model/row.js'
import type { SourceSpan } from '../model/source.js'
import { asTexts } from './json.js'

/** The fields of one kind of record, and their previous values. */
interface Shape {
  readonly index: number
  readonly fields: readonly string[]
  readonly last: unknown[]
  readonly blank: Readonly<Record<string, unknown>>
}

const asBefore = '='
const firstValue = 4

/** Packs rows. `unpackRows` gives equal ones. */
export function packRows(rows: readonly ParsedRow[]): string {
  const shapes = new Map<string, Shape>()
  const packed = rows.map(row => packRow(row, shapes))
  return JSON.stringify([[...shapes.values()].map(({ fields }) => fields), packed])
}

function packRow(row: ParsedRow, shapes: Map<string, Shape>): unknown {
  const [record] = row.records
  const isPlain = row.state === 'entry' && row.records.length === 1 && row.diagnostics.length === 0
  return isPlain && record !== undefined ? packRecord(record, shapes) : row
}

function packRecord(record: TranscriptRecord, shapes: Map<string, Shape>): readonly unknown[] {
  const { source } = record
  const shape = shapes.get(record.kind) ?? addShape(record, shapes)
  const packed: unknown[] = [source.row, source.offset, source.length, shape.index]
  const values: readonly unknown[] = Object.values(record)
  for (let at = 0; at < shape.fields.length; at++) {
    const value = values[at]
    if (typeof value === 'string') packed.push(packText(value, shape.last[at]))
    else packed.push(shape.fields[at] === 'source' ? 0 : value)
    shape.last[at] = value
  }
  return packed
}

function packText(text: string, last: unknown): string {
  if (text === last) return asBefore
  return text.startsWith(asBefore) ? asBefore + text : text
}

/** All records of a kind have the same fields: each kind is made in one place. */
function addShape(record: TranscriptRecord, shapes: Map<string, Shape>): Shape {
  const shape: Shape = { index: shapes.size, fields: Object.keys(record), last: [], blank: {} }
  shapes.set(record.kind, shape)
  return shape
}

/** The rows that were packed. Throws for what `packRows` did not make. */
export function unpackRows(text: string): readonly ParsedRow[] {
  const [shapes, rows] = readPacked(JSON.parse(text))
  return rows.map(row => (Array.isArray(row) ? unpackRow(row, shapes) : asRow(row)))
}

function unpackRow(packed: readonly unknown[], shapes: readonly Shape[]): ParsedRow {
  const source: SourceSpan = { row: Number(packed[0]), offset: Number(packed[1]), length: Number(packed[2]) }
  const shape = shapes[Number(packed[3])]
  if (shape === undefined) throw new RangeError(`shape ${String(packed[3])} outside 0..${shapes.length - 1}`)
  // Copying an object with all fields is much faster than adding them one by one.
  const record: Record<string, unknown> = { ...shape.blank }
  for (let at = 0; at < shape.fields.length; at++) {
    const value = packed[at + firstValue]
    const read =
      typeof value === 'string' && value.startsWith(asBefore) ? textBehind(value, shape.last[at]) : value
    shape.last[at] = read
    record[shape.fields[at] ?? ''] = read
  }
  record['source'] = source
  return asRow({ row: source.row, length: source.length, state: 'entry', records: [record], diagnostics: [] })
}

function textBehind(text: string, last: unknown): unknown {
  return text === asBefore ? last : text.slice(asBefore.length)
}

type Packed = readonly [readonly Shape[], readonly unknown[]]

function readPacked(value: unknown): Packed {
  if (!Array.isArray(value) || !Array.isArray(value[0]) || !Array.isArray(value[1])) throw notPacked()
  const shapes = value[0].map((list, index): Shape => {
    const fields = asTexts(list)
    return { index, fields, last: [], blank: Object.fromEntries(fields.map(field => [field, null])) }
  })
  return [shapes, value[1]]
}

/** Only `packRows` makes these; a damaged text fails to parse earlier. */
function isRow(value: unknown): value is ParsedRow {
  return typeof value === 'object' && value !== null && 'records' in value && 'diagnostics' in value
}

function asRow(value: unknown): ParsedRow {
  if (isRow(value)) return value
  throw notPacked()
}

function notPacked(): TypeError {
  return new TypeError('not packed rows')
}
