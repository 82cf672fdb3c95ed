import { dirname, join } from 'node:path'
import { openHistory } from 'dagline'

/** Full text search in everything: what is live, abandoned branches, subagents. The index is a file in `out`. */
export async function run(folder: string, out: string): Promise<string[]> {
  const history = openHistory({ roots: [dirname(folder)], index: join(out, 'index.db') })
  const { hits } = await history.search('round', { limit: 4 })
  return hits.map(({ live, field, snippet }) => `${live ? 'live' : 'not live'}, ${field}: ${snippet}`)
}
