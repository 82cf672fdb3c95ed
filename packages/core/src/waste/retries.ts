/** X42: replies that broke off, and were paid for again. */
import type { Graph } from '../graph/graph.js'
import { knownTimeOf } from '../graph/nodes.js'
import { type Found, headOf } from './found.js'
import type { Conversation } from './requests.js'

/** The replies of a conversation that broke off: the same was asked again without them. */
export function findRetried(graph: Graph, conversation: Conversation): readonly Found[] {
  return conversation.flatMap(({ isSure, isFirst, again, reply, session }) => {
    const [answer] = reply
    if (!isSure || !isFirst || again === null || answer === undefined) return []
    const found: Found = {
      kind: 'retry',
      session,
      what: headOf(graph, answer),
      why: 'A reply broke off, and the same was asked again: this is the answer.',
      refs: [graph.id(answer)],
      time: knownTimeOf(graph, answer),
      claims: [{ take: 'all', message: again }],
    }
    return [found]
  })
}
