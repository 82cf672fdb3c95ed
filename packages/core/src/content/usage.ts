/** X4: what an assistant record says of its message's usage. Every field may be missing, and numbers may be strings. */
import type { MessageUsage } from '../model/billing.js'
import { blocksOf } from '../parse/content.js'
import { timeOf } from '../parse/entries/base.js'
import { asNumber, asObject, asText, type Json } from '../parse/json.js'

/** The usage in an assistant record; null where it is no message of the API: no message id, or the client's own words. */
export function readBilling(json: Json): MessageUsage | null {
  const message = json.type === 'assistant' ? asObject(json.message) : null
  const id = message === null ? null : asText(message.id)
  if (message === null || id === null || message.model === '<synthetic>') return null
  const usage = asObject(message.usage) ?? {}
  const isFinal = asText(message.stop_reason) !== null
  return {
    message: id,
    model: asText(message.model) ?? 'unknown',
    time: timeOf(json),
    input: tokens(usage.input_tokens),
    output: tokens(usage.output_tokens),
    cacheRead: tokens(usage.cache_read_input_tokens),
    ...cacheWrites(usage),
    webSearches: tokens(asObject(usage.server_tool_use)?.web_search_requests),
    tier: unless(usage.service_tier, 'standard'),
    speed: unless(usage.speed, 'standard'),
    geo: geoOf(usage),
    isFinal,
    // A final usage needs no second opinion.
    written: isFinal ? 0 : writtenIn(message),
  }
}

function tokens(value: unknown): number {
  return Math.max(0, asNumber(value) ?? 0)
}

function unless(value: unknown, usual: string): string | null {
  const text = asText(value)
  return text === usual ? null : text
}

/** `global` is the usual place, and `not_available` stands where the account has no choice. */
function geoOf(usage: Json): string | null {
  const geo = unless(usage.inference_geo, 'global')
  return geo === 'not_available' ? null : geo
}

/** Older versions write the sum alone: their writes lived five minutes. A sum above the parts belongs there, too. */
function cacheWrites(usage: Json): Pick<MessageUsage, 'cacheWrite5m' | 'cacheWrite1h'> {
  const parts = asObject(usage.cache_creation)
  const hour = tokens(parts?.ephemeral_1h_input_tokens)
  const rest = tokens(usage.cache_creation_input_tokens) - hour
  return { cacheWrite5m: Math.max(tokens(parts?.ephemeral_5m_input_tokens), rest), cacheWrite1h: hour }
}

/** The characters of its text, thinking and calls; of calls, the arguments that are texts. */
function writtenIn(message: Json): number {
  let length = 0
  for (const block of blocksOf(message)) {
    length += (asText(block.text) ?? asText(block.thinking) ?? '').length
    for (const value of Object.values(asObject(block.input) ?? {})) {
      if (typeof value === 'string') length += value.length
    }
  }
  return length
}
