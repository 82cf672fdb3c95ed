/** What releases of the CLI did differently, by the version on an entry. */
import { nameOf } from './names.js'
import type { State } from './state.js'
import * as t from './table.js'

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
