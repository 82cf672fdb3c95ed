/** The texts of a record for the search index, each with its role. */
import type { TranscriptRecord } from '../model/entry.js'
import { namesIn } from '../model/group.js'
import { asText, type Json } from '../parse/json.js'
import { unknownType } from '../parse/known.js'
import type { TextField } from '../protocol/search-roles.js'
import { groupOf } from './beside.js'
import { imageText, joined, stringsIn } from './kinds.js'
import { isFailed, type NotePart, type Part, type ResultPart, readParts } from './parts.js'

/** One text of a record. */
export interface RecordText {
  readonly field: TextField
  readonly text: string
  /** The name of the tool: of an input, and of an output that stands in the same record as its call. */
  readonly tool: string | null
  /** The id of the call, of an output. */
  readonly call: string | null
  /** Whether it belongs to a failed call or request. */
  readonly hasFailed: boolean
}

/** All texts of a record that are searched. */
export function textsOf(json: Json, record: TranscriptRecord): readonly RecordText[] {
  switch (record.kind) {
    case 'user':
      return record.says === 'result'
        ? messageTexts(readParts(json, record), 'note')
        : joinedText(readParts(json, record), TYPED.has(record.says) ? 'prompt' : 'note')
    case 'assistant':
      return messageTexts(readParts(json, record), 'answer', record.apiError)
    case 'attachment':
      if (record.queued !== null)
        return joinedText(readParts(json, record), record.queued.typed ? 'prompt' : 'note')
      if (unsearched.has(record.subtype)) return []
      return attachmentTexts(readParts(json, record), unknownType(record) === null)
    case 'queue':
      return joinedText(readParts(json, record), 'queued')
    case 'system':
      return unsearched.has(record.subtype) ? [] : joinedText(readParts(json, record), 'note')
    default:
      // Progress repeats what a call will return, and marks are settings: only types that are not known are searched.
      return unknownType(record) === null ? [] : joinedText(readParts(json, record), 'context')
  }
}

/** What a person typed: a command, too. */
const TYPED: ReadonlySet<string> = new Set(['prompt', 'command'])

/** Declarations of tools, the system prompt, settings and figures of the client: the same in every session. */
const unsearched: ReadonlySet<string> = new Set(
  namesIn(`auto_mode auto_mode_exit command_permissions date date_change deferred_tools_delta
    deferred_tools_record environment model prompt_snapshot remote_session_change total_tokens_reminder
    turn_duration`),
)

function hasText(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}

/** The text of each part of a message; `field` is the role of parts that are not thinking, calls or results. */
function messageTexts(parts: readonly Part[], field: TextField, hasFailed = false): readonly RecordText[] {
  const texts: RecordText[] = []
  for (const part of parts) {
    const text = textIn(part)
    if (!hasText(text)) continue
    if (part.kind === 'result') {
      const { call } = part
      texts.push({ field: 'output', text, tool: toolIn(parts, part), call, hasFailed: isFailed(part) })
    } else {
      const tool = part.kind === 'call' ? part.name : null
      texts.push({ field: FIELD_OF[part.kind] ?? field, text, tool, call: null, hasFailed })
    }
  }
  return texts
}

const FIELD_OF: Readonly<Partial<Record<Part['kind'], TextField>>> = { thinking: 'thinking', call: 'input' }

/** The tool of a result, where its call stands in the same message. */
function toolIn(parts: readonly Part[], { call }: ResultPart): string | null {
  for (const part of parts) if (part.kind === 'call' && part.id === call) return part.name
  return null
}

/** All texts of a record as one: a prompt may have several blocks. */
function joinedText(parts: readonly Part[], field: TextField): readonly RecordText[] {
  const [first] = parts
  const text = parts.length === 1 && first !== undefined ? textIn(first) : joined(parts.map(textIn))
  return oneText(field, text)
}

function oneText(field: TextField, text: string | null): readonly RecordText[] {
  return hasText(text) ? [{ field, text, tool: null, call: null, hasFailed: false }] : []
}

/** The text of a part; null where it has none. */
function textIn(part: Part): string | null {
  switch (part.kind) {
    case 'call':
      return stringsIn(part.input)
    case 'image':
      return imageText(part.source)
    case 'note':
      return part.text ?? stringsIn(part.value)
    default:
      return part.text
  }
}

/** A file is found by its path, too; a type that is not known, by everything in it. */
function attachmentTexts([part]: readonly Part[], isKnown: boolean): readonly RecordText[] {
  if (part?.kind !== 'note') return []
  const field = groupOf(part.label)
  if (!isKnown || field === 'context') return oneText(field, textIn(part))
  const path = field === 'file' || field === 'memory' ? pathOf(part) : null
  return oneText(field, joined([path, part.text]))
}

function pathOf({ value }: NotePart): string | null {
  return asText(value.filename) ?? asText(value.path) ?? asText(value.displayPath)
}
