/** What is known of a subagent beside its conversation: in its `.meta.json`, or in a row of its file. */
import type { AgentMeta } from '../model/source.js'
import { asNumber, asText } from './json.js'

/** Reads the fields leniently: one of the wrong kind counts as absent. */
export function readAgentMeta(field: (name: string) => unknown): AgentMeta {
  return {
    agentType: asText(field('agentType')),
    description: asText(field('description')),
    toolUseId: asText(field('toolUseId')),
    parentAgentId: asText(field('parentAgentId')),
    spawnDepth: asNumber(field('spawnDepth')),
    finished: asTruth(field('finished')),
  }
}

/** True or false, also as a word, or null. */
export function asTruth(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}
