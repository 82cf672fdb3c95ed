/** A session as tables: nodes, messages, tools and usage, for those who ask with SQL. */
import { actorName, entryId } from '@dagline/core'
import { costOf } from '@dagline/core/measure'
import { type Block, ROW_KINDS, ROW_MARKS, type RowContent, type SheetLine } from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { ExportedSession } from './exported-session.js'

/** Rows that are made, written and let go together. */
const ROWS_AT_ONCE = 4096

type Type = 'STRING' | 'INT32' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP' | 'JSON'
/** Columns by their names: the type, and the value of a row. */
type Shape<T> = Readonly<Record<string, readonly [type: Type, value: (row: T) => unknown]>>

/** Some rows of every table, by the table's name. */
type TableRows = ReadonlyMap<string, readonly ColumnSource[]>

/**
 * Y2: whether a row counts for a session, where several are exported. `what` names it, `owner` is the session that owns it.
 * Each counts for its owner; where that is not exported, for the session that asks first.
 */
export type CountsFor = (session: string, what: string, owner: string | null) => boolean

/** Each row counts for one of some sessions. */
export function createCounting(exported: ReadonlySet<string>): CountsFor {
  const owners = new Map<string, string>()
  return (session, what, owner) => {
    const known = owners.get(what) ?? (owner !== null && exported.has(owner) ? owner : session)
    owners.set(what, known)
    return known === session
  }
}

/** The rows of all tables of a session, made as they are asked for. The first part has every table. */
export function* tableRows(
  exported: ExportedSession,
  redactor: Redactor | null,
  countsFor: CountsFor,
): Generator<TableRows> {
  const counted = new Set<string>()
  const { length } = exported.sheet.rows.node
  for (let from = 0; from === 0 || from < length; from += ROWS_AT_ONCE) {
    const to = Math.min(length, from + ROWS_AT_ONCE)
    const contents = exported.contents(from, to, redactor)
    const nodes = nodeRows(exported, from, to).filter(({ node, session }) =>
      countsFor(exported.session.id, node, session),
    )
    const contentOf: ContentOf = ({ index }) => contents[index - from]
    yield new Map([
      ['nodes', columnsOf(nodes, NODES, redactor)],
      ['messages', columnsOf(messageRows(nodes, contentOf), MESSAGES, redactor)],
      ['tools', columnsOf(toolRows(nodes, contentOf), TOOLS, redactor)],
      ['usage', columnsOf(usageRows(exported, nodes, counted, countsFor), USAGE, redactor)],
    ])
  }
}

/** The bytes of each table, by its name. */
export function tableBytes(parts: Iterable<TableRows>): ReadonlyMap<string, Uint8Array> {
  const open = new Map<string, { readonly bytes: ByteWriter; readonly table: ParquetWriter }>()
  for (const part of parts)
    for (const [name, columns] of part) {
      const columnData = [...columns]
      const at = open.get(name) ?? openTable(columnData)
      open.set(name, at)
      at.table.write({ columnData, rowGroupSize: ROWS_AT_ONCE })
    }
  return new Map([...open].map(([name, { bytes, table }]) => [name, finished(bytes, table)]))
}

function openTable(columnData: ColumnSource[]): {
  readonly bytes: ByteWriter
  readonly table: ParquetWriter
} {
  const bytes = new ByteWriter()
  return { bytes, table: new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData }) }) }
}

function finished(bytes: ByteWriter, table: ParquetWriter): Uint8Array {
  table.finish()
  return bytes.getBytes()
}

/** The texts in tables, for a last look. */
export function* textsIn(parts: Iterable<TableRows>): Generator<string> {
  for (const part of parts)
    for (const columns of part.values())
      for (const { data } of columns) for (const value of data) if (typeof value === 'string') yield value
}

function columnsOf<T>(
  rows: readonly T[],
  shape: Shape<T>,
  redactor: Redactor | null,
): readonly ColumnSource[] {
  return Object.entries(shape).map(([name, [type, value]]) => ({
    name,
    type,
    nullable: true,
    data: rows.map(row => typed(type, value(row), redactor)),
  }))
}

function typed(type: Type, value: unknown, redactor: Redactor | null): unknown {
  if (value === null || value === undefined) return undefined
  if (type === 'TIMESTAMP') return new Date(Number(value))
  if (type === 'INT64') return BigInt(Math.trunc(Number(value)))
  return redactor === null || typeof value !== 'string' ? value : redactor.text(value)
}

interface NodeRow {
  /** Its row of the sheet. */
  readonly index: number
  readonly node: string
  readonly parent: string | null
  readonly session: string
  readonly line: SheetLine | undefined
  readonly kind: string
  readonly actor: string
  readonly name: string | null
  readonly time: number | null
  readonly marks: number
  readonly file: string
  readonly row: number
  readonly bytes: number
  readonly message: string | null
}

function nodeRows(
  { sheet, loaded: { graph } }: ExportedSession,
  from: number,
  to: number,
): readonly NodeRow[] {
  const { rows } = sheet
  return rows.node.slice(from, to).flatMap((id, nth) => {
    const at = from + nth
    const node = graph.index(entryId(id))
    if (node === null) return []
    const { parent, session, file, row, message } = graph.node(node)
    return {
      index: at,
      node: id,
      parent,
      session,
      line: sheet.lines[rows.line[at] ?? -1],
      kind: ROW_KINDS[rows.kind[at] ?? -1] ?? 'other',
      actor: actorName(graph.actor(node)),
      name: sheet.names[rows.name[at] ?? -1] ?? null,
      time: rows.time[at] ?? null,
      marks: rows.marks[at] ?? 0,
      file,
      row,
      bytes: rows.size[at] ?? 0,
      message,
    }
  })
}

const isMarked = ({ marks }: NodeRow, mark: number): boolean => (marks & mark) !== 0

const NODES: Shape<NodeRow> = {
  node: ['STRING', row => row.node],
  parent: ['STRING', row => row.parent],
  session: ['STRING', row => row.session],
  line: ['STRING', row => row.line?.id],
  line_kind: ['STRING', row => row.line?.kind],
  status: ['STRING', row => row.line?.status],
  agent: ['STRING', row => row.line?.agent?.id],
  agent_name: ['STRING', row => row.line?.agent?.name],
  depth: ['INT32', row => row.line?.depth ?? 0],
  kind: ['STRING', row => row.kind],
  actor: ['STRING', row => row.actor],
  name: ['STRING', row => row.name],
  time: ['TIMESTAMP', row => row.time],
  live: ['BOOLEAN', row => isMarked(row, ROW_MARKS.live)],
  compacted: ['BOOLEAN', row => isMarked(row, ROW_MARKS.compacted)],
  failed: ['BOOLEAN', row => isMarked(row, ROW_MARKS.failed)],
  message: ['STRING', row => row.message],
  file: ['STRING', row => row.file],
  row: ['INT32', row => row.row],
  bytes: ['INT64', row => row.bytes],
}

type ContentOf = (row: NodeRow) => RowContent | undefined

interface MessageRow {
  readonly at: NodeRow
  readonly model: string | null
  readonly version: string | null
  readonly text: string
  readonly thinking: string
}

/** Every row with words in it. */
function messageRows(nodes: readonly NodeRow[], contentOf: ContentOf): readonly MessageRow[] {
  return nodes.flatMap(at => {
    const { model = null, version = null, blocks = [] } = contentOf(at) ?? {}
    const text = blocks.map(wordsIn).filter(Boolean).join('\n\n')
    const thinking = blocks
      .map(block => (block.kind === 'thinking' ? block.text.text : ''))
      .filter(Boolean)
      .join('\n\n')
    return text === '' && thinking === '' ? [] : [{ at, model, version, text, thinking }]
  })
}

function wordsIn(block: Block): string {
  if (block.kind === 'text' || block.kind === 'error' || block.kind === 'note') return block.text.text
  if (block.kind !== 'command') return ''
  return [`${block.name} ${block.args}`.trim(), block.output?.text ?? ''].filter(Boolean).join('\n')
}

const MESSAGES: Shape<MessageRow> = {
  node: ['STRING', row => row.at.node],
  session: ['STRING', row => row.at.session],
  line: ['STRING', row => row.at.line?.id],
  message: ['STRING', row => row.at.message],
  kind: ['STRING', row => row.at.kind],
  actor: ['STRING', row => row.at.actor],
  time: ['TIMESTAMP', row => row.at.time],
  model: ['STRING', row => row.model],
  version: ['STRING', row => row.version],
  text: ['STRING', row => row.text],
  thinking: ['STRING', row => (row.thinking === '' ? null : row.thinking)],
}

interface ToolRow {
  readonly at: NodeRow
  readonly call: Extract<Block, { readonly kind: 'call' }>
}

function toolRows(nodes: readonly NodeRow[], contentOf: ContentOf): readonly ToolRow[] {
  return nodes.flatMap(at =>
    (contentOf(at)?.blocks ?? []).flatMap(block => (block.kind === 'call' ? [{ at, call: block }] : [])),
  )
}

const TOOLS: Shape<ToolRow> = {
  call: ['STRING', row => row.call.id],
  node: ['STRING', row => row.at.node],
  session: ['STRING', row => row.at.session],
  line: ['STRING', row => row.at.line?.id],
  name: ['STRING', row => row.call.name],
  time: ['TIMESTAMP', row => row.at.time],
  input: ['STRING', row => JSON.stringify(row.call.input)],
  state: ['STRING', row => row.call.result?.state],
  result: ['STRING', row => row.call.result?.text.text],
  result_node: ['STRING', row => row.call.result?.node],
  result_time: ['TIMESTAMP', row => row.call.result?.time],
}

interface UsageOf {
  readonly at: NodeRow
  readonly usage: NonNullable<ReturnType<ExportedSession['messages']['get']>>
}

/** T3: each message once, at its first row. */
function usageRows(
  { messages, session }: ExportedSession,
  nodes: readonly NodeRow[],
  counted: Set<string>,
  countsFor: CountsFor,
): readonly UsageOf[] {
  return nodes.flatMap(at => {
    const usage = at.message === null ? undefined : messages.get(at.message)
    if (usage === undefined || counted.has(usage.message)) return []
    counted.add(usage.message)
    return countsFor(session.id, usage.message, null) ? [{ at, usage }] : []
  })
}

const USAGE: Shape<UsageOf> = {
  message: ['STRING', row => row.usage.message],
  node: ['STRING', row => row.at.node],
  session: ['STRING', row => row.at.session],
  line: ['STRING', row => row.at.line?.id],
  status: ['STRING', row => row.at.line?.status],
  agent_name: ['STRING', row => row.at.line?.agent?.name],
  model: ['STRING', row => row.usage.model],
  time: ['TIMESTAMP', row => row.usage.time],
  input: ['INT64', row => row.usage.input],
  output: ['INT64', row => row.usage.output],
  cache_read: ['INT64', row => row.usage.cacheRead],
  cache_write_5m: ['INT64', row => row.usage.cacheWrite5m],
  cache_write_1h: ['INT64', row => row.usage.cacheWrite1h],
  web_searches: ['INT64', row => row.usage.webSearches],
  cost_usd: ['DOUBLE', row => costOf(row.usage)],
}
