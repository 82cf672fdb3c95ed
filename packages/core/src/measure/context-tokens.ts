/**
 * X17: the tokens of requests, by what they held. The total of a request is known from its answer; how it divides is
 * estimated from the sizes of what it carried, and the estimates are made to add up to the total:
 *
 *   entries and attachments: characters by kind of text          estimated
 *   system prompt, tools, what no row shows                      the rest; of the request before, until the next is known
 */
import { type Context, contextAttachments, contextEntries } from '../graph/contexts.js'
import type { Graph } from '../graph/graph.js'
import { domainOf } from '../graph/nodes.js'
import type { ContextCategory, ContextPiece, TextKind } from '../model/context.js'
import type { Usage } from '../model/entry.js'
import type { FileId } from '../model/ids.js'

/** A category of a context; `system` is what no row of the transcript shows: system prompt, tools, unwritten reminders. */
export type TokenCategory = ContextCategory | 'system'

/** The tokens of a request by category. */
export interface ContextTokens {
  /** Input, cache reads and cache writes, as the answer tells; null where it does not. */
  readonly total: number | null
  /** Whole numbers that add up to the total; without a total the estimates, and nothing of the system. */
  readonly parts: Readonly<Record<string, number>>
  /** What was estimated before that: entries, attachments, and the rest of the request before; null for a first request. */
  readonly estimate: number | null
}

/** A context and its tokens. */
export interface MeasuredContext {
  readonly context: Context
  readonly tokens: ContextTokens
}

/** The estimated tokens of an entry, by category. */
export interface EntryTokens {
  readonly category: ContextCategory
  readonly tokens: number
}

/** Gives the estimated tokens of an entry or attachment. */
export type TokensOf = (node: number) => readonly EntryTokens[]

/**
 * Tokens for each character, and for each piece, fitted to how much 10,900 requests of the public corpus grew over the one
 * before (median of the difference: 11 % of the growth).
 */
const RATES: Readonly<Record<TextKind, { readonly each: number; readonly more: number }>> = {
  prompt: { each: 0.25, more: 22 },
  answer: { each: 0.28, more: 0 },
  thinking: { each: 0.32, more: 0 },
  signature: { each: 0.28, more: 0 },
  call: { each: 0.3, more: 54 },
  result: { each: 0.345, more: 34 },
  attachment: { each: 0.385, more: 0 },
  image: { each: 0, more: 1200 },
}

/** The estimated tokens of the pieces of an entry. */
export function estimateTokens(pieces: readonly ContextPiece[]): readonly EntryTokens[] {
  return pieces.map(({ category, kind, characters }) => {
    const { each, more } = RATES[kind]
    return { category, tokens: Math.round(characters * each + more) }
  })
}

/** The tokens of every request of a file, in the order of its answers. The cost follows the changes between them. */
export function measureContexts(graph: Graph, path: FileId, tokensOf: TokensOf): readonly MeasuredContext[] {
  return [...measureEach(graph, path, tokensOf)]
}

/** The same one by one, so that a caller can pause between two requests. */
export function* measureEach(graph: Graph, path: FileId, tokensOf: TokensOf): Generator<MeasuredContext> {
  const usage = new Map([...graph.usage()].map(({ message, usage: used }) => [message, used]))
  const conversations = new Map<number, Running>()
  for (const context of graph.contexts(path)) {
    const domain = domainOf(graph, context.reply[0] ?? -1).index
    const running = conversations.get(domain) ?? createRunning()
    conversations.set(domain, running)
    moveTo(running, context, tokensOf)
    const used = context.message === null ? undefined : usage.get(context.message)
    yield { context, tokens: tokensAt(running, used === undefined ? null : promptTokens(used)) }
  }
}

/** The tokens of a request: all that the model read. */
export function promptTokens({ input, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number {
  return input + cacheRead + cacheWrite5m + cacheWrite1h
}

/** Tokens that the models of a conversation can read at once: more than 200,000 only where a request had more. */
export function contextWindow(totals: Iterable<number | null>): number {
  for (const total of totals) if ((total ?? 0) > usualWindow) return 1_000_000
  return usualWindow
}

const usualWindow = 200_000

/** A conversation along its requests: what the last one held, by category. */
interface Running {
  readonly entries: number[]
  readonly attachments: number[]
  readonly sums: Map<ContextCategory, number>
  /** What the last request had that no row shows. */
  rest: number | null
}

function createRunning(): Running {
  return { entries: [], attachments: [], sums: new Map(), rest: null }
}

function moveTo(running: Running, context: Context, tokensOf: TokensOf): void {
  const add = (sign: 1 | -1, nodes: readonly number[]): void => {
    for (const node of nodes)
      for (const { category, tokens } of tokensOf(node))
        running.sums.set(category, (running.sums.get(category) ?? 0) + sign * tokens)
  }
  for (const [list, { kept, added }] of [
    [running.entries, context],
    [running.attachments, context.attachments],
  ] as const) {
    add(-1, list.splice(kept))
    add(1, added)
    for (const node of added) list.push(node)
  }
}

/** How far estimates are stretched at most: what is missing beyond was in no row, what is too much was cleared. */
const most = 1.25
const least = 0.5

function tokensAt(running: Running, total: number | null): ContextTokens {
  const held = [...running.sums].filter(([, tokens]) => tokens > 0)
  const sum = held.reduce((all, [, tokens]) => all + tokens, 0)
  if (total === null || total <= 0) return { total: null, parts: Object.fromEntries(held), estimate: null }
  const { rest } = running
  const shown =
    rest === null ? sum : Math.min(Math.max(total - rest, Math.floor(sum * least)), Math.ceil(sum * most))
  const visible = Math.min(shown, total)
  running.rest = total - visible
  const shares = share(
    visible,
    held.map(([, tokens]) => tokens),
  )
  const parts = held.map(([category], i) => [category, shares[i] ?? 0] as const)
  const system = total - shares.reduce((all, tokens) => all + tokens, 0)
  return {
    total,
    parts: Object.fromEntries([...parts, ['system', system] as const].filter(([, tokens]) => tokens > 0)),
    estimate: rest === null ? null : rest + sum,
  }
}

/** Divides a total by weights into whole numbers that add up to it: what is left over goes to the largest remainders. */
function share(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum <= 0) return weights.map(() => 0)
  const exact = weights.map(weight => (total * weight) / sum)
  const shares = exact.map(Math.floor)
  let left = total - shares.reduce((all, tokens) => all + tokens, 0)
  const order = exact.map((value, i) => [value - Math.floor(value), i] as const).sort(([a], [b]) => b - a)
  for (const [, i] of order) {
    if (left <= 0) break
    shares[i] = (shares[i] ?? 0) + 1
    left--
  }
  return shares
}

/** An entry or attachment of a request with its share of the request's tokens. */
export interface SharedEntry {
  readonly node: number
  readonly tokens: number
}

/** The tokens of each entry and attachment of one request, made to add up to what the transcript shows of its total. */
export function shareByEntry(
  { context, tokens }: MeasuredContext,
  tokensOf: TokensOf,
): readonly SharedEntry[] {
  const nodes = [...contextEntries(context), ...contextAttachments(context)]
  const weights = nodes.map(node => tokensOf(node).reduce((sum, each) => sum + each.tokens, 0))
  const shown = Object.entries(tokens.parts).filter(([category]) => category !== 'system')
  const shares = share(
    shown.reduce((sum, [, each]) => sum + each, 0),
    weights,
  )
  return nodes.map((node, i) => ({ node, tokens: shares[i] ?? 0 }))
}
