/** A lake as tests read it. */
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'

/** A row by the names of its columns, with the project and the month of its folder. */
export type LakeRow = Readonly<Record<string, unknown>>

/** The rows of each table. */
export type Lake = ReadonlyMap<string, readonly LakeRow[]>

/** Reads all files of a lake. */
export async function readLake(folder: string): Promise<Lake> {
  const tables = new Map<string, LakeRow[]>()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    file => file.isFile() && file.name.endsWith('.parquet'),
  )
  for (const { parentPath, name } of files) {
    const [table = '', ...parts] = relative(folder, parentPath).split(sep)
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(parentPath, name)) })
    const partition = Object.fromEntries(parts.map(partOf))
    tables.set(table, [...(tables.get(table) ?? []), ...rows.map(row => ({ ...row, ...partition }))])
  }
  return tables
}

function partOf(part: string): readonly [string, string | null] {
  const [name = '', value = ''] = part.split('=')
  return [name, value === '__HIVE_DEFAULT_PARTITION__' ? null : decodeURIComponent(value)]
}

/** The rows as texts, in an order that depends on nothing else. */
export function sortedRows(lake: Lake): Readonly<Record<string, readonly string[]>> {
  const texts = [...lake].map(([table, rows]) => [table, rows.map(rowText).sort()] as const)
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function rowText(row: LakeRow): string {
  const cells = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(cells, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
}

/** How many rows there are of each key. */
export function countBy(
  rows: readonly LakeRow[] | undefined,
  keyOf: (row: LakeRow) => unknown,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const row of rows ?? []) counts[String(keyOf(row))] = (counts[String(keyOf(row))] ?? 0) + 1
  return counts
}

/** The sum of a column. */
export function sumOf(rows: readonly LakeRow[] | undefined, column: string): number {
  return (rows ?? []).reduce((sum, row) => sum + Number(row[column] ?? 0), 0)
}
