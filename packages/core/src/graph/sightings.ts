/** Sightings: an entry as it stands in one file. A uuid in several files has a sighting in each. */

import type { SessionId } from '../model/ids.js'
import type { OpenFile } from './file-record.js'
import { findIn, nameOf } from './names.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The file a sighting stands in. */
export function fileOf(state: State, node: number): OpenFile {
  const file = state.files[t.int(state.table.file, node)]
  if (file === undefined) throw new RangeError(`sighting ${node} outside 0..${state.table.size - 1}`)
  return file
}

/** The session that an entry names. */
export function sessionOf({ sessions, table }: State, node: number): SessionId {
  return nameOf(sessions, t.int(table.session, node))
}

/** The first sighting of a uuid, or none. */
export function sightingOf(state: State, id: string): number {
  return findIn(state.byId, state.table.ids, id)
}

/** Every sighting of a uuid. */
export function* sightings(state: State, id: string): Generator<number> {
  let node = sightingOf(state, id)
  for (; node !== t.none; node = t.int(state.table.sameId, node)) yield node
}

/** The sighting of a uuid in a file, or none. */
export function sightingIn(state: State, id: string, file: number): number {
  let node = sightingOf(state, id)
  for (; node !== t.none; node = t.int(state.table.sameId, node)) {
    if (t.int(state.table.file, node) === file) return node
  }
  return t.none
}

/** Whether a sighting owns its node. */
export function isOwned(table: t.Table, node: number): boolean {
  return t.int(table.owner, node) === node && !t.marked(table, node, t.Repeated)
}

/** Whether a sighting is on a line: it owns its node and is not a copy. */
export function isPlaced({ table }: State, node: number): boolean {
  return isOwned(table, node) && t.int(table.copyOf, node) === t.none
}

// What single entries are, by their columns and by the release that wrote them.

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
