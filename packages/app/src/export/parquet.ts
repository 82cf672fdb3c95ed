/** A session as tables: nodes, messages, tools and usage, for those who ask with SQL. */
import { actorName, entryId } from '@dagline/core'
import { costOf } from '@dagline/core/measure'
import { type Block, ROW_KINDS, ROW_MARKS, type RowContent, type SheetLine } from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import type { ExportedSession } from './exported-session.js'

/** A table. Its columns are made when they are asked for, so that those of one table are in memory at a time. */
export interface Table {
  readonly name: string
  readonly columns: () => readonly ColumnSource[]
}

type Type = 'STRING' | 'INT32' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP' | 'JSON'
/** Columns by their names: the type, and the value of a row. */
type Shape<T> = Readonly<Record<string, readonly [type: Type, value: (row: T) => unknown]>>

/** The bytes of a table. */
export function tableBytes({ columns }: Table): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData: [...columns()] }))
}

/** All tables of a session. */
export function tablesOf(exported: ExportedSession, redactor: Redactor | null): readonly Table[] {
  const contents = exported.contents(0, exported.sheet.rows.node.length, redactor)
  const nodes = nodeRows(exported)
  return [
    { name: 'nodes', columns: () => columnsOf(nodes, NODES, redactor) },
    { name: 'messages', columns: () => columnsOf(messageRows(nodes, contents), MESSAGES, redactor) },
    { name: 'tools', columns: () => columnsOf(toolRows(nodes, contents), TOOLS, redactor) },
    { name: 'usage', columns: () => columnsOf(usageRows(exported, nodes), USAGE, redactor) },
  ]
}

/** The texts in tables, for a last look. */
export function* textsIn(tables: readonly Table[]): Generator<string> {
  for (const { columns } of tables)
    for (const { data } of columns()) for (const value of data) if (typeof value === 'string') yield value
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

function nodeRows({ sheet, loaded: { graph } }: ExportedSession): readonly NodeRow[] {
  const { rows } = sheet
  return rows.node.flatMap((id, at) => {
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

interface MessageRow {
  readonly at: NodeRow
  readonly model: string | null
  readonly version: string | null
  readonly text: string
  readonly thinking: string
}

/** Every row with words in it. */
function messageRows(nodes: readonly NodeRow[], contents: readonly RowContent[]): readonly MessageRow[] {
  return nodes.flatMap(at => {
    const { model = null, version = null, blocks = [] } = contents[at.index] ?? {}
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

function toolRows(nodes: readonly NodeRow[], contents: readonly RowContent[]): readonly ToolRow[] {
  return nodes.flatMap(at =>
    (contents[at.index]?.blocks ?? []).flatMap(block => (block.kind === 'call' ? [{ at, call: block }] : [])),
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
function usageRows({ messages }: ExportedSession, nodes: readonly NodeRow[]): readonly UsageOf[] {
  const seen = new Set<string>()
  return nodes.flatMap(at => {
    const usage = at.message === null ? undefined : messages.get(at.message)
    if (usage === undefined || seen.has(usage.message)) return []
    seen.add(usage.message)
    return [{ at, usage }]
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
