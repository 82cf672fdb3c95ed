/** From a request back to the entries of the file that it carries. */

import { groupBy, pushTo } from '@dagline/core/model'
import { blocksOf, type Json } from '@dagline/testkit'
import type { SentMessage } from './api.ts'
import { keysOf, type MarkedEntry, marksIn, wordsOf } from './marks.ts'

/** What a request carries of a session. */
export interface Carried {
  /** Entries in the order of the request; several where they cannot be told apart. */
  readonly groups: readonly (readonly string[])[]
  /** Blocks of the assistant, and results, that stand in no entry: made up by the client. */
  readonly madeUp: readonly string[]
}

/** Finds the entries behind a request. */
export function matchRequest(messages: readonly SentMessage[], entries: readonly MarkedEntry[]): Carried {
  // Copies have the mark of what they repeat.
  const byMark = groupBy(entries, ({ mark }) => mark)
  byMark.delete(0)
  const byKey = new Map<string, MarkedEntry[]>()
  for (const entry of entries) for (const key of entry.keys) pushTo(byKey, key, entry)
  const groups = new Map<string, readonly string[]>()
  const madeUp: string[] = []
  const add = (found: readonly MarkedEntry[]): void => {
    const uuids = [...new Set(found.map(({ uuid }) => uuid))]
    if (uuids.length > 0) groups.set(uuids.join(' '), uuids)
  }
  for (const { role, content } of messages) {
    for (const block of blocksOf(content)) {
      const marked = marksIn(wordsOf(block)).flatMap(mark =>
        byMark.has(mark) ? [byMark.get(mark) ?? []] : [],
      )
      // A result without the mark of its entry was made up by the client, which answers a call by its id.
      const known = keysOf(block, role === 'assistant' ? 'assistant' : 'user')
        .flatMap(key => byKey.get(key) ?? [])
        .filter(({ mark }) => mark === 0 || block['type'] !== 'tool_result')
      if (marked.length > 0) for (const same of marked) add(same)
      else if (known.length > 0) add(known)
      else if (role === 'assistant' || block['type'] === 'tool_result') madeUp.push(headOf(block))
    }
  }
  return { groups: settled([...groups.values()]), madeUp }
}

/** An entry that is sure to be there needs no group; of a group one that is there is enough. */
function settled(groups: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const sure = new Set(groups.filter(group => group.length === 1).flat())
  return groups.filter(group => group.length === 1 || !group.some(uuid => sure.has(uuid)))
}

function headOf(block: Json): string {
  return `${String(block['type'])}: ${wordsOf(block).slice(0, 60)}`
}
