/** What single entries are, by their columns and by the release that wrote them. */

import { nameOf } from './names.js'
import type { State } from './state.js'
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

/** Whether an entry was written by 1.x or 2.0.x: results are one line, and a resume loads the bare chain. */
export function isEarly(state: State, node: number): boolean {
  return /^[01]\.|^2\.0\./.test(versionOf(state, node))
}

/** 2.0.31 and older send notices of failed requests on as the model's words (s17 and s18c); 2.0.64 does not. */
export function sendsNotices(state: State, node: number): boolean {
  return /^2\.0\.([12]?\d|3[01])$/.test(versionOf(state, node))
}

function versionOf(state: State, node: number): string {
  return nameOf(state.versions, t.word(state.table.version, node))
}
