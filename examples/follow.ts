import { appendRows, type Graph, type ParsedRow, parseRow, startGraph } from '@dagline/core'
import { changeOf, discover, type FileState, readRows, stateOf } from '@dagline/store'

/** A session that is being written: `next` gives the graph of all that is there, and reads only what is new. */
export function follow(path: string): { next(): Graph } {
  const facts = discover([path])[0]?.projects[0]?.files[0]
  let graph = startGraph().build()
  let state: FileState | null = null
  const next = (): Graph => {
    const change = state === null ? 'grown' : changeOf(state, path)
    if (facts === undefined || change === 'unchanged' || change === 'gone') return graph
    if (change !== 'grown') {
      // Truncated or replaced: begin anew.
      graph = startGraph().build()
      state = null
    }
    const rows: ParsedRow[] = []
    const read = readRows(path, row => rows.push(parseRow(row)), state === null ? {} : { from: state })
    state = stateOf(path, read)
    // The graph before hands its storage over: from now on only the new one answers.
    graph = appendRows(graph, [{ facts, rows }])
    return graph
  }
  return { next }
}
