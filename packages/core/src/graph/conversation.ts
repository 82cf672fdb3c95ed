/** What an entry is to the conversation: a part of it, or the beginning of a turn. */
import * as t from './table.js'

/** Whether an entry is a part of the conversation itself: a `user` or `assistant` entry. */
export function isConversation(table: t.Table, node: number): boolean {
  const kind = t.byte(table.kind, node)
  return kind === t.User || kind === t.Assistant
}

/** Whether an entry begins a turn: a prompt, a command, a notification, or a compaction. */
export function startsTurn(table: t.Table, node: number): boolean {
  if (t.byte(table.kind, node) === t.User) return !withinTurn.has(t.byte(table.says, node))
  return t.marked(table, node, t.Boundary)
}

/** User entries that stand within a turn: results, interruptions, what the client adds such as hook feedback. */
const withinTurn: ReadonlySet<number> = new Set([t.SaysResult, t.SaysInterrupt, t.SaysMeta])
