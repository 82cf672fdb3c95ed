import type { Graph } from '@dagline/core'
import { openHistory } from 'dagline'

/** A session that is being written: `next` gives the graph of all that is there, and reads only what is new. */
export async function follow(path: string): Promise<{ next(): Graph | null }> {
  const { look } = await openHistory().follow(path)
  let graph: Graph | null = null
  const next = (): Graph | null => {
    // The graph before hands its storage over: from now on only the new one answers.
    graph = look()?.graph ?? graph
    return graph
  }
  return { next }
}
