/** X44: the results of tool calls over their lives: how many tokens each has, and which requests carried it. */
import type { Graph } from '../graph/graph.js'
import {
  isAnswer,
  isResult,
  lengthOf,
  messageIdOf,
  messageOf,
  none,
  toolIdOf,
  toolsOf,
} from '../graph/nodes.js'
import { promptTokens } from '../measure/context-tokens.js'
import { type Call, callsIn } from '../measure/tools.js'
import { isUndercounted, missingTokens } from '../measure/usage-messages.js'
import type { MessageUsage } from '../model/billing.js'
import type { Conversation, Request } from './requests.js'
import type { CallFacts, ResultFacts } from './waste.js'

/** What is known of the messages and calls of a graph's transcripts. */
export interface Facts {
  readonly usage: ReadonlyMap<string, MessageUsage>
  readonly calls: ReadonlyMap<string, CallFacts>
  readonly results: ReadonlyMap<string, ResultFacts>
}

/** A result that requests carried. */
export interface Result {
  readonly call: Call
  /** The call in one line. */
  readonly label: string
  readonly key: string
  readonly hash: string
  readonly tokens: number
  /** The entry that holds it. */
  readonly node: number
  /** The first and the last request that carried it, by their positions in the conversation. */
  readonly from: number
  to: number
}

/** The results of a conversation, in the order in which they entered it. */
export function listResults(graph: Graph, conversation: Conversation, facts: Facts): readonly Result[] {
  const calls = new Map<string, Call>()
  const results: Result[] = []
  const held = new Map<number, Result[]>()
  for (const [at, request] of conversation.entries()) {
    for (const node of request.left) {
      for (const result of held.get(node) ?? []) result.to = at - 1
      held.delete(node)
    }
    const sizes = sizesOf(graph, request, facts)
    for (const node of request.entered) {
      const found = resultsIn(graph, node, { at, calls, facts, tokens: sizes.get(node) ?? 0 })
      if (found.length > 0) held.set(node, found)
      results.push(...found)
    }
    for (const node of request.reply) for (const call of callsIn(graph, node)) calls.set(call.id, call)
  }
  for (const each of held.values()) for (const result of each) result.to = conversation.length - 1
  return results
}

interface Entering {
  readonly at: number
  readonly calls: ReadonlyMap<string, Call>
  readonly facts: Facts
  /** Of the whole entry. */
  readonly tokens: number
}

function resultsIn(graph: Graph, node: number, { at, calls, facts, tokens }: Entering): Result[] {
  if (!isResult(graph, node)) return []
  const ids = toolsOf(graph, node).map(tool => toolIdOf(graph, tool))
  const sizes = ids.map(id => facts.results.get(id)?.characters ?? 0)
  const whole = sizes.reduce((a, b) => a + b, 0)
  return ids.flatMap((id, nth) => {
    const [call, asked, said] = [calls.get(id), facts.calls.get(id), facts.results.get(id)]
    if (call === undefined || asked === undefined || said === undefined) return []
    const share = whole === 0 ? 0 : (sizes[nth] ?? 0) / whole
    const { key, label } = asked
    return { call, key, label, hash: said.hash, tokens: Math.floor(tokens * share), node, from: at, to: at }
  })
}

/**
 * The tokens of the user entries that a request carried for the first time. What the request is longer than the one before
 * is known from the usage of both; the answers between them tell what they put out, and the rest is what the entries have,
 * each by its length. Where that is not known, by the usual length of a token.
 */
function sizesOf(graph: Graph, request: Request, facts: Facts): ReadonlyMap<number, number> {
  const entries = request.entered.filter(node => !isAnswer(graph, node))
  const lengths = entries.map(node => charactersOf(graph, node, facts))
  const whole = lengths.reduce((a, b) => a + b, 0)
  const room = roomIn(graph, request, facts)
  const share = (length: number): number =>
    room === null || whole === 0 ? length / USUAL : Math.min((room * length) / whole, length / FEWEST)
  return new Map(entries.map((node, nth) => [node, Math.floor(share(lengths[nth] ?? 0))]))
}

/**
 * Characters of a token. In the corpus large results have 2.9 in the median and 2 in the densest; where there seem to be
 * less, something else entered with the result that no entry shows.
 */
const USUAL = 3
const FEWEST = 2

function charactersOf(graph: Graph, node: number, { results }: Facts): number {
  if (!isResult(graph, node)) return lengthOf(graph, node)
  const ids = toolsOf(graph, node).map(tool => toolIdOf(graph, tool))
  return ids.reduce((sum, id) => sum + (results.get(id)?.characters ?? 0), 0)
}

/** The tokens that entered beside answers; null where something else left, or the request before is not known. */
function roomIn(graph: Graph, { before, usage, entered, left }: Request, facts: Facts): number | null {
  if (before === null || left.length > 0) return null
  const messages = new Set(
    entered.flatMap(node => {
      const message = isAnswer(graph, node) ? messageOf(graph, node) : none
      return message === none ? [] : [messageIdOf(graph, message)]
    }),
  )
  const answered = [...messages].reduce((sum, id) => sum + outputOf(facts.usage.get(id)), 0)
  return Math.max(0, promptTokens(usage) - promptTokens(before.usage) - answered)
}

/** X6: what an answer put out: at least what its text must have had. */
function outputOf(usage: MessageUsage | undefined): number {
  if (usage === undefined) return 0
  return usage.output + (isUndercounted(usage) ? missingTokens(usage) : 0)
}
