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
