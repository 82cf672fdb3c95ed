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

/** What was collected of some rows. */
interface Collected {
  readonly keys: Set<string>
  /** Uuids that rows name, which are keys unless the same rows contain their entries. */
  readonly named: Set<string>
}

/** The link keys of some rows of a file, without keys for uuids of these rows themselves. */
export function linkKeysOf(facts: FileFacts, rows: readonly ParsedRow[]): ReadonlySet<string> {
  const collected: Collected = { keys: new Set(), named: new Set() }
  const { keys, named } = collected
  const written = new Set<string>()
  const ends = new Map<string, Set<'call' | 'result'>>()
  if (facts.session !== null) keys.add(`s ${facts.session}`)
  if (facts.run !== null) keys.add(`r ${facts.run}`)
  if (facts.agent !== null) keys.add(`a ${facts.agent}`)
  for (const row of rows) {
    for (const record of recordsWithCarried(row)) {
      if ('id' in record) written.add(record.id)
      collectKeys(record, collected)
      noteEnds(record, ends)
    }
  }
  for (const [tool, known] of ends) if (known.size === 1) keys.add(`t ${tool}`)
  for (const uuid of named) if (!written.has(uuid)) keys.add(wantKey(uuid))
  return keys
}

function noteEnds(record: TranscriptRecord, ends: Map<string, Set<'call' | 'result'>>): void {
  const [tools, end] =
    record.kind === 'assistant'
      ? ([record.calls, 'call'] as const)
      : ([record.kind === 'user' ? record.results : [], 'result'] as const)
  for (const { id } of tools) ends.set(id, (ends.get(id) ?? new Set()).add(end))
}

function collectKeys(record: TranscriptRecord, { keys, named }: Collected): void {
  if (record.session !== null) keys.add(`s ${record.session}`)
  if (!('id' in record)) {
    if (record.kind === 'title' && record.leaf !== null) named.add(record.leaf)
    return
  }
  if (record.agent !== null) keys.add(`a ${record.agent}`)
  if (record.parent !== null) named.add(record.parent)
  if (record.forkedFrom !== null) named.add(record.forkedFrom.entry)
  switch (record.kind) {
    case 'assistant':
      if (record.message !== null) keys.add(`m ${record.message}`)
      break
    case 'user':
      if (record.parent === null && record.text !== null) keys.add(`l ${record.time} ${record.text.hash}`)
      if (record.spawn?.agent != null) keys.add(`a ${record.spawn.agent}`)
      if (record.spawn?.run != null) keys.add(`r ${record.spawn.run}`)
      break
    case 'system':
      if (record.compaction !== null) for (const uuid of namedBy(record.compaction)) named.add(uuid)
      break
    default:
  }
}

/** The uuids that a compaction names: where it continues, and what it preserves. */
function namedBy({ logicalParent, anchor, preserved, segment }: Compaction): readonly string[] {
  const ends = segment === null ? [] : [segment.head, segment.tail]
  return [logicalParent, anchor, ...preserved, ...ends].filter(uuid => uuid !== null)
}
