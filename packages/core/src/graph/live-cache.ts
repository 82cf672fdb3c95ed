/** L5: live conversations are kept until a row is added to their file. */
import { liveNodes } from './live.js'
import type { FileRecord, State } from './state.js'

/** The live nodes of a file, computed once per state of the file. */
export function liveOf(state: State, file: FileRecord): readonly number[] {
  const known = state.live.get(file.index)
  if (known !== undefined && known.at === state.settled) return known.nodes
  const nodes = liveNodes(state, file)
  state.live.set(file.index, { at: state.settled, nodes })
  return nodes
}
