/**
 * Link keys: what links a file to others, besides equal uuids, so that their graph must be built together. Sessions that
 * rows name, messages that may be copies, roots with the same text and time, calls and results without their
 * counterpart in the file, and uuids that the file names and does not contain.
 */

import type { FileFacts, ParsedRow } from '@dagline/core'
import { type Compaction, recordsWithCarried, type TranscriptRecord } from '@dagline/core/parse'

const WANTED = 'u '

/** The key for a uuid that a row names: it links the file to the one that contains the entry. */
export function wantKey(uuid: string): string {
  return WANTED + uuid
}

/** The uuid that a key is for; null for a key of another kind. */
export function wantedUuid(key: string): string | null {
  return key.startsWith(WANTED) ? key.slice(WANTED.length) : null
}

/** What was collected of some rows. */
interface Collected {
  readonly keys: Set<string>
  /** Uuids that rows name, which are keys unless the same rows contain their entries. */
  readonly named: Set<string>
  readonly written: Set<string>
  /** Calls and results, as bits, by the ids of the calls. */
  readonly ends: Map<string, number>
  /** Nearly every record names what the record before it names: those keys are not made again. */
  readonly last: { id: string | null; session: string | null; message: string | null; agent: string | null }
}

const CALL = 1
const RESULT = 2

/** The link keys of some rows of a file, without keys for uuids of these rows themselves. */
export function linkKeysOf(facts: FileFacts, rows: readonly ParsedRow[]): ReadonlySet<string> {
  const collected: Collected = {
    keys: new Set(),
    named: new Set(),
    written: new Set(),
    ends: new Map(),
    last: { id: null, session: null, message: null, agent: null },
  }
  const { keys, named, written, ends } = collected
  if (facts.session !== null) keys.add(`s ${facts.session}`)
  if (facts.run !== null) keys.add(`r ${facts.run}`)
  if (facts.agent !== null) keys.add(`a ${facts.agent}`)
  for (const row of rows) for (const record of recordsWithCarried(row)) collectKeys(record, collected)
  for (const [tool, known] of ends) if (known !== (CALL | RESULT)) keys.add(`t ${tool}`)
  for (const uuid of named) if (!written.has(uuid)) keys.add(wantKey(uuid))
  return keys
}

function noteEnds(tools: readonly { readonly id: string }[], end: number, ends: Map<string, number>): void {
  for (const { id } of tools) ends.set(id, (ends.get(id) ?? 0) | end)
}

function collectKeys(record: TranscriptRecord, collected: Collected): void {
  const { keys, named, written, ends, last } = collected
  const { session } = record
  if (session !== null && session !== last.session) {
    keys.add(`s ${session}`)
    last.session = session
  }
  if (!('id' in record)) {
    if (record.kind === 'title' && record.leaf !== null) named.add(record.leaf)
    return
  }
  const { agent, parent, forkedFrom } = record
  if (agent !== null && agent !== last.agent) {
    keys.add(`a ${agent}`)
    last.agent = agent
  }
  if (parent !== null && parent !== last.id) named.add(parent)
  if (forkedFrom !== null) named.add(forkedFrom.entry)
  written.add(record.id)
  last.id = record.id
  switch (record.kind) {
    case 'assistant':
      if (record.message !== null && record.message !== last.message) {
        keys.add(`m ${record.message}`)
        last.message = record.message
      }
      noteEnds(record.calls, CALL, ends)
      break
    case 'user':
      if (parent === null && record.text !== null) keys.add(`l ${record.time} ${record.text.hash}`)
      if (record.spawn?.agent != null) keys.add(`a ${record.spawn.agent}`)
      if (record.spawn?.run != null) keys.add(`r ${record.spawn.run}`)
      noteEnds(record.results, RESULT, ends)
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
