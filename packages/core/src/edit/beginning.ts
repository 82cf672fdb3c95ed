/**
 * The beginning of a new session. The API wants the user first: where a conversation begins with an answer, as the files of
 * subagents do up to 2.0.x, the prompt of the call that started the subagent is put before it, or a word about what is gone.
 */
import { fileOf, isAssistant, none } from '../graph/nodes.js'
import { asObject, asObjects, asText, type Json } from '../parse/json.js'
import type { MadeRow } from './draft.js'
import type { RowList } from './plan.js'
import { deriveId } from './rename.js'
import { type EditSource, placeOf, timestampOf } from './source.js'

/** Adds a beginning before an entry, where that is an answer; gives its uuid as the source would name it, or null. */
export function addBeginning(
  source: EditSource,
  first: number,
  rows: RowList,
  session: string,
): string | null {
  if (first === none || !isAssistant(source.graph, first)) return null
  const { agent } = source.graph.node(first)
  const spawn = agent === null ? null : source.graph.spawnOf(agent)
  if (spawn !== null && spawn.call.prompt !== null) {
    rows.add(placeOf(source, spawn.node), { promptOf: spawn.call.id })
    return promptId(spawn.call.id)
  }
  const { id, record } = unknownBeginning(source, first, session)
  rows.addNew(record)
  return id
}

function promptId(tool: string): string {
  return `prompt ${tool}`
}

/** A word about a beginning that nobody wrote down, to be put before an entry. */
export function unknownBeginning(source: EditSource, node: number, session: string): MadeRow {
  const { id, version, time } = source.graph.node(node)
  const made = deriveId(session, `start ${id}`)
  const record = asObject({
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: fileOf(source.graph, node).cwd ?? '',
    sessionId: session,
    version,
    type: 'user',
    message: { role: 'user', content: 'The beginning of this conversation was not recorded.' },
    isMeta: true,
    uuid: made,
    ...timestampOf(time),
  })
  return { id: made, record: record ?? {} }
}

/** The entry that an agent's conversation begins with, of the record of the call that started it; null where it says nothing. */
export function promptRecord(record: Json, tool: string): Json | null {
  const calls = asObjects(asObject(record.message)?.content)
  const call = calls.find(block => block.type === 'tool_use' && block.id === tool)
  const prompt = asText(asObject(call?.input)?.prompt)
  if (prompt === null) return null
  const { cwd, sessionId, version, gitBranch, timestamp } = record
  return {
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    version,
    gitBranch,
    type: 'user',
    message: { role: 'user', content: prompt },
    uuid: promptId(tool),
    timestamp,
  }
}
