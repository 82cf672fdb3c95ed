/** The envelope all entries share. */
import type { EntryBase } from '../../model/entry.js'
import {
  type AgentId,
  agentId,
  type EntryId,
  entryId,
  type Instant,
  instant,
  sessionId,
} from '../../model/ids.js'
import type { SourceSpan } from '../../model/source.js'
import { asFlag, asNumber, asObject, asText, type Json } from '../json.js'

/** Reads the envelope of an entry that has a uuid. */
export function readBase(json: Json, id: string, source: SourceSpan): EntryBase {
  const session = asText(json.sessionId)
  return {
    id: entryId(id),
    parent: parentOf(json),
    session: session === null ? null : sessionId(session),
    time: timeOf(json),
    version: asText(json.version),
    cwd: asText(json.cwd),
    sidechain: json.isSidechain === true,
    agent: agentOf(json),
    active: asFlag(json.is_active),
    nesting: asNumber(json.nestingLevel),
    forkedFrom: json.forkedFrom === undefined ? null : forkedFrom(json),
    background: json.sessionKind === 'bg',
    source,
  }
}

function parentOf(json: Json): EntryId | null {
  const parent = asText(json.parentUuid)
  return parent === null ? null : entryId(parent)
}

function agentOf(json: Json): AgentId | null {
  const agent = asText(json.agentId)
  return agent === null ? null : agentId(agent)
}

function forkedFrom(json: Json): EntryBase['forkedFrom'] {
  const from = asObject(json.forkedFrom)
  const entry = from === null ? null : asText(from.messageUuid)
  if (from === null || entry === null) return null
  const session = asText(from.sessionId)
  return { session: session === null ? null : sessionId(session), entry: entryId(entry) }
}

/** The time of a record: ISO text or epoch milliseconds. */
export function timeOf(json: Json): Instant | null {
  const value = json.timestamp
  const ms = typeof value === 'string' ? Date.parse(value) : value
  // Dates end at 8.64e15 milliseconds: what lies beyond is no time.
  return typeof ms === 'number' && Math.abs(ms) <= 8.64e15 ? instant(ms) : null
}
