/** `assistant` entries: one content block of an API message each, seldom more. */
import type { AssistantEntry, EntryBase, TextDigest, ToolCall, Usage } from '../../model/entry.js'
import { messageId, toolUseId } from '../../model/ids.js'
import { blocksOf, callsOf, spawnFields } from '../content.js'
import { digestPart } from '../digest.js'
import { asNumber, asObject, asText, type Json } from '../json.js'

/** Reads an assistant entry. */
export function readAssistant(json: Json, base: EntryBase): AssistantEntry {
  const message = asObject(json.message)
  const blocks = blocksOf(message)
  const id = message === null ? null : asText(message.id)
  const model = message === null ? null : asText(message.model)
  const calls = json.subtype === 'tool_use' ? seedCalls(json, base) : callsOf(blocks)
  return {
    ...base,
    kind: 'assistant',
    message: id === null ? null : messageId(id),
    model,
    text: partPrint(blocks),
    calls,
    block: asNumber(json.apiBlockIndex),
    stopReason: message === null ? null : asText(message.stop_reason),
    thinkingOnly: blocks.length > 0 && blocks.every(isThinking),
    apiError: json.isApiErrorMessage === true,
    synthetic: model === '<synthetic>',
    usage: message === null ? null : usageOf(message),
    attribution: asText(json.attributionAgent),
  }
}

function isThinking(block: Json): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

/** The words of the part, or of its thinking; newer files keep only the thinking's signature. */
function partPrint(blocks: readonly Json[]): TextDigest | null {
  let words = ''
  for (const block of blocks) {
    words += asText(block.text) ?? asText(block.thinking) ?? asText(block.signature) ?? ''
  }
  return words.trim() === '' ? null : digestPart(words)
}

/** S1's form: the call is the entry itself, without a tool id; its own uuid stands in. */
function seedCalls(json: Json, base: EntryBase): readonly ToolCall[] {
  const name = asText(json.toolName)
  if (name === null) return []
  return [{ id: toolUseId(base.id), name, ...spawnFields(name, asObject(json.toolArguments)) }]
}

function usageOf(message: Json): Usage | null {
  const usage = asObject(message.usage)
  if (usage === null) return null
  const creation = asObject(usage.cache_creation)
  const hour = creation === null ? null : asNumber(creation.ephemeral_1h_input_tokens)
  const written = asNumber(usage.cache_creation_input_tokens) ?? 0
  return {
    input: asNumber(usage.input_tokens) ?? 0,
    output: asNumber(usage.output_tokens) ?? 0,
    cacheRead: asNumber(usage.cache_read_input_tokens) ?? 0,
    cacheWrite5m: Math.max(0, written - (hour ?? 0)),
    cacheWrite1h: hour ?? 0,
  }
}
