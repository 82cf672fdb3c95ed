/** X41: the requests of conversations in their order, each with what it carried for the first time and what it no longer carried. */
import type { Context } from '../graph/contexts.js'
import type { Graph } from '../graph/graph.js'
import {
  domainOf,
  findAncestor,
  isAnswer,
  isApiError,
  isConversation,
  messageIdOf,
  messageOf,
  none,
  parentOf,
} from '../graph/nodes.js'
import { callsIn } from '../measure/tools.js'
import type { MessageUsage } from '../model/billing.js'

/** A request: what it used, and how what it carried differs from the request before. */
export interface Request {
  readonly message: string
  readonly usage: MessageUsage
  /** The entries of the answer. */
  readonly reply: readonly number[]
  /** How many tool calls it makes. */
  readonly calls: number
  readonly session: string
  /** The request before in the same conversation; null for the first. */
  readonly before: Request | null
  /** Entries that the request before did not carry, and entries that it alone carried. */
  readonly entered: readonly number[]
  readonly left: readonly number[]
  /** L14: false where the transcript does not tell what the request carried: then nothing is concluded from it. */
  readonly isSure: boolean
  /** The message right above the answer that this request did not carry: a reply that broke off; null for none. */
  readonly again: string | null
  /** False for the copy of a request in another file. */
  readonly isFirst: boolean
}

/** A conversation in one file: its requests in their order. */
export type Conversation = readonly Request[]

/** The conversations of a graph. Messages whose usage is not known are passed over. Linear in what requests add. */
export function listConversations(
  graph: Graph,
  usage: ReadonlyMap<string, MessageUsage>,
): readonly Conversation[] {
  const seen = new Set<string>()
  return graph.files().flatMap(({ facts }) => {
    const growing = new Map<number, Growing>()
    for (const context of graph.contexts(facts.path)) {
      const used = usage.get(context.message ?? '')
      const [first] = context.reply
      if (first === undefined) continue
      const { index, session } = domainOf(graph, first)
      const conversation = growing.get(index) ?? { requests: [], entries: [], held: new Set() }
      growing.set(index, conversation)
      const change = moveTo(conversation, context)
      if (used === undefined) continue
      conversation.requests.push({
        ...{ message: used.message, usage: used, reply: context.reply, session, ...change },
        calls: context.reply.reduce((sum, node) => sum + callsIn(graph, node).length, 0),
        before: conversation.requests.at(-1) ?? null,
        isSure: context.unknown === null,
        again: brokenBefore(graph, first, conversation.held),
        isFirst: !seen.has(used.message),
      })
      seen.add(used.message)
    }
    return [...growing.values()].map(({ requests }) => requests)
  })
}

/** The reply that an answer follows at once, where the request behind the answer did not carry it. */
function brokenBefore(graph: Graph, first: number, held: ReadonlySet<number>): string | null {
  const above = findAncestor(
    graph,
    parentOf(graph, first),
    node =>
      isConversation(graph, node) &&
      !isApiError(graph, node) &&
      messageOf(graph, node) !== messageOf(graph, first),
  )
  if (above === none || !isAnswer(graph, above) || held.has(above)) return null
  const message = messageOf(graph, above)
  return message === none ? null : messageIdOf(graph, message)
}

interface Growing {
  readonly requests: Request[]
  /** What the last request carried. */
  readonly entries: number[]
  readonly held: Set<number>
}

function moveTo({ entries, held }: Growing, { kept, added }: Context): Pick<Request, 'entered' | 'left'> {
  const dropped = entries.splice(kept)
  for (const node of added) entries.push(node)
  const again = new Set(added)
  const left = dropped.filter(node => !again.has(node))
  const entered = added.filter(node => !held.has(node))
  for (const node of left) held.delete(node)
  for (const node of entered) held.add(node)
  return { entered, left }
}
