/**
 * What a record says, as blocks of plain text and plain data: what a page shows of a row. Nothing is left out for being
 * unknown: a block of an unknown kind becomes a note with its JSON.
 */
import type { ResultState, TranscriptRecord, UserMeaning } from '../model/entry.js'
import { blocksOf, resultsOf, textOf } from '../parse/content.js'
import { asObject, asObjects, asText, type Json } from '../parse/json.js'
import { readRecord } from '../parse/row.js'
import type { Block, ImageContent, ToolResultContent } from '../protocol/content.js'
import { cutText, cutValues } from './cut.js'
import { noteBlocks } from './notes.js'
import { readTagged } from './tagged.js'

/** The blocks of a record, texts cut to a limit in UTF-16 units. Calls are without their results: those stand elsewhere. */
export function readBlocks(json: Json, limit: number): readonly Block[] {
  const record = recordOf(json)
  switch (record.kind) {
    case 'user':
      return userBlocks(json, record.says, limit)
    case 'assistant':
      return assistantBlocks(json, limit)
    case 'attachment':
      return record.queued === null ? noteBlocks(json, limit) : queuedBlocks(json, limit)
    default:
      return noteBlocks(json, limit)
  }
}

/** The results of a record by the ids of their calls, texts cut to a limit. */
export function readResults(json: Json, limit: number): ReadonlyMap<string, ToolResultContent> {
  const blocks = contentOf(json).filter(isResult)
  const states = new Map(resultsOf(contentOf(json), json).map(({ id, state }) => [String(id), state]))
  // What the client recorded beside the text belongs to one result: no telling to which, where there are several.
  const facts = blocks.length === 1 ? asObject(json.toolUseResult) : null
  return new Map(
    blocks.map(block => {
      const id = asText(block.tool_use_id) ?? ''
      return [id, resultContent(json, { block, state: states.get(id) ?? stateOf(block), facts, limit })]
    }),
  )
}

function recordOf(json: Json): TranscriptRecord {
  return readRecord(json, { row: 0, offset: 0, length: 0, text: '', whole: true })
}

/** The content of a message. The seeds have results at the top of a record. */
function contentOf(json: Json): readonly Json[] {
  return blocksOf(asObject(json.message) ?? json)
}

function userBlocks(json: Json, says: UserMeaning, limit: number): readonly Block[] {
  const results = readResults(json, limit)
  return contentOf(json).flatMap(block => {
    if (!isResult(block)) return partBlocks(block, limit, text => said(text, says, limit))
    const result = results.get(asText(block.tool_use_id) ?? '')
    return result === undefined ? [] : [{ kind: 'result', tool: null, ...result } as const]
  })
}

/** Words of a user entry: a person's, or what the client put there. */
function said(text: string, says: UserMeaning, limit: number): Block {
  const block = readTagged(text, limit)
  if (block !== null) return block
  if (says === 'meta' || says === 'caveat' || says === 'interrupt' || says === 'notification')
    return { kind: 'note', label: says, text: cutText(text, limit) }
  return { kind: 'text', text: cutText(text, limit) }
}

function queuedBlocks(json: Json, limit: number): readonly Block[] {
  const attachment = asObject(json.attachment) ?? {}
  const isTyped = (asText(attachment.commandMode) ?? 'prompt') === 'prompt'
  const says = isTyped ? 'prompt' : 'notification'
  return blocksOf({ content: attachment.prompt }).flatMap(block =>
    partBlocks(block, limit, text => said(text, says, limit)),
  )
}

function assistantBlocks(json: Json, limit: number): readonly Block[] {
  const isError = json.isApiErrorMessage === true
  const speak = (text: string): Block => ({ kind: isError ? 'error' : 'text', text: cutText(text, limit) })
  const results = readResults(json, limit)
  const blocks = contentOf(json)
  const called = new Set(blocks.filter(isCall).map(block => asText(block.id)))
  // Tools of the server are answered within the message.
  const parts = blocks.filter(block => !isResult(block) || !called.has(asText(block.tool_use_id)))
  return [
    ...parts.flatMap(block =>
      isCall(block) ? [callBlock(block, results, limit)] : answerBlocks(block, results, limit, speak),
    ),
    ...seedCall(json, limit),
  ]
}

function answerBlocks(
  block: Json,
  results: ReadonlyMap<string, ToolResultContent>,
  limit: number,
  speak: (text: string) => Block,
): readonly Block[] {
  const result = isResult(block) ? results.get(asText(block.tool_use_id) ?? '') : undefined
  return result === undefined ? partBlocks(block, limit, speak) : [{ kind: 'result', tool: null, ...result }]
}

function callBlock(block: Json, results: ReadonlyMap<string, ToolResultContent>, limit: number): Block {
  const id = asText(block.id) ?? ''
  return {
    kind: 'call',
    id,
    name: asText(block.name) ?? '',
    input: cutValues(asObject(block.input) ?? wrapped(block.input), limit),
    result: results.get(id) ?? null,
    agent: null,
  }
}

/** An input that is no object, as torn streams leave it. */
function wrapped(input: unknown): Json {
  return input === undefined || input === null || input === '' ? {} : { input }
}

/** S1's form: the call is the entry itself; its own uuid stands in for the id. */
function seedCall(json: Json, limit: number): readonly Block[] {
  const name = json.subtype === 'tool_use' ? asText(json.toolName) : null
  if (name === null) return []
  return [callBlock({ id: json.uuid, name, input: json.toolArguments }, new Map(), limit)]
}

/** Calls of the client, of the server, and of servers that the API itself asks. */
function isCall({ type }: Json): boolean {
  return type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use'
}

/** `tool_result`, `mcp_tool_result`, `web_search_tool_result` and their like. */
function isResult({ type, tool_use_id }: Json): boolean {
  return typeof type === 'string' && type.endsWith('tool_result') && typeof tool_use_id === 'string'
}

function stateOf({ is_error, content }: Json): ResultState {
  const hasFailed = is_error === true || String(asObject(content)?.type ?? '').endsWith('_error')
  return hasFailed ? 'error' : 'ok'
}

/** A block that is neither call nor result. */
function partBlocks(block: Json, limit: number, speak: (text: string) => Block): readonly Block[] {
  const text = asText(block.text)
  switch (block.type) {
    case 'text':
      return text === null ? [] : [speak(text)]
    case 'thinking':
    case 'redacted_thinking': {
      const thought = asText(block.thinking) ?? ''
      return [{ kind: 'thinking', text: cutText(thought, limit), isHidden: thought === '' }]
    }
    case 'image': {
      const image = imageOf(block)
      return image === null ? [unknownBlock(block, limit)] : [{ kind: 'image', image }]
    }
    default:
      return [unknownBlock(block, limit)]
  }
}

function unknownBlock(block: Json, limit: number): Block {
  const label = asText(block.type) ?? 'block'
  const said = asText(block.title) ?? asText(block.tool_name)
  const text = said ?? JSON.stringify(cutValues(block, 2000), null, 2)
  return { kind: 'note', label, text: cutText(text, limit) }
}

/** Kinds of images that a browser shows and that hold no code. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function imageOf(block: Json): ImageContent | null {
  const source = asObject(block.source)
  const media = source === null ? null : asText(source.media_type)
  const data = source === null ? null : asText(source.data)
  return media === null || data === null || !imageTypes.has(media) ? null : { media, data }
}

interface ResultParts {
  readonly block: Json
  readonly state: ResultState
  readonly facts: Json | null
  readonly limit: number
}

function resultContent(json: Json, { block, state, facts, limit }: ResultParts): ToolResultContent {
  const inner = asObjects(block.content)
  const text = asText(block.content) ?? inner.map(itemText).filter(Boolean).join('\n')
  const time = Date.parse(asText(json.timestamp) ?? '')
  return {
    state,
    text: cutText(text === '' ? errorText(block.content) : text, limit),
    images: inner.map(imageOf).filter(image => image !== null),
    facts: facts === null ? null : cutValues(facts, limit),
    node: asText(json.uuid) ?? '',
    time: Number.isNaN(time) ? null : time,
    spilled: state === 'spilled' ? spilledTo(text, facts) : null,
  }
}

/** One item of a result's content as text; images are shown as such. */
function itemText(item: Json): string {
  switch (item.type) {
    case 'image':
      return imageOf(item) === null ? `[image ${asText(asObject(item.source)?.media_type) ?? ''}]` : ''
    case 'tool_reference':
      return asText(item.tool_name) ?? ''
    case 'web_search_result':
      return [asText(item.title), asText(item.url)].filter(part => part !== null).join('\n')
    default:
      return asText(item.text) ?? textOf(asObjects(item.content)) ?? asText(item.type) ?? ''
  }
}

/** A server's tool says why it failed in an object instead of a list. */
function errorText(content: unknown): string {
  const error = asObject(content)
  return error === null ? '' : (asText(error.error_code) ?? JSON.stringify(cutValues(error, 2000)))
}

/** Where the client put a result that was too large for the transcript: a path of the machine that wrote it. */
function spilledTo(text: string, facts: Json | null): string | null {
  const recorded = facts === null ? null : asText(facts.persistedOutputPath)
  return recorded ?? /saved to: (.+)/.exec(text.slice(0, 4000))?.[1]?.trim() ?? null
}
