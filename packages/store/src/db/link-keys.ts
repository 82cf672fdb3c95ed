/**
 * Link keys: what links a file to others, besides equal uuids, so that their graph must be built together. Sessions that
 * rows name, messages that may be copies, roots with the same text and time, calls and results without their
 * counterpart in the file, and uuids that the file names and does not contain.
 */

import type { FileFacts, ParsedRow } from '@dagline/core'
import { type Compaction, recordsWithCarried, type TranscriptRecord } from '@dagline/core/parse'

/** The key for a uuid that a row names: it links the file to the one that contains the entry. */
export function wantKey(uuid: string): string {
  return `u ${uuid}`
}

/** The link keys of some rows of a file, without keys for uuids of these rows themselves. */
export function linkKeysOf(facts: FileFacts, rows: readonly ParsedRow[]): ReadonlySet<string> {
  const keys = new Set<string>()
  const written = new Set<string>()
  const ends = new Map<string, Set<'call' | 'result'>>()
  if (facts.session !== null) keys.add(`s ${facts.session}`)
  if (facts.run !== null) keys.add(`r ${facts.run}`)
  if (facts.agent !== null) keys.add(`a ${facts.agent}`)
  for (const row of rows) {
    for (const record of recordsWithCarried(row)) {
      if ('id' in record) written.add(record.id)
      for (const key of keysOf(record)) keys.add(key)
      noteEnds(record, ends)
    }
  }
  for (const [tool, known] of ends) if (known.size === 1) keys.add(`t ${tool}`)
  for (const uuid of written) keys.delete(wantKey(uuid))
  return keys
}

function noteEnds(record: TranscriptRecord, ends: Map<string, Set<'call' | 'result'>>): void {
  const [tools, end] =
    record.kind === 'assistant'
      ? ([record.calls, 'call'] as const)
      : ([record.kind === 'user' ? record.results : [], 'result'] as const)
  for (const { id } of tools) ends.set(id, (ends.get(id) ?? new Set()).add(end))
}

function keysOf(record: TranscriptRecord): readonly string[] {
  const keys = record.session === null ? [] : [`s ${record.session}`]
  if (!('id' in record)) {
    if (record.kind === 'title' && record.leaf !== null) keys.push(wantKey(record.leaf))
    return keys
  }
  if (record.agent !== null) keys.push(`a ${record.agent}`)
  if (record.parent !== null) keys.push(wantKey(record.parent))
  if (record.forkedFrom !== null) keys.push(wantKey(record.forkedFrom.entry))
  switch (record.kind) {
    case 'assistant':
      if (record.message !== null) keys.push(`m ${record.message}`)
      break
    case 'user':
      if (record.parent === null && record.text !== null) keys.push(`l ${record.time} ${record.text.hash}`)
      if (record.spawn?.agent != null) keys.push(`a ${record.spawn.agent}`)
      if (record.spawn?.run != null) keys.push(`r ${record.spawn.run}`)
      break
    case 'system':
      if (record.compaction !== null) keys.push(...namedBy(record.compaction).map(wantKey))
      break
    default:
  }
  return keys
}

/** The uuids that a compaction names: where it continues, and what it preserves. */
function namedBy({ logicalParent, anchor, preserved, segment }: Compaction): readonly string[] {
  const ends = segment === null ? [] : [segment.head, segment.tail]
  return [logicalParent, anchor, ...preserved, ...ends].filter(uuid => uuid !== null)
}
