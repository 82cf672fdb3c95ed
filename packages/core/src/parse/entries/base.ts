/** The fields that all entries share. */
import type { EntryBase } from '../../model/entry.js'
import { agentId, entryId, type Instant, instant, sessionId } from '../../model/ids.js'
import type { SourceSpan } from '../../model/source.js'
import { asFlag, asId, asNumber, asObject, asText, type Json } from '../json.js'

/** Reads the fields that all entries share. */
export function readBase(json: Json, id: string, source: SourceSpan): EntryBase {
  return {
    id: entryId(id),
    parent: asId(json.parentUuid, entryId),
    session: asId(json.sessionId, sessionId),
    time: readTime(json),
    version: asText(json.version),
    cwd: asText(json.cwd),
    sidechain: json.isSidechain === true,
    agent: asId(json.agentId, agentId),
    active: asFlag(json.is_active),
    nesting: asNumber(json.nestingLevel),
    forkedFrom: json.forkedFrom === undefined ? null : forkedFrom(json),
    background: json.sessionKind === 'bg',
    source,
  }
}

/** Whether a record tells of a hook that runs when a process starts, with a new conversation or one that it has loaded. */
export function runsAtStart({ hookName }: Json): boolean {
  return /^SessionStart:(startup|resume)$/.test(asText(hookName) ?? '')
}

function forkedFrom(json: Json): EntryBase['forkedFrom'] {
  const from = asObject(json.forkedFrom)
  const entry = asId(from?.messageUuid, entryId)
  return entry === null ? null : { session: asId(from?.sessionId, sessionId), entry }
}

/** The time of a record: ISO text or epoch milliseconds. */
export function readTime({ timestamp }: Json): Instant | null {
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  // Dates end at 8.64e15 milliseconds: what lies beyond is not a valid time.
  return typeof ms === 'number' && Math.abs(ms) <= 8.64e15 ? instant(ms) : null
}
