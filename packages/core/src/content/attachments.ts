/** What can be searched in an attachment: the context that the client put beside the conversation, as it was then. */

import { asObject, asObjects, asText, asTexts, type Json } from '../parse/json.js'
import type { TextField } from '../protocol/search-roles.js'
import { hookText, plainText } from './notes.js'
import { wordsIn } from './strings.js'
import type { RecordText } from './texts.js'

/** The texts of an attachment that is no queued message. */
export function attachmentTexts(json: Json): readonly RecordText[] {
  const attachment = asObject(json.attachment) ?? {}
  const type = asText(attachment.type) ?? ''
  if (settings.has(type)) return []
  const field = fieldOf(type)
  const text = readers[field](attachment)
  return text === null || text.trim() === '' ? [] : [{ field, text, tool: null }]
}

/**
 * Declarations of tools, the system prompt and settings of the client: the same in every session, and nothing that anybody
 * has written about the work.
 */
const settings: ReadonlySet<string> = new Set([
  'auto_mode',
  'auto_mode_exit',
  'command_permissions',
  'date',
  'date_change',
  'deferred_tools_delta',
  'deferred_tools_record',
  'environment',
  'model',
  'prompt_snapshot',
  'remote_session_change',
  'total_tokens_reminder',
])

type AttachmentField = Extract<TextField, 'memory' | 'skill' | 'hook' | 'file' | 'context'>

/** By the name of its type, so that a type of a later release is found under the same field. */
function fieldOf(type: string): AttachmentField {
  if (type.includes('hook')) return 'hook'
  if (type.includes('memor') || type === 'instructions') return 'memory'
  if (type.includes('skill')) return 'skill'
  return /file|directory|selected_lines/.test(type) ? 'file' : 'context'
}

const readers: Readonly<Record<AttachmentField, (attachment: Json) => string | null>> = {
  hook: hookText,
  memory: fileText,
  skill: attachment => plainText(attachment) ?? wordsIn(attachment.skills),
  file: fileText,
  context: contextText,
}

/** A file by its path and what it held; `instructions` have several. */
function fileText(attachment: Json): string | null {
  const files = asObjects(attachment.files)
  const all = (files.length === 0 ? [attachment] : files).flatMap(file => [pathIn(file), plainText(file)])
  return joined(all)
}

function pathIn(file: Json): string | null {
  return asText(file.filename) ?? asText(file.path) ?? asText(file.displayPath)
}

function contextText(attachment: Json): string | null {
  const lines = [...asTexts(attachment.addedLines), ...asTexts(attachment.addedBlocks)]
  const {
    type: _,
    addedLines: __,
    addedBlocks: ___,
    addedNames: ____,
    addedTypes: _____,
    ...rest
  } = attachment
  return lines.length > 0 ? lines.join('\n') : (plainText(attachment) ?? wordsIn(rest))
}

function joined(parts: readonly (string | null)[]): string | null {
  const texts = parts.filter(part => part !== null)
  return texts.length === 0 ? null : texts.join('\n')
}
