/**
 * What ties a file to others beside equal uuids: its graph must be made together with theirs. Sessions that rows name,
 * messages that may be copies, roots that say the same at the same time, calls and results that have no other end here,
 * and uuids that are named but stand elsewhere.
 */
import {
  type Compaction,
  type FileFacts,
  type ParsedRow,
  recordsWithCarried,
  type TranscriptRecord,
} from '@dagline/core'

/** A key for a uuid that is named: whoever writes it is tied. */
export function wantKey(uuid: string): string {
  return `u ${uuid}`
}

/** The keys of some rows of a file. Uuids that these rows write themselves are no keys. */
export function tiesOf(facts: FileFacts, rows: readonly ParsedRow[]): ReadonlySet<string> {
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

/** The uuids that a compaction names: where it goes on, and what it keeps. */
function namedBy({ logicalParent, anchor, preserved, segment }: Compaction): readonly string[] {
  const ends = segment === null ? [] : [segment.head, segment.tail]
  return [logicalParent, anchor, ...preserved, ...ends].filter(uuid => uuid !== null)
}
