/** Tables as Parquet: rows are written and let go as they come. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Cell, type Column, type ColumnType, PARTITION_COLUMNS } from '@dagline/core/tables'
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'

/** A Parquet file that is being written. */
export interface ParquetFile {
  readonly path: string
  /** Rows that are not written yet. */
  readonly held: () => number
  /** Adds a row: the cells of its columns, in their order. */
  readonly add: (row: readonly Cell[]) => void
  /** Writes the rows that are held. */
  readonly flush: () => void
  /** Writes the rest. Returns how many rows the file has. */
  readonly finish: () => number
  /** Removes what was written. */
  readonly discard: () => void
}

/** Begins a file. Nobody else may read it. */
export function createParquet(path: string, columns: readonly Column[]): ParquetFile {
  const bytes = new ByteWriter()
  const sources = (rows: readonly (readonly Cell[])[]): ColumnSource[] =>
    columns.map(({ name, type }, at) => ({
      name,
      type: PARQUET_TYPES[type],
      nullable: true,
      data: rows.map(row => stored(type, row[at] ?? null)),
    }))
  const writer = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: sources([]) }),
  })
  let held: (readonly Cell[])[] = []
  let written = 0
  writeFileSync(path, '', { mode: 0o600 })
  const append = (): void => {
    appendFileSync(path, bytes.getBytes())
    bytes.index = 0
  }
  const flush = (): void => {
    if (held.length === 0) return
    written += held.length
    writer.write({ columnData: sources(held), rowGroupSize: held.length })
    held = []
    append()
  }
  return {
    path,
    held: () => held.length,
    add: row => {
      held.push(row)
    },
    flush,
    finish: () => {
      flush()
      writer.finish()
      append()
      return written
    },
    discard: () => rmSync(path, { force: true }),
  }
}

const PARQUET_TYPES = {
  text: 'STRING',
  integer: 'INT64',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
} as const satisfies Readonly<Record<ColumnType, ColumnSource['type']>>

/** Transcripts may hold any number: what a column cannot hold is not known, or the largest that it can. */
function stored(type: ColumnType, cell: Cell): unknown {
  if (cell === null) return undefined
  if (type === 'text' || type === 'boolean') return cell
  const number = Number(cell)
  if (!Number.isFinite(number)) return undefined
  if (type === 'double') return number
  if (type === 'time') return Math.abs(number) <= LAST_TIME ? new Date(number) : undefined
  return BigInt(Math.trunc(Math.max(-LARGEST, Math.min(LARGEST, number))))
}

/** The latest time that a date of JavaScript can hold. */
const LAST_TIME = 8.64e15
/** Below the largest number of 64 bits, and a number of JavaScript. */
const LARGEST = 2 ** 62

/** The columns of a file in a lake: those that the folders name are not in it. */
export function withoutPartition<T>(columns: readonly T[]): readonly T[] {
  return columns.slice(PARTITION_COLUMNS.length)
}
