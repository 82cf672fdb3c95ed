/** Entries that the client adds: `system`, with the boundary of a compaction, the described `compact_prelude`, `attachment`. */
import type { AttachmentEntry, Compaction, EntryBase, QueuedCommand, SystemEntry } from '../../model/entry.js'
import { entryId, type ToolUseId, toolUseId } from '../../model/ids.js'
import { textOf } from '../content.js'
import { digestText } from '../digest.js'
import { asId, asNumber, asObject, asObjects, asText, asTexts, type Json } from '../json.js'
import { runsAtStart } from './base.js'

/** Reads a system entry. */
export function readSystem(json: Json, base: EntryBase): SystemEntry {
  const subtype = asText(json.subtype) ?? 'none'
  const text = asText(json.content)
  return {
    ...base,
    kind: 'system',
    subtype,
    text: text === null ? null : digestText(text),
    compaction: subtype === 'compact_boundary' ? readCompaction(json) : null,
    cleared: subtype === 'microcompact_boundary' ? readCleared(json) : [],
  }
}

function readCleared(json: Json): readonly ToolUseId[] {
  const ids = asObject(json.microcompactMetadata)?.compactedToolIds
  return asTexts(ids).map(id => toolUseId(id))
}

/** Reads the described `compact_prelude`: the boundary of a compaction. */
export function readPrelude(json: Json, base: EntryBase): SystemEntry {
  return {
    ...base,
    kind: 'system',
    subtype: 'compact_prelude',
    text: null,
    compaction: readCompaction(json),
    cleared: [],
  }
}

/** Reads the compaction that a boundary describes. */
export function readCompaction(json: Json): Compaction {
  const meta = asObject(json.compactMetadata) ?? {}
  const messages = asObject(meta.preservedMessages)
  const segment = asObject(meta.preservedSegment)
  return {
    logicalParent: asId(json.logicalParentUuid, entryId),
    trigger: asText(meta.trigger),
    preTokens: asNumber(meta.preTokens),
    postTokens: asNumber(meta.postTokens),
    durationMs: asNumber(meta.durationMs),
    anchor: asId(messages?.anchorUuid, entryId) ?? asId(segment?.anchorUuid, entryId),
    preserved: asTexts(messages?.uuids).map(entryId),
    segment: segment === null ? null : segmentOf(segment),
    summarized: asNumber(meta.messagesSummarized),
  }
}

function segmentOf(segment: Json): Compaction['segment'] {
  const head = asId(segment.headUuid, entryId)
  const tail = asId(segment.tailUuid, entryId)
  return head === null || tail === null ? null : { head, tail }
}

/** Reads an attachment entry. */
export function readAttachment(json: Json, base: EntryBase): AttachmentEntry {
  const attachment = asObject(json.attachment) ?? {}
  const subtype = asText(attachment.type) ?? 'none'
  const startsProcess =
    runsAtStart(attachment) || (subtype === 'skill_listing' && attachment.isInitial === true)
  return { ...base, kind: 'attachment', subtype, startsProcess, queued: queuedOf(subtype, attachment) }
}

function queuedOf(subtype: string, attachment: Json): QueuedCommand | null {
  if (subtype !== 'queued_command') return null
  const text = asText(attachment.prompt) ?? textOf(asObjects(attachment.prompt)) ?? ''
  return {
    text: digestText(text),
    typed: (asText(attachment.commandMode) ?? 'prompt') === 'prompt',
    source: asText(attachment.source_uuid),
    delivery: asText(attachment.delivery_id),
  }
}
