/** The tokens that a message's `usage` counts. Every field may be missing, and numbers may be strings. */
import type { Usage } from '../model/entry.js'
import { asNumber, asObject, type Json } from './json.js'

/** Reads a `usage` object. */
export function readTokens(usage: Json): Usage {
  return {
    input: readCount(usage.input_tokens),
    output: readCount(usage.output_tokens),
    cacheRead: readCount(usage.cache_read_input_tokens),
    ...cacheWrites(usage),
  }
}

/** A count of tokens or requests; 0 where there is none. */
export function readCount(value: unknown): number {
  return Math.max(0, asNumber(value) ?? 0)
}

/** Older versions write the sum alone: their writes lived five minutes. A sum above the parts belongs there, too. */
function cacheWrites(usage: Json): Pick<Usage, 'cacheWrite5m' | 'cacheWrite1h'> {
  const parts = asObject(usage.cache_creation)
  const hour = readCount(parts?.ephemeral_1h_input_tokens)
  const rest = readCount(usage.cache_creation_input_tokens) - hour
  return { cacheWrite5m: Math.max(readCount(parts?.ephemeral_5m_input_tokens), rest), cacheWrite1h: hour }
}
