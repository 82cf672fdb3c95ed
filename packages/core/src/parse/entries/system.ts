/** `system` entries, the compaction boundary among them, and the described `compact_prelude`. */
import type { Compaction, EntryBase, SystemEntry } from '../../model/entry.js'
import { entryId } from '../../model/ids.js'
import { digestText } from '../digest.js'
import { asId, asNumber, asObject, asText, asTexts, type Json } from '../json.js'

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
  }
}

/** Reads the described `compact_prelude`: the boundary of a compaction. */
export function readPrelude(json: Json, base: EntryBase): SystemEntry {
  return { ...base, kind: 'system', subtype: 'compact_prelude', text: null, compaction: readCompaction(json) }
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
