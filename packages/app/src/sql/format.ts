/** Answers to queries as CSV and JSON. */
import type { SqlAnswer } from './sql.js'

export const SQL_FORMATS = ['table', 'csv', 'json', 'jsonl', 'parquet'] as const

/** How an answer is written. */
export type SqlFormat = (typeof SQL_FORMATS)[number]

/** A value of an answer. */
export type SqlValue = string | number | boolean | null

/** The text of an answer, piece by piece. Tables are for people, and Parquet is written by DuckDB: both become CSV here. */
export async function* sqlPieces(answer: SqlAnswer, format: SqlFormat): AsyncGenerator<string> {
  if (format === 'json') yield* jsonPieces(answer)
  else if (format === 'jsonl') yield* jsonlPieces(answer)
  else yield* csvPieces(answer)
}

async function* csvPieces({ columns, rows }: SqlAnswer): AsyncGenerator<string> {
  yield csvLine(columns.map(({ name }) => name))
  for await (const part of rows) yield part.map(csvLine).join('')
}

/** RFC 4180, with the line ends of Unix. Null is empty, and an empty text is quoted. */
function csvLine(cells: readonly SqlValue[]): string {
  return `${cells.map(csvCell).join(',')}\n`
}

function csvCell(cell: SqlValue): string {
  if (cell === null) return ''
  const text = String(cell)
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

async function* jsonPieces({ columns, rows }: SqlAnswer): AsyncGenerator<string> {
  yield `{"dagline":1,"columns":${JSON.stringify(columns)},"rows":[`
  let isFirst = true
  for await (const part of rows) {
    const texts = part.map(row => JSON.stringify(namedRow(columns, row)))
    if (texts.length === 0) continue
    yield `${isFirst ? '\n' : ',\n'}${texts.join(',\n')}`
    isFirst = false
  }
  yield '\n]}\n'
}

async function* jsonlPieces({ columns, rows }: SqlAnswer): AsyncGenerator<string> {
  for await (const part of rows)
    yield part.map(row => `${JSON.stringify({ dagline: 1, ...namedRow(columns, row) })}\n`).join('')
}

function namedRow(
  columns: SqlAnswer['columns'],
  row: readonly SqlValue[],
): Readonly<Record<string, SqlValue>> {
  return Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null]))
}
