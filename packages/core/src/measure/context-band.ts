/** V27: the requests of a conversation over time: tokens by category, and where compactions and rewinds come between. */
import type { Agent } from '../graph/agents.js'
import { type Context, contextSize } from '../graph/contexts.js'
import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import { domainOf } from '../graph/nodes.js'
import type { SessionId } from '../model/ids.js'
import type { ContextBand, ContextConversation, ContextMark } from '../protocol/context.js'
import { contextWindow, type MeasuredContext, measureEach, type TokensOf } from './context-tokens.js'

/** The conversations of a session that have entries: its own first, unless its transcript is gone, then those of its subagents. */
export function listConversations(graph: Graph, session: SessionId): readonly ContextConversation[] {
  const agents = agentsOf(graph, session).filter(({ state }) => state !== 'empty' && state !== 'warmup')
  const isThere = conversationFiles(graph, session, null).some(({ facts }) => facts.kind !== 'agent')
  return [
    ...(isThere ? [{ agent: null, name: 'Main conversation' }] : []),
    ...agents.map(({ id, name, meta }) => ({
      agent: id,
      name: meta?.description == null ? name : `${name}: ${meta.description}`,
    })),
  ]
}

function agentsOf(graph: Graph, session: SessionId): readonly Agent[] {
  return graph.agents().filter(({ domain }) => domain.session === session)
}

/** The requests of a conversation of a session, its own or that of a subagent, one by one: a caller can pause between two. */
export function* measureConversation(
  graph: Graph,
  { session, agent }: { readonly session: SessionId; readonly agent: string | null },
  tokensOf: TokensOf,
): Generator<MeasuredContext> {
  const domain = agentsOf(graph, session).find(({ id }) => id === agent)?.domain ?? null
  const isMeant = ({ context }: MeasuredContext): boolean => {
    const own = domainOf(graph, context.reply[0] ?? -1)
    return agent === null ? own.kind === 'session' : own === domain
  }
  for (const { facts } of conversationFiles(graph, session, agent))
    for (const measured of measureEach(graph, facts.path, tokensOf)) if (isMeant(measured)) yield measured
}

/** Whether two entries are of one conversation: that of a session, or that of one subagent. A file may hold several. */
export function isSameConversation(graph: Graph, a: number, b: number): boolean {
  const [one, other] = [domainOf(graph, a), domainOf(graph, b)]
  return one.kind === 'session' ? other.kind === 'session' : one === other
}

/** The files with the entries of a conversation. */
export function conversationFiles(
  graph: Graph,
  session: SessionId,
  agent: string | null,
): readonly FileRecord[] {
  if (agent === null) {
    const file = graph.currentFile(session)
    return file === null ? [] : [file]
  }
  const files = agentsOf(graph, session).find(({ id }) => id === agent)?.domain.files
  return graph.files().filter(({ index }) => files?.has(index) === true)
}

/** Items of a band beside those that compactions begin. */
const MOST_ITEMS = 300
/** Categories that are told apart; the others are one. */
const MOST_CATEGORIES = 7

/** The band of the requests of one conversation. */
export function drawBand(graph: Graph, measured: readonly MeasuredContext[]): ContextBand {
  const marks = findMarks(graph, measured)
  const items = chooseItems(measured, marks)
  const shown = items.flatMap(({ at }) => measured[at] ?? [])
  const firsts = shown.map(({ context }) => graph.node(context.reply[0] ?? -1))
  return {
    window: contextWindow(measured.map(({ tokens }) => tokens.total)),
    answers: measured.length,
    answer: items.map(({ at }) => at + 1),
    node: firsts.map(({ id }) => id),
    time: firsts.map(({ time }) => time),
    total: shown.map(({ tokens }) => tokens.total),
    mark: items.map(({ mark }) => mark),
    parts: partsOf(shown),
  }
}

/** What came between each answer and the one before it. A summary counts where it is first carried. */
function findMarks(graph: Graph, measured: readonly MeasuredContext[]): readonly (ContextMark | null)[] {
  const known = new Set<number>()
  const isNewSummary = (node: number): boolean => {
    const { kind, type } = graph.node(node)
    if (kind !== 'user' || type !== 'summary' || known.has(node)) return false
    known.add(node)
    return true
  }
  return measured.map(({ context }, at) => {
    const isCompacted = context.added.filter(isNewSummary).length > 0
    const before = measured[at - 1]
    if (before === undefined) return null
    if (isCompacted) return 'compaction'
    return isGoingBack(context, before.context) ? 'rewind' : null
  })
}

/** Whether a request carried less than the one before, and not the answer to it. */
function isGoingBack(context: Context, before: Context): boolean {
  const isSmaller = contextSize(context) < contextSize(before)
  return isSmaller && !before.reply.some(node => context.added.includes(node))
}

/** An item of a band: the largest of some answers that follow each other. */
interface Item {
  readonly at: number
  readonly mark: ContextMark | null
}

/** Answers are taken together evenly; a compaction always begins an item, so that no cliff is lost. */
function chooseItems(
  measured: readonly MeasuredContext[],
  marks: readonly (ContextMark | null)[],
): readonly Item[] {
  const size = Math.max(1, Math.ceil(measured.length / MOST_ITEMS))
  const items: Item[] = []
  for (let from = 0; from < measured.length; ) {
    let to = from + 1
    while (to < measured.length && to < from + size && marks[to] !== 'compaction') to++
    items.push({ at: largestIn(measured, from, to), mark: marks.slice(from, to).find(Boolean) ?? null })
    from = to
  }
  return items
}

function largestIn(measured: readonly MeasuredContext[], from: number, to: number): number {
  const totalAt = (at: number): number => measured[at]?.tokens.total ?? 0
  let largest = from
  for (let at = from + 1; at < to; at++) if (totalAt(at) > totalAt(largest)) largest = at
  return largest
}

function partsOf(shown: readonly MeasuredContext[]): ContextBand['parts'] {
  const sums = new Map<string, number>()
  for (const { tokens } of shown)
    for (const [category, part] of Object.entries(tokens.parts))
      sums.set(category, (sums.get(category) ?? 0) + part)
  const order = [...sums].sort(([, a], [, b]) => b - a).map(([category]) => category)
  const own = order.length <= MOST_CATEGORIES + 1 ? order : order.slice(0, MOST_CATEGORIES)
  const columns = own.map(category => ({
    category,
    tokens: shown.map(({ tokens }) => tokens.parts[category] ?? 0),
  }))
  if (own.length === order.length) return columns
  const rest = new Set(order.slice(own.length))
  const other = shown.map(({ tokens }) =>
    Object.entries(tokens.parts).reduce((sum, [category, part]) => sum + (rest.has(category) ? part : 0), 0),
  )
  return [...columns, { category: 'other', tokens: other }]
}
