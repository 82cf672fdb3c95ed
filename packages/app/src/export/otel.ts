/**
 * Y8: a session as spans of OpenTelemetry, by the conventions for generative AI: JSON lines of OTLP, which collectors read.
 *
 *   invoke_agent claude-code          the session, a trace of its own
 *     turn                            a prompt and what follows on its line; branches say what became of them
 *       chat MODEL                    an API message, with what it used
 *       execute_tool TOOL             a call, until its result
 *         invoke_agent TYPE           the subagent that it started, with its own turns
 *
 * What a session shares with the one that it comes from is in the trace of that one: a link leads there.
 */
import { entryId, type Graph } from '@dagline/core'
import { costOf, type MessageUsage } from '@dagline/core/measure'
import { asObject, asText, writeJson } from '@dagline/core/parse'
import {
  type Block,
  ROW_MARKS,
  type RowContent,
  type SheetLine,
  type ToolCallContent,
} from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { currentPrices } from '../host/prices.js'
import { VERSION } from '../text/version.js'
import type { ExportedSession } from './exported-session.js'
import { type Attribute, attributesOf, nanoseconds, spanId, traceId } from './otel-ids.js'

/** Rows whose contents are read, and spans that are written, together. */
const TOGETHER = 256
const INTERNAL = 1
const CLIENT = 3
const ERROR = 2

interface Link {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: readonly Attribute[]
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly links?: readonly Link[]
  readonly status?: { readonly code: number }
}

/** The lines of a session. */
export function* otelPieces(exported: ExportedSession, redactor: Redactor | null): Generator<string> {
  let spans: Span[] = []
  for (const span of spansOf(openTrace(exported, redactor))) {
    spans.push(span)
    if (spans.length < TOGETHER) continue
    yield lineOf(exported, spans, redactor)
    spans = []
  }
  if (spans.length > 0) yield lineOf(exported, spans, redactor)
}

function lineOf({ sheet }: ExportedSession, spans: readonly Span[], redactor: Redactor | null): string {
  const shown = (text: string | null): string | null =>
    text === null ? null : (redactor?.text(text) ?? text)
  const resource = attributesOf({
    'service.name': 'claude-code',
    'dagline.project': shown(sheet.session.project),
    'dagline.cwd': shown(sheet.session.cwd),
  })
  const scope = { name: 'dagline', version: VERSION }
  const data = { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope, spans }] }] }
  return `${writeJson(data)}\n`
}

/** A row of the session's own. */
interface OwnRow {
  readonly index: number
  readonly node: string
  readonly line: SheetLine
  readonly time: number | null
  /** The row that begins its turn; null outside of turns. */
  readonly turn: number | null
  readonly message: string | null
}

/** A message of the model, over all its rows. */
interface Message {
  readonly first: number
  last: number
  /** When the request was sent, as far as that is known: when what came before was written. */
  readonly sent: number | null
  ended: number | null
}

/** A trace, and what its spans are looked up in. */
interface Trace {
  readonly exported: ExportedSession
  readonly redactor: Redactor | null
  readonly session: string
  readonly rows: ReadonlyMap<number, OwnRow>
  readonly messages: ReadonlyMap<string, Message>
  /** First and last time of turns, by their first rows, and of lines, by their numbers. */
  readonly turns: ReadonlyMap<number, Range>
  readonly lines: ReadonlyMap<SheetLine, Range>
  /** The calls that started subagents, by the subagents. */
  readonly calls: ReadonlyMap<string, string>
}

interface Range {
  first: number | null
  last: number | null
}

function openTrace(exported: ExportedSession, redactor: Redactor | null): Trace {
  const { sheet, loaded, session } = exported
  const rows = new Map<number, OwnRow>()
  const messages = new Map<string, Message>()
  const turns = new Map<number, Range>()
  const lines = new Map<SheetLine, Range>()
  const open = new Map<SheetLine, { turn: number | null; time: number | null }>()
  for (const [index, node] of sheet.rows.node.entries()) {
    const line = sheet.lines[sheet.rows.line[index] ?? -1]
    const known = nodeIn(loaded.graph, node)
    // What another session owns is in its trace.
    if (line === undefined || known === null || known.session !== session.id) continue
    const state = open.get(line) ?? { turn: null, time: null }
    open.set(line, state)
    if (((sheet.rows.marks[index] ?? 0) & ROW_MARKS.turn) !== 0) state.turn = index
    const time = sheet.rows.time[index] ?? null
    rows.set(index, { index, node, line, time, turn: state.turn, message: known.message })
    widen(lines, line, time)
    if (state.turn !== null) widen(turns, state.turn, time)
    if (known.message !== null) addMessage(messages, known.message, { index, time, sent: state.time })
    state.time = time ?? state.time
  }
  const calls = new Map(
    loaded.graph
      .agents()
      .flatMap(({ id, spawnedBy }) => (spawnedBy === null ? [] : [[String(id), String(spawnedBy.call.id)]])),
  )
  return { exported, redactor, session: session.id, rows, messages, turns, lines, calls }
}

function nodeIn(graph: Graph, id: string): ReturnType<Graph['node']> | null {
  const node = graph.index(entryId(id))
  return node === null ? null : graph.node(node)
}

function widen<K>(ranges: Map<K, Range>, key: K, time: number | null): void {
  const range = ranges.get(key) ?? { first: time, last: time }
  ranges.set(key, range)
  if (time === null) return
  range.first = Math.min(range.first ?? time, time)
  range.last = Math.max(range.last ?? time, time)
}

interface Part {
  readonly index: number
  readonly time: number | null
  readonly sent: number | null
}

function addMessage(messages: Map<string, Message>, id: string, { index, time, sent }: Part): void {
  const known = messages.get(id)
  if (known === undefined) messages.set(id, { first: index, last: index, sent: sent ?? time, ended: time })
  else Object.assign(known, { last: index, ended: time ?? known.ended })
}

function* spansOf(trace: Trace): Generator<Span> {
  yield sessionSpan(trace)
  for (const line of trace.lines.keys()) if (line.kind === 'agent') yield agentSpan(trace, line)
  const said = new Map<string, Block[]>()
  for (const { row, content } of contentsIn(trace)) {
    if (row.turn === row.index) yield turnSpan(trace, row, content)
    if (row.message !== null) {
      said.set(row.message, [...(said.get(row.message) ?? []), ...content.blocks])
      const message = trace.messages.get(row.message)
      if (message?.last === row.index) {
        yield chatSpan(trace, row, message, said.get(row.message) ?? [])
        said.delete(row.message)
      }
    }
    for (const block of content.blocks) if (block.kind === 'call') yield toolSpan(trace, row, block)
  }
}

function* contentsIn({
  exported,
  redactor,
  rows,
}: Trace): Generator<{ readonly row: OwnRow; readonly content: RowContent }> {
  const { length } = exported.sheet.rows.node
  for (let from = 0; from < length; from += TOGETHER) {
    const contents = exported.contents(from, Math.min(length, from + TOGETHER), redactor)
    for (const [at, content] of contents.entries()) {
      const row = rows.get(from + at)
      if (row !== undefined) yield { row, content }
    }
  }
}

/** What all spans of a trace have. */
function base(
  { session }: Trace,
  { first, last }: Readonly<Range>,
): Pick<Span, 'traceId' | 'startTimeUnixNano' | 'endTimeUnixNano'> {
  const start = first ?? last ?? 0
  return {
    traceId: traceId(session),
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, last ?? start)),
  }
}

function shown({ redactor }: Trace, text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  return redactor?.text(text) ?? text
}

function common({ session }: Trace, line: SheetLine | null): Readonly<Record<string, string | null>> {
  return {
    'gen_ai.conversation.id': session,
    'gen_ai.provider.name': 'anthropic',
    'dagline.line': line?.id ?? null,
    'dagline.line.kind': line?.kind ?? null,
    'dagline.status': line?.status ?? null,
  }
}

function sessionSpan(trace: Trace): Span {
  const { session, exported } = trace
  const { title, first, last, parent } = exported.sheet.session
  const ranges = [...trace.lines.values()]
  const times = ranges.flatMap(range => [range.first, range.last]).filter(time => time !== null)
  const own = times.length === 0 ? { first, last } : { first: Math.min(...times), last: Math.max(...times) }
  return {
    ...base(trace, own),
    spanId: spanId(session, 'session', session),
    name: 'invoke_agent claude-code',
    kind: INTERNAL,
    attributes: attributesOf({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'claude-code',
      ...common(trace, null),
      'dagline.title': shown(trace, title),
    }),
    ...(parent === null ? {} : { links: [linkTo(trace, parent.session, parent.node, parent.how)] }),
  }
}

/** A link to the span of an entry, which may be in the trace of another session. */
function linkTo({ exported }: Trace, session: string, entry: string, how: string): Link {
  const { graph } = exported.loaded
  const node = graph.index(entryId(entry))
  const known = node === null ? null : graph.node(node)
  const owner = known?.session ?? session
  const isTurn = node !== null && graph.startsTurn(node)
  return {
    traceId: traceId(owner),
    spanId:
      known?.message != null
        ? spanId(owner, 'chat', known.message)
        : spanId(owner, isTurn ? 'turn' : 'session', isTurn ? entry : owner),
    attributes: attributesOf({ 'dagline.link': how, 'dagline.node': entry }),
  }
}

function agentSpan(trace: Trace, line: SheetLine): Span {
  const { session, calls, lines } = trace
  const id = line.agent?.id ?? line.id
  const call = calls.get(id)
  return {
    ...base(trace, lines.get(line) ?? { first: null, last: null }),
    spanId: spanId(session, 'agent', id),
    parentSpanId:
      call === undefined || !hasTools(trace)
        ? spanId(session, 'session', session)
        : spanId(session, 'tool', call),
    name: `invoke_agent ${shown(trace, line.agent?.name) ?? 'unknown'}`,
    kind: INTERNAL,
    attributes: attributesOf({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': id,
      'gen_ai.agent.name': shown(trace, line.agent?.name),
      'gen_ai.agent.description': shown(trace, line.words),
      ...common(trace, line),
      'dagline.agent.state': line.agent?.state ?? null,
      'dagline.agent.depth': line.depth,
    }),
  }
}

/** The span that turns of a line are in. */
function lineSpan({ session }: Trace, line: SheetLine): string {
  return line.agent === null || line.agent === undefined
    ? spanId(session, 'session', session)
    : spanId(session, 'agent', line.agent.id)
}

/** The span that messages and calls of a row are in. */
function parentOf(trace: Trace, { turn, line }: OwnRow): string {
  const start = turn === null ? undefined : trace.rows.get(turn)
  return start === undefined ? lineSpan(trace, line) : spanId(trace.session, 'turn', start.node)
}

function turnSpan(trace: Trace, { node, line, index }: OwnRow, { blocks, version }: RowContent): Span {
  const isStart = line.kind === 'branch' && line.head === index
  const at = trace.exported.sheet.rows.node[line.at]
  return {
    ...base(trace, trace.turns.get(index) ?? { first: null, last: null }),
    spanId: spanId(trace.session, 'turn', node),
    parentSpanId: lineSpan(trace, line),
    name: 'turn',
    kind: INTERNAL,
    attributes: attributesOf({
      ...common(trace, line),
      'gen_ai.input.messages': messageJson({ role: 'user', parts: blocks.flatMap(partOf) }),
      'dagline.node': node,
      'dagline.version': version,
    }),
    ...(isStart && at !== undefined ? { links: [linkTo(trace, trace.session, at, 'branch')] } : {}),
  }
}

function chatSpan(trace: Trace, row: OwnRow, { sent, ended }: Message, blocks: readonly Block[]): Span {
  const id = row.message ?? row.node
  const usage = trace.exported.messages.get(id)
  const model = usage?.model ?? null
  const stop = stopReason(trace, row)
  const isFailed = blocks.some(({ kind }) => kind === 'error')
  return {
    ...base(trace, { first: sent, last: ended }),
    spanId: spanId(trace.session, 'chat', id),
    parentSpanId: parentOf(trace, row),
    name: `chat ${model ?? 'unknown'}`,
    kind: CLIENT,
    attributes: attributesOf({
      'gen_ai.operation.name': 'chat',
      ...common(trace, row.line),
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.response.id': id,
      'gen_ai.response.finish_reasons': stop === null ? null : [stop],
      ...(usage === undefined ? {} : usageAttributes(usage)),
      'gen_ai.output.messages': messageJson({
        role: 'assistant',
        parts: blocks.flatMap(partOf),
        finish_reason: finishReason(stop, blocks),
      }),
      'error.type': isFailed ? 'api_error' : null,
      'dagline.node': row.node,
    }),
    ...(isFailed ? { status: { code: ERROR } } : {}),
  }
}

/** Why the model stopped, as the last row of a message records it; null where it does not. */
function stopReason(trace: Trace, { node }: OwnRow): string | null {
  const index = trace.exported.loaded.graph.index(entryId(node))
  const record = index === null ? null : trace.exported.record(index)
  return shown(trace, asText(asObject(record?.message)?.stop_reason))
}

/** What the conventions call the reasons of the API. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['tool_use', 'tool_call'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
])

/** Why a message ended. The conventions want a reason in every message; many releases record none, and then its blocks tell. */
function finishReason(stop: string | null, blocks: readonly Block[]): string {
  if (blocks.some(({ kind }) => kind === 'error')) return 'error'
  if (stop !== null) return FINISH_REASONS.get(stop) ?? stop
  return blocks.some(({ kind }) => kind === 'call') ? 'tool_call' : 'stop'
}

/** By the conventions, input tokens are all that was sent, cached or not. */
function usageAttributes(usage: MessageUsage): Readonly<Record<string, number | null>> {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    'gen_ai.usage.input_tokens': usage.input + usage.cacheRead + written,
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': written,
    'dagline.cost_usd': costOf(usage, currentPrices()),
  }
}

/** Whether calls are exported. */
function hasTools({ exported }: Trace): boolean {
  return exported.sheet.rows.marks.some(marks => (marks & ROW_MARKS.calls) !== 0)
}

function toolSpan(trace: Trace, row: OwnRow, { id, name, input, result, late }: ToolCallContent): Span {
  const state = result?.state ?? null
  const isFailed = state === 'error' || state === 'denied' || state === 'interrupted'
  return {
    ...base(trace, { first: row.time, last: result?.time ?? lateTime(trace, late) ?? row.time }),
    spanId: spanId(trace.session, 'tool', id),
    parentSpanId: parentOf(trace, row),
    name: `execute_tool ${name}`,
    kind: INTERNAL,
    attributes: attributesOf({
      'gen_ai.operation.name': 'execute_tool',
      ...common(trace, row.line),
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': writeJson(input),
      'gen_ai.tool.call.result': result?.text.text ?? null,
      'error.type': isFailed ? state : null,
      'dagline.tool.ending': state ?? (late === undefined ? 'unanswered' : 'late'),
      'dagline.node': row.node,
    }),
    ...(isFailed ? { status: { code: ERROR } } : {}),
  }
}

/** T4: when a result was written that came after the assistant had continued. */
function lateTime({ exported }: Trace, late: string | undefined): number | null {
  return late === undefined ? null : (nodeIn(exported.loaded.graph, late)?.time ?? null)
}

/** A message as the conventions write it. */
interface ConventionalMessage {
  readonly role: 'user' | 'assistant'
  readonly parts: readonly object[]
  readonly finish_reason?: string
}

/** A message as the value of an attribute; null where it says nothing. */
function messageJson(message: ConventionalMessage): string | null {
  return message.parts.length === 0 ? null : writeJson([message])
}

function partOf(block: Block): readonly object[] {
  switch (block.kind) {
    case 'text':
    case 'error':
    case 'note':
      return [{ type: 'text', content: block.text.text }]
    case 'thinking':
      return [{ type: 'reasoning', content: block.text.text }]
    case 'command':
      return [{ type: 'text', content: `${block.name} ${block.args}`.trim() }]
    case 'call':
      return [{ type: 'tool_call', id: block.id, name: block.name, arguments: block.input }]
    default:
      return []
  }
}
