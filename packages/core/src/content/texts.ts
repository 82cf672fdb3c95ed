/** The words of a record, for searching: which text stands in it, and as what. The graph itself keeps none of them. */
import type { TranscriptRecord, UserEntry } from '../model/entry.js'
import { blocksOf, textOf } from '../parse/content.js'
import { asObject, asObjects, asText, type Json } from '../parse/json.js'
import type { TextField } from '../protocol/search-roles.js'
import { attachmentTexts } from './attachments.js'
import { wordsIn } from './strings.js'

/** One text of a record. */
export interface RecordText {
  readonly field: TextField
  readonly text: string
  /** The tool's name for an input, the call's id for an output. */
  readonly tool: string | null
}

/** A file that a tool call names. */
export interface TouchedFile {
  readonly path: string
  /** The tool's name. */
  readonly tool: string
}

/** All texts of a record that are worth finding. A progress entry has none: the message it carries is a record itself. */
export function textsOf(json: Json, record: TranscriptRecord): readonly RecordText[] {
  switch (record.kind) {
    case 'user':
      return userTexts(json, record)
    case 'assistant':
      return json.subtype === 'tool_use'
        ? seedInput(json)
        : blocksOf(asObject(json.message)).flatMap(partTexts)
    case 'system':
      return textOn('note', asText(json.content) ?? textOf(blocksOf(asObject(json.message))))
    case 'attachment':
      return record.queued === null ? attachmentTexts(json) : queuedText(json)
    case 'queue':
      return textOn('queued', asText(json.content) ?? textOf(asObjects(json.content)))
    default:
      return []
  }
}

function textOn(field: TextField, text: string | null, tool: string | null = null): readonly RecordText[] {
  return text === null || text.trim() === '' ? [] : [{ field, text, tool }]
}

function userTexts(json: Json, { says }: UserEntry): readonly RecordText[] {
  const blocks = blocksOf(asObject(json.message) ?? json)
  if (says !== 'result') return textOn(says === 'prompt' ? 'prompt' : 'note', textOf(blocks))
  return blocks.flatMap(block => {
    if (block.type !== 'tool_result') return textOn('note', asText(block.text))
    const text = asText(block.content) ?? textOf(asObjects(block.content))
    return textOn('output', text, asText(block.tool_use_id))
  })
}

function partTexts(block: Json): readonly RecordText[] {
  switch (block.type) {
    case 'thinking':
      return textOn('thinking', asText(block.thinking))
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return textOn('input', wordsIn(block.input), asText(block.name))
    case 'mcp_tool_result':
      return textOn('output', asText(block.content) ?? textOf(asObjects(block.content)))
    default:
      return textOn('answer', asText(block.text))
  }
}

function seedInput(json: Json): readonly RecordText[] {
  return textOn('input', wordsIn(json.toolArguments), asText(json.toolName))
}

function queuedText(json: Json): readonly RecordText[] {
  const attachment = asObject(json.attachment)
  const prompt = attachment?.prompt
  return textOn('prompt', asText(prompt) ?? textOf(asObjects(prompt)))
}

const pathFields = ['file_path', 'notebook_path', 'filePath', 'target_file']

/** The files that the calls of a record read or write. Searches name folders, which are no files. */
export function touchedFiles(json: Json, record: TranscriptRecord): readonly TouchedFile[] {
  if (record.kind !== 'assistant' || record.calls.length === 0) return []
  return blocksOf(asObject(json.message)).flatMap(block => {
    const input = block.type === 'tool_use' ? asObject(block.input) : null
    if (input === null) return []
    const path = pathIn(input)
    return path === null ? [] : [{ path, tool: asText(block.name) ?? '' }]
  })
}

/** The file that the input of a call names; null for none. */
export function pathIn(input: Json): string | null {
  return pathFields.map(field => asText(input[field])).find(found => found !== null) ?? null
}
