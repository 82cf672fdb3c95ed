/** `assistant` entries: each holds one content block of an API message, rarely more. */
import type { AssistantEntry, EntryBase, TextDigest, ToolCall, Usage } from '../../model/entry.js'
import { messageId, toolUseId } from '../../model/ids.js'
import { blocksOf, callsIn, spawnFields } from '../content.js'
import { digestPart } from '../digest.js'
import { asId, asNumber, asObject, asText, type Json } from '../json.js'

/** Reads an assistant entry. */
export function readAssistant(json: Json, base: EntryBase): AssistantEntry {
  const message = asObject(json.message)
  const blocks = blocksOf(message)
  const usage = asObject(message?.usage)
  const calls = json.subtype === 'tool_use' ? seedCalls(json, base) : callsIn(blocks)
  return {
    ...base,
    kind: 'assistant',
    message: asId(message?.id, messageId),
    text: partPrint(blocks),
    calls,
    stopReason: asText(message?.stop_reason),
    thinkingOnly: blocks.length > 0 && blocks.every(isThinking),
    others: othersIn(blocks),
    apiError: json.isApiErrorMessage === true,
    synthetic: message?.model === '<synthetic>',
    usage: usage === null ? null : readTokens(usage),
    attribution: asText(json.attributionAgent),
  }
}

function isThinking(block: Json): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

function othersIn(blocks: readonly Json[]): AssistantEntry['others'] {
  let others: AssistantEntry['others'] = 'none'
  for (const block of blocks) {
    if (block.type === 'text' || block.type === 'tool_use' || isThinking(block)) continue
    if (isApiTool(block)) return 'api-tools'
    others = 'blocks'
  }
  return others
}

/** A call that the API answers within the message, or its result. */
function isApiTool({ type }: Json): boolean {
  return typeof type === 'string' && (type.endsWith('_tool_use') || type.endsWith('tool_result'))
}

/** The text of the part, or of its thinking; newer files keep only the signature of the thinking. */
function partPrint(blocks: readonly Json[]): TextDigest | null {
  let words = ''
  for (const block of blocks) {
    words += asText(block.text) ?? asText(block.thinking) ?? asText(block.signature) ?? ''
  }
  return words.trim() === '' ? null : digestPart(words)
}

/** P3: the described form of a sidechain's call: the call is the entry itself, and its uuid is the id. */
function seedCalls(json: Json, base: EntryBase): readonly ToolCall[] {
  const name = asText(json.toolName)
  if (name === null) return []
  return [{ id: toolUseId(base.id), name, ...spawnFields(name, asObject(json.toolArguments)) }]
}

/** The tokens that a message's `usage` counts. Every field may be missing, and numbers may be strings. */
export function readTokens(usage: Json): Usage {
  const parts = asObject(usage.cache_creation)
  const hour = readCount(parts?.ephemeral_1h_input_tokens)
  // Older versions write only the sum of cache writes, which last five minutes. So do those that no part accounts for.
  const rest = readCount(usage.cache_creation_input_tokens) - hour
  return {
    input: readCount(usage.input_tokens),
    output: readCount(usage.output_tokens),
    cacheRead: readCount(usage.cache_read_input_tokens),
    cacheWrite5m: Math.max(readCount(parts?.ephemeral_5m_input_tokens), rest),
    cacheWrite1h: hour,
  }
}

/** A count of tokens or requests; 0 where there is none. */
export function readCount(value: unknown): number {
  return Math.max(0, asNumber(value) ?? 0)
}
