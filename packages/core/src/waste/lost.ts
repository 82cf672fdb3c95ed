/** X46: prompts that were queued and never delivered. They cost no tokens, but somebody's words. */
import type { Graph } from '../graph/graph.js'
import { plainHead } from '../model/prompt-words.js'
import type { Found } from './found.js'

/** The lost prompts of a graph. */
export function findLost(graph: Graph): readonly Found[] {
  return graph.queues().flatMap(({ file, steps }) =>
    steps
      .filter(({ note, became }) => note.operation === 'enqueue' && became === 'lost')
      .map(({ note }): Found => {
        const session = file.facts.session ?? ''
        return {
          kind: 'lost-prompt',
          session,
          what: plainHead(note.text?.head ?? ''),
          why: `It was queued (row ${note.source.row}) and never delivered to Claude.`,
          refs: [session],
          time: note.time,
          claims: [],
        }
      }),
  )
}
