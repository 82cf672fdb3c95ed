/** A6: entries that tell the end of a task in the background. */
import type { TextDigest } from '../model/entry.js'
import type { State } from './state.js'
import * as t from './table.js'

/** Notifications by the task and by the call they name; the first counts. */
export function findNotifications(state: State): ReadonlyMap<string, number> {
  const { table } = state
  const ends = new Map<string, number>()
  for (let node = 0; node < table.size; node++) {
    const isNote = t.byte(table.says, node) === t.SaysNotification
    if ((!isNote && t.byte(table.kind, node) !== t.Attachment) || t.int(table.owner, node) !== node) continue
    for (const named of (textOf(state, node)?.head ?? '').matchAll(/<(?:task-id|tool-use-id)>([^<]+)</g)) {
      if (!ends.has(named[1] ?? '')) ends.set(named[1] ?? '', node)
    }
  }
  return ends
}

/** Whether a notification says that its task has done what it was to do. */
export function tellsCompletion(state: State, node: number): boolean {
  return textOf(state, node)?.head.includes('<status>completed</status>') === true
}

function textOf({ table }: State, node: number): TextDigest | null {
  const entry = table.entries[node]
  if (entry?.kind === 'user') return entry.text
  return entry?.kind === 'attachment' ? (entry.queued?.text ?? null) : null
}
