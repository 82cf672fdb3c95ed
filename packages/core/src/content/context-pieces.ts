/** X17: the pieces of a record that a request carries, each with its category and its size. */
import type { ContextCategory, ContextPiece, TextKind } from '../model/context.js'
import type { TranscriptRecord, UserMeaning } from '../model/entry.js'
import { blocksOf } from '../parse/content.js'
import { asObject, asObjects, asText, type Json } from '../parse/json.js'
import { writeJson } from '../parse/write-json.js'
import { groupOf } from './beside.js'
import { type Part, type ResultPart, readParts, recordOf } from './parts.js'

/** The name of the tool that a call names; null where it is not known. */
export type ToolOf = (call: string) => string | null

/** The pieces of a record; none where the client sends nothing of it. */
export function contextPieces(json: Json, toolOf: ToolOf): readonly ContextPiece[] {
  const record = recordOf(json)
  if (record.kind === 'attachment') return attachmentPieces(json, record)
  if (record.kind !== 'user' && record.kind !== 'assistant') return []
  const pieces = readParts(json, record).flatMap(part => partPieces(part, record, toolOf))
  return [...pieces, ...signatures(json)]
}

function partPieces(part: Part, record: TranscriptRecord, toolOf: ToolOf): readonly ContextPiece[] {
  switch (part.kind) {
    case 'text':
      return [textPiece(part.text, record)]
    case 'thinking':
      return part.text === ''
        ? []
        : [{ category: 'thinking', kind: 'thinking', characters: part.text.length }]
    case 'call':
      return [{ category: 'calls', kind: 'call', characters: part.name.length + sizeOf(part.input) }]
    case 'result':
      return resultPieces(part, toolOf)
    case 'image':
      return [image]
    case 'note':
      return [{ category: 'files', kind: 'result', characters: part.text?.length ?? sizeOf(part.value) }]
    case 'error':
      return []
  }
}

const image: ContextPiece = { category: 'images', kind: 'image', characters: 0 }

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : writeJson(value).length
}

function textPiece(text: string, record: TranscriptRecord): ContextPiece {
  const characters = text.length
  if (record.kind !== 'user') return { category: 'answers', kind: 'answer', characters }
  return { category: categoryOfText(record.says, text), kind: 'prompt', characters }
}

/** What the client adds in the user's place is told by what it begins with. */
function categoryOfText(says: UserMeaning, text: string): ContextCategory {
  if (says === 'prompt' || says === 'command') return 'prompts'
  if (says === 'summary') return 'summaries'
  if (says === 'notification') return 'subagents'
  const start = text.slice(0, 80)
  if (/\bhook\b/i.test(start)) return 'hooks'
  return start.startsWith('Base directory for this skill') ? 'skills' : 'reminders'
}

function resultPieces(part: ResultPart, toolOf: ToolOf): readonly ContextPiece[] {
  const tool = toolOf(part.call)
  const category: ContextCategory =
    tool === 'Agent' || tool === 'Task' ? 'subagents' : `results:${tool ?? 'unknown'}`
  const images = asObjects(part.content).filter(({ type }) => type === 'image')
  return [{ category, kind: 'result', characters: part.text.length }, ...images.map(() => image)]
}

/** Thinking of which only the signature or encrypted data was written: its length follows that of the thinking. */
function signatures(json: Json): readonly ContextPiece[] {
  const blocks = blocksOf(asObject(json.message))
  return blocks.flatMap(({ type, thinking, signature, data }) => {
    const isHidden = type === 'redacted_thinking' || (type === 'thinking' && !asText(thinking))
    const hidden = isHidden ? (asText(signature) ?? asText(data)) : null
    return hidden === null ? [] : [{ category: 'thinking', kind: 'signature', characters: hidden.length }]
  })
}

/**
 * Newer releases write what they made of an attachment (`rendered`), and nothing where it was not sent. Before, types that
 * only the client reads are left out.
 */
function attachmentPieces(json: Json, record: TranscriptRecord): readonly ContextPiece[] {
  const attachment = asObject(json.attachment) ?? {}
  const type = asText(attachment.type) ?? ''
  const isTyped = record.kind === 'attachment' && record.queued !== null
  const category = isTyped ? 'prompts' : categoryOfAttachment(type)
  const kind: TextKind = isTyped ? 'prompt' : 'attachment'
  const characters = Array.isArray(json.rendered)
    ? asObjects(json.rendered).reduce(
        (sum, { content }) => sum + (asText(content)?.length ?? sizeOf(content)),
        0,
      )
    : isUnsent(type, asText(attachment.hookEvent))
      ? 0
      : readParts(json, record).reduce((sum, part) => sum + textLength(part), 0)
  return characters === 0 ? [] : [{ category, kind, characters }]
}

function textLength(part: Part): number {
  return 'text' in part ? (part.text?.length ?? 0) : 0
}

function categoryOfAttachment(type: string): ContextCategory {
  switch (groupOf(type)) {
    case 'memory':
      return 'memory'
    case 'skill':
      return 'skills'
    case 'hook':
      return 'hooks'
    case 'file':
      return 'files'
    case 'context':
      return 'reminders'
  }
}

/** What hooks print goes to the model when a session or a turn begins, else only what they give as context or as an error. */
function isUnsent(type: string, event: string | null): boolean {
  if (type === 'hook_success') return event !== 'SessionStart' && event !== 'UserPromptSubmit'
  return unsent.has(type)
}

const unsent: ReadonlySet<string> = new Set([
  'hook_system_message',
  'hook_non_blocking_error',
  'hook_cancelled',
  'prompt_snapshot',
  'session_context',
  'deferred_tools_record',
  'command_permissions',
])
