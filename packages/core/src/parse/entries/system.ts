/** `system` entries, the compaction boundary among them, and the seeds' `compact_prelude` / `compact_recap`. */
import type { Compaction, EntryBase, SystemEntry } from '../../model/entry.js'
import { type EntryId, entryId } from '../../model/ids.js'
import { type Json, numberAt, objectAt, textAt, textsAt } from '../json.js'
import { printText } from '../print.js'

/** Reads a system entry. */
export function readSystem(json: Json, base: EntryBase): SystemEntry {
  const subtype = textAt(json, 'subtype') ?? 'none'
  const text = textAt(json, 'content')
  return {
    ...base,
    kind: 'system',
    subtype,
    text: text === null ? null : printText(text),
    compaction: subtype === 'compact_boundary' ? compactionOf(json) : null,
  }
}

/** Reads the seeds' compaction records: the prelude is the boundary, the recap its summary. */
export function readSeedCompaction(json: Json, base: EntryBase, subtype: string): SystemEntry {
  const compaction = subtype === 'compact_prelude' ? compactionOf(json) : null
  return { ...base, kind: 'system', subtype, text: null, compaction }
}

function compactionOf(json: Json): Compaction {
  const meta = objectAt(json, 'compactMetadata') ?? {}
  const messages = objectAt(meta, 'preservedMessages')
  const segment = objectAt(meta, 'preservedSegment')
  const anchor = (messages && textAt(messages, 'anchorUuid')) ?? (segment && textAt(segment, 'anchorUuid'))
  return {
    logicalParent: idAt(json, 'logicalParentUuid'),
    trigger: textAt(meta, 'trigger'),
    preTokens: numberAt(meta, 'preTokens'),
    postTokens: numberAt(meta, 'postTokens'),
    anchor: anchor === null ? null : entryId(anchor),
    preserved: messages === null ? [] : textsAt(messages, 'uuids').map(entryId),
    segment: segment === null ? null : segmentOf(segment),
  }
}

function segmentOf(segment: Json): Compaction['segment'] {
  const head = idAt(segment, 'headUuid')
  const tail = idAt(segment, 'tailUuid')
  return head === null || tail === null ? null : { head, tail }
}

function idAt(json: Json, key: string): EntryId | null {
  const text = textAt(json, key)
  return text === null ? null : entryId(text)
}
