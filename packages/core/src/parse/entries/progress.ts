/** `progress` entries (2.1.9 to 2.1.81): live status, written into the chain as real nodes. */
import type { EntryBase, ProgressEntry } from '../../model/entry.js'
import { agentId, toolUseId } from '../../model/ids.js'
import { asObject, asText, type Json } from '../json.js'

/** Reads a progress entry. */
export function readProgress(json: Json, base: EntryBase): ProgressEntry {
  const data = asObject(json.data) ?? {}
  return {
    ...base,
    kind: 'progress',
    subtype: asText(data.type) ?? 'none',
    spawned: spawnedOf(json, data),
  }
}

function spawnedOf(json: Json, data: Json): ProgressEntry['spawned'] {
  const agent = asText(data.agentId)
  const call = asText(json.parentToolUseID)
  return agent === null || call === null ? null : { agent: agentId(agent), call: toolUseId(call) }
}
