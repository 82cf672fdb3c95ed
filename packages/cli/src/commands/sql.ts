/** `dagline sql`: queries over the tables of docs/TABLES.md. */
import { text as textOf } from 'node:stream/consumers'
import {
  BUILT_IN_QUERIES,
  SQL_FORMATS,
  type SqlAnswer,
  type SqlValue,
  sqlPieces,
  UserError,
} from '@dagline/app'
import { bytes } from '@dagline/core/format'
import { TABLES, type Table } from '@dagline/core/tables'
import { type AddCommand, choice, defineCommand, flag, INDEX, text, type Values } from '../command.js'
import type { Console } from '../console.js'
import { nearest } from '../near.js'
import { shared } from '../options.js'
import { type Column, tableLines } from '../print/table.js'

const OPTIONS = {
  index: INDEX,
  format: choice('--format <format>', 'format of the output', SQL_FORMATS, 'table'),
  out: text(...shared('out', ': a file; parquet needs one')),
  force: flag('--force', 'overwrite an existing file'),
  list: flag('--list', 'list the built-in queries'),
  duckdb: text('--duckdb <folder>', 'folder that has @duckdb/node-api (default: DAGLINE_DUCKDB)'),
}

type Options = Values<typeof OPTIONS>

export const sqlCommand: AddCommand = defineCommand({
  usage: 'sql [query]',
  description: 'Query sessions, messages, tool calls, usage, branches, subagents and more with SQL.',
  options: OPTIONS,
  isEverywhere: true,
  examples: [
    'dagline sql',
    'dagline sql usage',
    'dagline sql --list',
    'dagline sql @cost-by-branch',
    'dagline sql "SELECT tool, count(*) FROM tool_calls GROUP BY tool ORDER BY 2 DESC"',
    'dagline sql @files-touched --format csv > files.csv',
    'dagline sql "FROM usage" --format parquet --out usage.parquet',
    'dagline sql - < query.sql',
  ],
  notes: `
QUERY is SQL for DuckDB, "@NAME" for a built-in query, or "-" to read stdin. Without QUERY, the tables are
listed; the name of a table lists its columns. DuckDB is not part of dagline: \`npm install -g @duckdb/node-api\`.
Queries can read the tables and nothing else: no other files, no network, no extensions.
`,
  run: async (console, [word], options) => {
    if (options.list) return await printQueries(console)
    const table = TABLES.find(({ name }) => name === word)
    if (word === undefined) return await printTables(console)
    if (table !== undefined) return await printColumns(console, table)
    const query = await queryOf(word)
    if (options.out !== null || options.format === 'parquet') return await writeFile(console, query, options)
    await console.history.sql(query, options, answer => printAnswer(console, answer, options))
  },
})

/** The SQL that a word means. */
async function queryOf(word: string): Promise<string> {
  if (word === '-') return await textOf(process.stdin)
  if (!word.startsWith('@')) return word
  const name = word.slice(1)
  const builtIn = BUILT_IN_QUERIES.find(query => query.name === name)
  if (builtIn !== undefined) return builtIn.sql
  const near = nearest(
    name,
    BUILT_IN_QUERIES.map(query => query.name),
  )
  const guess = near === null ? '' : ` Did you mean @${near}?`
  throw new UserError(`There is no query @${name}. Run \`dagline sql --list\` to list them.${guess}`)
}

async function writeFile(console: Console, query: string, options: Options): Promise<void> {
  const { out, force } = options
  if (out === null || out === '-') throw new UserError('Parquet is not text. Give a file with --out.')
  const format = options.format === 'table' ? 'csv' : options.format
  const written = await console.history.writeSql(query, options, { path: out, format, force })
  if (console.options.json) await console.printJson('sql', { written })
  else console.note(`${written.path}: ${bytes(written.bytes)}`)
}

async function printAnswer(console: Console, answer: SqlAnswer, { format }: Options): Promise<void> {
  const isJson = console.options.json || format === 'json'
  if (isJson) await console.write(sqlPieces(answer, 'json'), 'json')
  else if (format === 'jsonl') await console.write(sqlPieces(answer, format), 'json')
  else if (format === 'csv') await console.write(sqlPieces(answer, format), 'text')
  else await printTable(console, answer)
}

type Row = readonly SqlValue[]

async function printTable(console: Console, answer: SqlAnswer): Promise<void> {
  const rows: Row[] = []
  for await (const part of answer.rows) rows.push(...part)
  if (rows.length === 0) return console.note('No rows.')
  await console.print(tableLines(rows, columnsOf(answer, rows), console))
}

/** Where there is little room, the longest text is cut. */
function columnsOf({ columns }: SqlAnswer, rows: readonly Row[]): readonly Column<Row>[] {
  const lengths = columns.map((_, at) =>
    rows.reduce((most, row) => (typeof row[at] === 'string' ? Math.max(most, row[at].length) : most), 0),
  )
  const longest = lengths.indexOf(Math.max(...lengths))
  return columns.map(({ name, type }, at) => ({
    title: name,
    text: row => cellText(row[at] ?? null, type),
    align: isNumber(type) ? 'right' : 'left',
    flexible: at === longest && (lengths[at] ?? 0) > 0,
  }))
}

function isNumber(type: string): boolean {
  return /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|DECIMAL.*)$/.test(type)
}

/** Times are shown without their fractions, in UTC as they are stored. */
function cellText(value: SqlValue, type: string): string {
  if (value === null) return ''
  return type.startsWith('TIMESTAMP') ? String(value).slice(0, 19).replace('T', ' ') : String(value)
}

async function printQueries(console: Console): Promise<void> {
  if (console.options.json) return await console.printJson('sql', { queries: BUILT_IN_QUERIES })
  const columns: readonly Column<(typeof BUILT_IN_QUERIES)[number]>[] = [
    { title: 'query', text: ({ name }) => `@${name}` },
    { title: 'what it answers', text: ({ about }) => about, flexible: true, wraps: true },
  ]
  await console.print(tableLines(BUILT_IN_QUERIES, columns, console))
}

async function printTables(console: Console): Promise<void> {
  const tables = TABLES.map(({ name, about, columns }) => ({ name, about, columns }))
  if (console.options.json) return await console.printJson('sql', { tables })
  const columns: readonly Column<(typeof tables)[number]>[] = [
    { title: 'table', text: ({ name }) => name },
    { title: 'what a row is', text: ({ about }) => about, flexible: true, wraps: true },
  ]
  await console.print(tableLines(tables, columns, console))
  console.note(
    'Run `dagline sql usage` for the columns of a table, and `dagline sql --list` for built-in queries.',
  )
}

async function printColumns(console: Console, { name, about, columns }: Table): Promise<void> {
  if (console.options.json) return await console.printJson('sql', { tables: [{ name, about, columns }] })
  const shown: readonly Column<Table['columns'][number]>[] = [
    { title: 'column', text: column => column.name },
    { title: 'type', text: ({ type }) => type },
    { title: 'what it means', text: column => column.about, flexible: true, wraps: true },
  ]
  await console.print(tableLines(columns, shown, console))
}
