/**
 * P12: the only walk over the contents of a record. Blocks for the page, texts for the index, summaries for `log` and usage
 * are made from its parts, so they always agree. Unknown kinds are parts, too.
 */
import type { ResultState, ToolResult, TranscriptRecord } from '../model/entry.js'
import { blocksOf, resultState } from '../parse/content.js'
import { asObject, asText, type Json } from '../parse/json.js'
import { unknownType } from '../parse/known.js'
import { readRecord } from '../parse/row.js'
import { attachmentPart, onlyText, progressPart, recordPart, systemPart } from './beside.js'
import { blockText, resultText } from './kinds.js'

/** One part of a record, with whole texts. */
export type Part =
  /** Text of a person, of Claude, or of the client in their place. */
  | { readonly kind: 'text'; readonly text: string }
  /** The text is empty where only a signature or encrypted data was recorded. */
  | { readonly kind: 'thinking'; readonly text: string }
  | CallPart
  | ResultPart
  /** `source` is as recorded: bytes, an address or the id of a file. */
  | { readonly kind: 'image'; readonly source: Json }
  | NotePart
  | { readonly kind: 'error'; readonly text: string }

export interface CallPart {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** Calls of the API's own tools are answered within the message. */
  readonly answeredBy: 'client' | 'api'
}

export interface ResultPart {
  readonly kind: 'result'
  /** The id of the call that it answers. */
  readonly call: string
  readonly state: ResultState
  readonly text: string
  /** As recorded. */
  readonly content: unknown
}

/** Whether a call failed, was denied or interrupted. */
export function isFailed({ state }: ResultPart): boolean {
  return state !== 'ok' && state !== 'spilled'
}

/** Any other content: a document, an upload, a hook, a notice, and every kind that is not known. */
export interface NotePart {
  readonly kind: 'note'
  /** The kind as recorded: the type of the block, attachment or record. */
  readonly label: string
  /** The file or hook that it is about; null for most. */
  readonly subject: string | null
  /** Null where the kind has no text of its own, or is not known; then `value` has all. */
  readonly text: string | null
  /** As recorded, without the fields that every record has; a notice with a text has none. */
  readonly value: Json
}

/** The record that an object of a transcript holds. */
export function recordOf(json: Json): TranscriptRecord {
  return readRecord(json, { row: 0, offset: 0, length: 0, text: '', whole: true })
}

/** The parts of a record, in their order. */
export function readParts(json: Json, record: TranscriptRecord): readonly Part[] {
  switch (record.kind) {
    case 'user':
      // Descriptions of the format have the content of results at the top of a record.
      return contentParts(asObject(json.message) ?? json, json, record.results)
    case 'assistant':
      return messageParts(json)
    case 'attachment':
      if (record.queued !== null) return queuedParts(json)
      return [attachmentPart(asObject(json.attachment) ?? {}, isKnown(record))]
    case 'system':
      return [systemPart(json, isKnown(record))]
    case 'progress':
      return [progressPart(asObject(json.data) ?? {}, isKnown(record))]
    case 'queue':
      return contentParts(json, json)
    default:
      return [recordPart(json)]
  }
}

/** The parts of a record's message alone, whatever the record is. */
export function messageParts(json: Json): readonly Part[] {
  return json.subtype === 'tool_use' ? [describedCall(json)] : contentParts(asObject(json.message), json)
}

function isKnown(record: TranscriptRecord): boolean {
  return unknownType(record) === null
}

function queuedParts(json: Json): readonly Part[] {
  return contentParts({ content: asObject(json.attachment)?.prompt }, json)
}

function contentParts(
  message: Json | null,
  json: Json,
  results: readonly ToolResult[] = [],
): readonly Part[] {
  const parts: Part[] = []
  for (const block of blocksOf(message)) {
    const part = partOf(block, json, results)
    if (part !== null) parts.push(part)
  }
  return parts
}

/** The part for a block; null for an empty text. */
function partOf(block: Json, json: Json, results: readonly ToolResult[]): Part | null {
  const { type } = block
  switch (type) {
    case 'text': {
      const text = asText(block.text)
      return text === null ? null : { kind: 'text', text }
    }
    case 'thinking':
    case 'redacted_thinking':
      return { kind: 'thinking', text: asText(block.thinking) ?? '' }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return callPart(block)
    case 'image':
      return { kind: 'image', source: asObject(block.source) ?? {} }
    default:
      return isResult(block) ? resultPart(block, json, results) : otherPart(block)
  }
}

function callPart(block: Json): CallPart {
  return {
    kind: 'call',
    id: asText(block.id) ?? '',
    name: toolName(block),
    input: block.input,
    answeredBy: block.type === 'tool_use' ? 'client' : 'api',
  }
}

/** Tools of MCP servers that the API calls are named as Claude Code names those that it calls itself. */
function toolName(block: Json): string {
  const name = asText(block.name) ?? ''
  const server = block.type === 'mcp_tool_use' ? asText(block.server_name) : null
  return server === null ? name : `mcp__${server}__${name}`
}

/** `tool_result`, `mcp_tool_result`, `web_search_tool_result` and similar. */
function isResult({ type, tool_use_id }: Json): boolean {
  return typeof type === 'string' && type.endsWith('tool_result') && asText(tool_use_id) !== null
}

function resultPart(block: Json, json: Json, results: readonly ToolResult[]): ResultPart {
  const call = asText(block.tool_use_id) ?? ''
  return {
    kind: 'result',
    call,
    // The record has the states of results that the client wrote.
    state: results.find(({ id }) => id === call)?.state ?? resultState(block, json),
    text: resultText(block.content),
    content: block.content,
  }
}

function otherPart(block: Json): NotePart {
  const { type, ...value } = block
  return {
    kind: 'note',
    label: asText(type) ?? 'block',
    subject: null,
    text: blockText(block) ?? onlyText(value),
    value,
  }
}

/** In descriptions of the format a call is the entry itself: its uuid is the id of the call. */
function describedCall(json: Json): CallPart {
  return {
    kind: 'call',
    id: asText(json.uuid) ?? '',
    name: asText(json.toolName) ?? '',
    input: json.toolArguments,
    answeredBy: 'client',
  }
}
