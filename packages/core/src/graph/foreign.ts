/** Entries that name another session than the file they stand in. */
import type { FileRecord } from './file-record.js'
import { nameOf } from './names.js'
import type { State } from './state.js'
import * as t from './table.js'

/**
 * The entries of a file that carry another id than its session's, and are its own. Forked and resumed copies keep the
 * ids of their origin: those stand in another file, too, or say where they come from.
 */
export function foreignEntries(state: State, file: FileRecord, session: string): readonly number[] {
  const { table } = state
  return file.nodes.filter(
    node =>
      nameOf(state.sessions, t.int(table.session, node)) !== session &&
      !state.shared.has(t.idOf(table, node)) &&
      !t.marked(table, node, t.Stamped) &&
      t.int(table.copyOf, node) === t.none,
  )
}
