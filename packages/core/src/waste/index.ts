/** What a history paid for in vain, or paid for longer than needed. */
import type { Graph } from '../graph/graph.js'
import { LIST_PRICES, type Prices } from '../measure/prices.js'
import { findAbandoned, findGivenUpAgents } from './branches.js'
import { findExpired } from './cache.js'
import type { Found } from './found.js'
import { openLedger } from './ledger.js'
import { findCarried, findCompacted, findRepeated } from './lives.js'
import { findLost } from './lost.js'
import { listConversations } from './requests.js'
import { type Facts, listResults } from './results.js'
import { findRetried } from './retries.js'
import { WASTE_KINDS, type Waste } from './waste.js'

export type { Facts as WasteFacts } from './results.js'
export {
  type CallFacts,
  HOW_TO_AVOID,
  type ResultFacts,
  WASTE_KINDS,
  type Waste,
  type WasteKind,
  type WasteShare,
} from './waste.js'

/**
 * X41: the waste in a graph. `facts` are what its transcripts say of messages and calls (`readCallFacts`,
 * `readResultFacts`). A token counts for the first of `WASTE_KINDS` that claims it, so all sums together are never more
 * than the messages used.
 */
export function findWaste(graph: Graph, facts: Facts, prices: Prices = LIST_PRICES): readonly Waste[] {
  const conversations = listConversations(graph, facts.usage)
  const lives = conversations.map(conversation => ({
    graph,
    conversation,
    results: listResults(graph, conversation, facts),
  }))
  const found = [
    ...findAbandoned(graph),
    ...findGivenUpAgents(graph),
    ...conversations.flatMap(conversation => findRetried(graph, conversation)),
    ...conversations.flatMap(conversation => findExpired(graph, conversation)),
    ...lives.flatMap(findRepeated),
    ...lives.flatMap(findCompacted),
    ...lives.flatMap(findCarried),
    ...findLost(graph),
  ]
  const refs = new Map(
    conversations
      .flat()
      .flatMap(({ message, reply, isFirst }) => (isFirst ? [[message, reply[0] ?? -1]] : [])),
  )
  const take = openLedger(facts.usage, prices)
  return settle(found, take, message => graph.id(refs.get(message) ?? -1))
}

/** Counts the tokens, kind by kind. What has no tokens left was counted before; only lost prompts cost none. */
function settle(
  found: readonly Found[],
  take: ReturnType<typeof openLedger>,
  refOf: (message: string) => string,
): readonly Waste[] {
  const inOrder = found.toSorted((a, b) => WASTE_KINDS.indexOf(a.kind) - WASTE_KINDS.indexOf(b.kind))
  return inOrder.flatMap(({ claims, ...waste }) => {
    const shares = claims.flatMap(claim => {
      const share = take(claim)
      return share === null ? [] : [{ ...share, ref: refOf(claim.message) }]
    })
    return shares.length === 0 && waste.kind !== 'lost-prompt' ? [] : [{ ...waste, shares }]
  })
}
