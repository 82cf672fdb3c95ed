/** Changing one record: new names, another parent, blocks taken out. Pure; the record that comes in stays as it is. */
import type { EntryId, SessionId } from '../model/ids.js'
import { asList, asObject, asObjects, asText, type Json } from '../parse/json.js'
import { isEntryRecord } from '../parse/row.js'
import { isEmptyBlock, isEmptyMedium, isUnsigned } from '../resume/content-marks.js'
import type { KeptEntries, RowPatch } from './plan.js'

/** How the rows of one new file are named. */
export interface Naming {
  /** The session the rows will belong to. */
  readonly session: SessionId
  /** The uuid a copy gets; the same one where nothing is renamed. */
  readonly rename: (id: string) => EntryId
  /** Copies say what they are copies of. */
  readonly stamps: boolean
}

/**
 * The record as it stands in the new file; null where nothing is left of it that could be sent. `parent` is the new
 * parent as the source names it; undefined leaves the record's own.
 */
export function applyPatch(record: Json, patch: RowPatch, naming: Naming): Json | null {
  const message = patchMessage(record, patch)
  if (message === null) return null
  const named = isEntryRecord(record) ? nameEntry(record, patch, naming) : nameNote(record, naming)
  const patched: Json = message === record.message ? named : { ...named, message }
  const compacted = patch.kept === undefined ? patched : withKept(patched, patch.kept, naming)
  const linked = patch.logical === undefined ? compacted : withLogical(compacted, patch.logical, naming)
  const dated = patch.time === undefined ? linked : { ...linked, timestamp: patch.time }
  const plain = patch.plain === true ? asPlain(dated) : dated
  return patch.main === true ? asMain(plain) : plain
}

/** Fields of an entry that hold the uuid of another entry of the conversation. */
const LINKS = ['sourceToolAssistantUUID', 'logicalParentUuid', 'interruptedMessageId', 'refusedMessageId']

function nameEntry(record: Json, patch: RowPatch, { session, rename, stamps }: Naming): Json {
  const id = asText(record.uuid) ?? ''
  const parent = patch.parent === undefined ? asText(record.parentUuid) : patch.parent
  const named: Record<string, unknown> = { ...record }
  named['parentUuid'] = parent === null ? null : rename(parent)
  named['uuid'] = rename(id)
  for (const link of LINKS) {
    const target = asText(record[link])
    if (target !== null) named[link] = rename(target)
  }
  if (record.sessionId !== undefined || stamps) named['sessionId'] = session
  if (asText(record.session_id) !== null) named['session_id'] = session
  if (asObject(record.compactMetadata) !== null)
    named['compactMetadata'] = nameKept(record.compactMetadata, rename)
  if (stamps) named['forkedFrom'] = { sessionId: asText(record.sessionId) ?? session, messageUuid: id }
  return named
}

/** Notes name entries too: the prompt of a snapshot, the leaf of a checkpoint. */
function nameNote(record: Json, { session, rename }: Naming): Json {
  const named: Record<string, unknown> = { ...record }
  if (asText(record.sessionId) !== null) named['sessionId'] = session
  for (const field of ['leafUuid', 'messageId', 'snapshotMessageId']) {
    const target = asText(record[field])
    if (target !== null) named[field] = rename(target)
  }
  const snapshot = asObject(record.snapshot)
  const prompt = asText(snapshot?.messageId)
  if (prompt !== null) named['snapshot'] = { ...snapshot, messageId: rename(prompt) }
  return named
}

/** The uuids in the two lists of kept entries, renamed. */
function nameKept(value: unknown, rename: (id: string) => string): Json {
  const meta: Record<string, unknown> = { ...asObject(value) }
  for (const list of ['preservedMessages', 'preservedSegment']) {
    const kept = asObject(meta[list])
    if (kept === null) continue
    meta[list] = Object.fromEntries(
      Object.entries(kept).map(([key, ids]) => [key, renameAll(ids, rename)] as const),
    )
  }
  return meta
}

function renameAll(value: unknown, rename: (id: string) => string): unknown {
  if (typeof value === 'string') return rename(value)
  return Array.isArray(value) ? value.map(id => (typeof id === 'string' ? rename(id) : id)) : value
}

/** C2: a boundary that says what it keeps, or nothing where the kept entries follow it as rows. */
function withKept(record: Json, kept: KeptEntries | null, { rename }: Naming): Json {
  const { preservedMessages, preservedSegment, ...meta } = { ...asObject(record.compactMetadata) }
  if (kept === null) return { ...record, logicalParentUuid: null, compactMetadata: meta }
  const anchor =
    asText(asObject(preservedMessages)?.anchorUuid) ?? asText(asObject(preservedSegment)?.anchorUuid)
  const uuids = kept.uuids.map(rename)
  const messages = { ...asObject(preservedMessages), anchorUuid: anchor, uuids, allUuids: uuids }
  return {
    ...record,
    logicalParentUuid: kept.logicalParent === null ? null : rename(kept.logicalParent),
    compactMetadata: uuids.length === 0 ? meta : { ...meta, preservedMessages: messages },
  }
}

function withLogical(record: Json, logical: EntryId | null, { rename }: Naming): Json {
  return { ...record, logicalParentUuid: logical === null ? null : rename(logical) }
}

/** A summary as a text that the client has put in. */
function asPlain(record: Json): Json {
  const { isCompactSummary, isVisibleInTranscriptOnly, ...rest } = record
  return { ...rest, isMeta: true }
}

/** An agent's entry as one of a main conversation. */
function asMain(record: Json): Json {
  const { agentId, attributionAgent, ...rest } = record
  return { ...rest, isSidechain: false }
}

/** The message without what the patch takes out; the same object where nothing changes, null where nothing is left. */
function patchMessage(record: Json, patch: RowPatch): unknown {
  const written = asObject(record.message)
  const message = written === null ? null : withFields(record, written, patch)
  if (message === null || !touchesContent(patch)) return message ?? record.message ?? undefined
  const { content } = message
  if (typeof content === 'string') return content.trim() === '' && patch.clean ? null : message
  const blocks = asObjects(content)
  const left = blocks.filter(block => !isTakenOut(block, patch)).map(block => patchBlock(block, patch))
  return left.length === 0 ? null : { ...message, content: left }
}

/** The message with the fields that it lacks. Parts of one answer have the same request, and so the same message id. */
function withFields(record: Json, message: Json, { role, messageId }: RowPatch): Json {
  if (role !== true && messageId !== true) return message
  const id = `msg_${asText(record.requestId)}`
  return {
    ...message,
    ...(role === true ? { role: record.type } : {}),
    ...(messageId === true ? { id } : {}),
  }
}

function touchesContent({ clean, strayTools, openTools, tools }: RowPatch): boolean {
  return clean === true || strayTools !== undefined || openTools !== undefined || tools !== undefined
}

function isTakenOut(block: Json, { clean, strayTools, openTools }: RowPatch): boolean {
  if (clean === true && (isEmptyBlock(block) || isUnsigned(block))) return true
  if (block.type === 'tool_result') return strayTools?.includes(asText(block.tool_use_id) ?? '') ?? false
  return block.type === 'tool_use' && (openTools?.includes(asText(block.id) ?? '') ?? false)
}

function patchBlock(block: Json, { tools, clean }: RowPatch): Json {
  const renamed = tools === undefined ? block : renameTool(block, tools)
  if (clean !== true) return renamed
  if (isEmptyMedium(renamed)) return NO_DATA
  if (!Array.isArray(renamed.content)) return renamed
  const parts = asList(renamed.content)
    .filter(part => !isBlank(asObject(part)))
    .map(part => (isEmptyMedium(asObject(part) ?? {}) ? NO_DATA : part))
  return { ...renamed, content: parts.length === 0 ? '(no output)' : parts }
}

/** What replaces an image or document without data. */
const NO_DATA: Json = { type: 'text', text: '(an image or document without data)' }

function isBlank(part: Json | null): boolean {
  return part !== null && part.type === 'text' && part.text === ''
}

function renameTool(block: Json, tools: ReadonlyMap<string, string>): Json {
  const field = block.type === 'tool_use' ? 'id' : block.type === 'tool_result' ? 'tool_use_id' : null
  const renamed = field === null ? undefined : tools.get(asText(block[field]) ?? '')
  return field === null || renamed === undefined ? block : { ...block, [field]: renamed }
}
