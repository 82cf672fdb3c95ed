/** The rows that an edit adds to those of the source: its first prompt, the state of the client, its end and its title. */
import type { Graph } from '../graph/graph.js'
import { fileOf, isAssistant, none, timeOf, versionOf } from '../graph/nodes.js'
import { type EntryId, entryId, type SessionId } from '../model/ids.js'
import { asObject, asObjects, asText, type Json } from '../parse/json.js'
import type { InsertedRow } from '../resume/conversation.js'
import type { RowList } from './plan.js'
import { deriveId } from './rename.js'
import { type EditSource, isoTimeOf, type NewSession, noteLocation, rowLocation } from './source.js'

/** An entry that an edit adds, and the node that it is written beside: it gets the folder and the release of that one. */
interface AddedEntry {
  readonly beside: number
  readonly session: SessionId
  readonly parent: EntryId | null
  readonly id: EntryId
  readonly time: number | null
  /** What makes it the entry that it is. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** The record of an entry that an edit adds. */
export function addedRecord(
  { graph }: EditSource,
  { beside, session, parent, id, time, fields }: AddedEntry,
): Json {
  const timestamp = isoTimeOf(time)
  return {
    parentUuid: parent,
    isSidechain: false,
    userType: 'external',
    cwd: fileOf(graph, beside).cwd ?? '',
    sessionId: session,
    version: versionOf(graph, beside),
    ...fields,
    uuid: id,
    ...(timestamp === null ? {} : { timestamp }),
  }
}

/**
 * The API wants the user first. Where a conversation begins with an answer, as the files of subagents do up to 2.0.x, the
 * prompt of the call that started the subagent is put before it, or a sentence that it was not recorded.
 * Returns the uuid of that row as the source would name it, or null.
 */
export function addBeginning(
  source: EditSource,
  first: number,
  rows: RowList,
  session: SessionId,
): EntryId | null {
  if (first === none || !isAssistant(source.graph, first)) return null
  const { agent } = source.graph.node(first)
  const spawn = agent === null ? null : source.graph.spawnOf(agent)
  if (spawn !== null && spawn.call.prompt !== null) {
    rows.add(rowLocation(source, spawn.node), { promptOf: spawn.call.id })
    return promptId(spawn.call.id)
  }
  const { id, record } = unknownBeginning(source, first, session)
  rows.addNew(record)
  return id
}

function promptId(tool: string): EntryId {
  return entryId(`prompt ${tool}`)
}

/** A prompt that says that the beginning was not recorded, to be put before an entry. */
export function unknownBeginning(source: EditSource, node: number, session: SessionId): InsertedRow {
  const { id: first, time } = source.graph.node(node)
  const id = deriveId(session, `start ${first}`)
  const message = { role: 'user', content: 'The beginning of this conversation was not recorded.' }
  const fields = { type: 'user', message, isMeta: true }
  const record = addedRecord(source, { beside: node, session, parent: null, id, time, fields })
  return { id, record, parent: none }
}

/** The entry that a subagent's conversation begins with, from the record of the call that started it; null where that has no prompt. */
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

/** Notes of the client's state that a copy takes over, the last of each. */
const STATE_NOTES = ['atis-latch', 'tools-used']

/** Adds the last notes of the client's state that stand in the file of a node. */
export function addState(source: EditSource, node: number, rows: RowList): void {
  const { path } = fileOf(source.graph, node).facts
  const notes = source.surveys.get(path)?.notes ?? []
  for (const type of STATE_NOTES) {
    const last = notes.findLast(note => note.type === type)
    if (last !== undefined) rows.add(noteLocation(source, path, last))
  }
}

/** Adds the title, as the SDK's fork writes it. */
export function addTitle(rows: RowList, { session, now }: NewSession, title: string): void {
  rows.addNew({
    type: 'custom-title',
    sessionId: session,
    customTitle: title,
    uuid: deriveId(session, 'title'),
    timestamp: new Date(now).toISOString(),
  })
}

/** Where a new file ends. */
interface EndOfFile {
  /** The end of the conversation: its uuid in the source, or that of an inserted row. */
  readonly leaf: EntryId
  /** The last entry of the conversation that the source has; none where all of it is inserted. */
  readonly last: number
  /** All entries that are written, in the order of rows. */
  readonly nodes: readonly number[]
  /** Whether an entry is the end of the conversation, or hangs below it. */
  readonly isAtEnd: (node: number) => boolean
}

/**
 * Releases up to 2.1.41 end at the latest time, of equal ones at the first; later ones at the last row. Where one of them does
 * not lead to the end of the conversation, a notice of the time of writing is hung on that.
 */
export function addEnd(
  rows: RowList,
  source: EditSource,
  { session, now }: NewSession,
  { leaf, last, nodes, isAtEnd }: EndOfFile,
): void {
  const { graph } = source
  const latest = latestOf(graph, nodes)
  if (latest !== none && isAtEnd(latest) && isAtEnd(nodes.at(-1) ?? none)) return
  const later = latest === none ? now : Math.max(now, timeOf(graph, latest) + 1)
  const fields = {
    type: 'system',
    subtype: 'informational',
    content: 'Copied by dagline. The conversation goes on from here.',
    isMeta: false,
    level: 'info',
  }
  const time = isoTimeOf(later) === null ? now : later
  const beside = last === none ? (nodes.at(-1) ?? none) : last
  if (beside === none) return
  rows.addNew(
    addedRecord(source, { beside, session, parent: leaf, id: deriveId(session, 'end'), time, fields }),
  )
}

/** The first of the entries with the latest time; none where none has a time. */
function latestOf(graph: Graph, nodes: readonly number[]): number {
  let latest = none
  for (const node of nodes) {
    const time = timeOf(graph, node)
    if (!Number.isNaN(time) && (latest === none || time > timeOf(graph, latest))) latest = node
  }
  return latest
}
