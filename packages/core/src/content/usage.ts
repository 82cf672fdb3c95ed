/** X4: the usage of a message, as an assistant record has it. */
import type { MessageUsage } from '../model/billing.js'
import type { RawRow } from '../model/source.js'
import { readCount, readTokens } from '../parse/entries/assistant.js'
import { readTime } from '../parse/entries/base.js'
import { carriedRecord } from '../parse/entries/progress.js'
import { asObject, asText, type Json } from '../parse/json.js'
import { isEntryRecord, readRecord } from '../parse/row.js'
import { messageParts } from './parts.js'

/** The usage in an assistant record; null without a message id, and for answers that the client wrote itself. */
export function readMessageUsage(json: Json): MessageUsage | null {
  const message = json.type === 'assistant' ? asObject(json.message) : null
  const id = message === null ? null : asText(message.id)
  if (message === null || id === null || message.model === '<synthetic>') return null
  const usage = asObject(message.usage) ?? {}
  const isFinal = asText(message.stop_reason) !== null
  return {
    message: id,
    model: asText(message.model) ?? 'unknown',
    time: readTime(json),
    ...readTokens(usage),
    webSearches: readCount(asObject(usage.server_tool_use)?.web_search_requests),
    tier: unless(usage.service_tier, 'standard'),
    speed: unless(usage.speed, 'standard'),
    geo: geoOf(usage),
    isFinal,
    // Needed only where the usage is not the final one.
    written: isFinal ? 0 : writtenIn(json),
  }
}

/**
 * T3, A9: what a record of a file says of the usage of a message: its own, or that of the message it carries. Null where
 * it is not an entry, or has none.
 */
export function readBilled(json: Json): MessageUsage | null {
  if (json.type === 'assistant') return isEntryRecord(json) ? readMessageUsage(json) : null
  if (json.type !== 'progress') return null
  const record = readRecord(json, NOWHERE)
  const isCarrying = record.kind === 'progress' && record.carried?.kind === 'assistant'
  const carried = isCarrying ? carriedRecord(json) : null
  return carried === null ? null : readMessageUsage(carried)
}

/** The usage does not depend on where the record is. */
const NOWHERE: RawRow = { row: 0, offset: 0, length: 0, text: '', whole: true }

/** The model that answered, and the release of Claude Code that wrote the row; null where it does not say. */
export function writtenBy(json: Json): { readonly model: string | null; readonly version: string | null } {
  return { model: asText(asObject(json.message)?.model), version: asText(json.version) }
}

function unless(value: unknown, usual: string): string | null {
  const text = asText(value)
  return text === usual ? null : text
}

/** Null for `global`, the default, and for `not_available`, where the account has no choice. */
function geoOf(usage: Json): string | null {
  const geo = unless(usage.inference_geo, 'global')
  return geo === 'not_available' ? null : geo
}

/** The characters of its text, thinking and calls; of calls only the arguments that are strings. */
function writtenIn(json: Json): number {
  let length = 0
  for (const part of messageParts(json)) {
    if (part.kind === 'text' || part.kind === 'thinking') length += part.text.length
    else if (part.kind === 'call')
      for (const value of Object.values(asObject(part.input) ?? {}))
        if (typeof value === 'string') length += value.length
  }
  return length
}
