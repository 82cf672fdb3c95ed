/** `progress` entries (2.1.9 to 2.1.81): status of running tools, written into the chain as nodes. */
import type { AssistantEntry, EntryBase, ProgressEntry, UserEntry } from '../../model/entry.js'
import { agentId, toolUseId } from '../../model/ids.js'
import { asId, asObject, asText, type Json } from '../json.js'
import { readAssistant } from './assistant.js'
import { readBase, runsAtStart } from './base.js'
import { readUser } from './user.js'

/** Reads a progress entry. */
export function readProgress(json: Json, base: EntryBase): ProgressEntry {
  const data = asObject(json.data) ?? {}
  const spawned = spawnedOf(json, data)
  return {
    ...base,
    kind: 'progress',
    subtype: asText(data.type) ?? 'none',
    startsProcess: runsAtStart(data),
    spawned,
    carried: spawned === null ? null : readCarried(json, base),
  }
}

function spawnedOf(json: Json, data: Json): ProgressEntry['spawned'] {
  const agent = asId(data.agentId, agentId)
  const call = asId(json.parentToolUseID, toolUseId)
  return agent === null || call === null ? null : { agent, call }
}

function readCarried(json: Json, { source }: EntryBase): UserEntry | AssistantEntry | null {
  const carried = carriedRecord(json)
  const id = carried === null ? null : asText(carried.uuid)
  if (carried === null || id === null) return null
  const base = readBase(carried, id, source)
  if (carried.type === 'assistant') return readAssistant(carried, base)
  const entry = carried.type === 'user' ? readUser(carried, base) : null
  // A summary would begin an epoch, but the rows show only a part of the conversation.
  return entry?.says === 'summary' ? null : entry
}

/**
 * The subagent's message inside an `agent_progress` record, in the form that it has in the subagent's own file; null where
 * there is none. Its parent is unknown.
 */
export function carriedRecord(json: Json): Json | null {
  const data = asObject(json.data)
  const message = data === null || data.type !== 'agent_progress' ? null : asObject(data.message)
  if (data === null || message === null) return null
  const { sessionId, version, cwd, gitBranch, userType, timestamp } = json
  return {
    parentUuid: null,
    isSidechain: true,
    userType,
    cwd,
    sessionId,
    version,
    gitBranch,
    agentId: data.agentId,
    timestamp,
    ...message,
  }
}
