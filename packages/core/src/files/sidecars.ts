/** The small JSON files beside transcripts, read leniently: a field of the wrong kind counts as absent. */
import type { AgentMeta, RunRecord } from '../model/source.js'
import { asTruth, readAgentMeta } from '../parse/agent-meta.js'
import { asNumber, asObject, asText } from '../parse/json.js'

/** A larger file is not a sidecar; in bytes. */
export const LARGEST_SIDECAR: number = 1024 * 1024

/** The fields of a sidecar by name. */
export type Fields = ReadonlyMap<string, unknown>

/** What an agent's `.meta.json` says. */
export function agentMeta(fields: Fields): AgentMeta {
  return readAgentMeta(name => fields.get(name))
}

/** The record of a workflow run stands in the folder of its session: `workflows/<run>.json`. */
export function runRecordPath(journal: string): string {
  return journal.replace(/subagents\/(workflows\/[^/]+)\/journal\.jsonl$/, '$1.json')
}

/** What the record of a workflow run says. */
export function runRecord(fields: Fields): RunRecord {
  const phases = fields.get('phases')
  return {
    name: textIn(fields, 'workflowName'),
    summary: textIn(fields, 'summary'),
    status: textIn(fields, 'status'),
    phases: Array.isArray(phases) ? phases.flatMap(phase => asText(asObject(phase)?.['title']) ?? []) : [],
    durationMs: numberIn(fields, 'durationMs'),
  }
}

/** A non-empty string, or null. */
export function textIn(fields: Fields, name: string): string | null {
  return asText(fields.get(name))
}

/** True or false, also as a word, or null. */
export function truthIn(fields: Fields, name: string): boolean | null {
  return asTruth(fields.get(name))
}

export function numberIn(fields: Fields, name: string): number | null {
  return asNumber(fields.get(name))
}

/** The object in a JSON text, or null where there is none. P7: a map, so that `__proto__` in the data stays data. */
export function fieldsOf(text: string): Fields | null {
  try {
    const object = asObject(JSON.parse(text.replace(/^\ufeff/, '')))
    return object === null ? null : new Map(Object.entries(object))
  } catch {
    return null
  }
}
