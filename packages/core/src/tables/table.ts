/**
 * Y1: tables for SQL. A table is defined once, with its columns and what each of them means; the schema of Parquet files, the
 * tables of `dagline sql` and docs/TABLES.md are made from the definition.
 */
import type { TableContext } from './context.js'

/** What a column holds. Times are milliseconds since 1970, in UTC; integers may need 64 bits. */
export type ColumnType = 'text' | 'integer' | 'double' | 'boolean' | 'time'

/** A value of a row; null where it is not known. */
export type Cell = string | number | boolean | null

/** A column of a table. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** What it means, in one sentence. */
  readonly about: string
}

/** The values of a row, in the order of the columns. */
export type TableRow = readonly Cell[]

/** A table: what a row stands for, its columns, and the rows of a file group. */
export interface Table {
  readonly name: string
  readonly about: string
  readonly columns: readonly Column[]
  /** The rows of one file group, made as they are asked for. */
  readonly rows: (context: TableContext) => Iterable<TableRow>
}

/** The columns that every table begins with: lakes are partitioned by them. */
export const PARTITION_COLUMNS: readonly Column[] = [
  {
    name: 'project',
    type: 'text',
    about: 'The folder of the project below the root, such as `-home-ada-shop`.',
  },
  {
    name: 'month',
    type: 'text',
    about: 'The month of the time of the row in UTC, such as `2026-01`; null where the row has no time.',
  },
]

/** A column, and how its value is found. */
interface ColumnOf<T> {
  readonly type: ColumnType
  readonly about: string
  readonly value: (item: T, context: TableContext) => Cell | undefined
}

/** How a table is made of the items of a file group. */
interface TableOf<T> {
  readonly about: string
  readonly items: (context: TableContext) => Iterable<T>
  readonly projectOf: (item: T, context: TableContext) => string
  /** The time that the month is that of. */
  readonly timeOf: (item: T, context: TableContext) => number | null
  readonly columns: Readonly<Record<string, ColumnOf<T>>>
}

/** Defines a table. */
export function defineTable<T>(
  name: string,
  { about, items, projectOf, timeOf, columns }: TableOf<T>,
): Table {
  const own = Object.entries(columns)
  return {
    name,
    about,
    columns: [
      ...PARTITION_COLUMNS,
      ...own.map(([column, { type, about: meaning }]) => ({ name: column, type, about: meaning })),
    ],
    *rows(context) {
      for (const item of items(context)) {
        const cells = own.map(([, { value }]) => value(item, context) ?? null)
        yield [projectOf(item, context), monthOf(timeOf(item, context)), ...cells]
      }
    },
  }
}

const MONTH = 'YYYY-MM'.length
/** The latest time that a date of JavaScript can hold. */
const LAST_TIME = 8.64e15

/** `2026-01`, in UTC: the same on every machine. */
function monthOf(time: number | null): string | null {
  if (time === null || !(Math.abs(time) <= LAST_TIME)) return null
  const day = new Date(time).toISOString()
  // Years beyond four digits have a sign and six of them.
  return day.slice(0, day.indexOf('-', 1) + MONTH - 'YYYY'.length)
}

type Value<T, V> = (item: T, context: TableContext) => V | null | undefined

/** A column of texts. */
export function text<T>(about: string, value: Value<T, string>): ColumnOf<T> {
  return { type: 'text', about, value }
}

/** A column of whole numbers. */
export function integer<T>(about: string, value: Value<T, number>): ColumnOf<T> {
  return { type: 'integer', about, value }
}

/** A column of numbers. */
export function double<T>(about: string, value: Value<T, number>): ColumnOf<T> {
  return { type: 'double', about, value }
}

/** A column of truths. */
export function boolean<T>(about: string, value: Value<T, boolean>): ColumnOf<T> {
  return { type: 'boolean', about, value }
}

/** A column of times. */
export function time<T>(about: string, value: Value<T, number>): ColumnOf<T> {
  return { type: 'time', about, value }
}
