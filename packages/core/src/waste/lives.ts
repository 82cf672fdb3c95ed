/** X44, X45: results that cost more than they had to: repeated, followed by a compaction, or carried for long. */
import { plural, tokens as short } from '../format/index.js'
import type { Graph } from '../graph/graph.js'
import { isSummary } from '../graph/nodes.js'
import { fileAction } from '../measure/tools.js'
import { groupBy } from '../model/group.js'
import type { Found } from './found.js'
import type { Claim } from './ledger.js'
import type { Conversation, Request } from './requests.js'
import type { Result } from './results.js'

/** A conversation and the results in it. */
interface Lives {
  readonly graph: Graph
  readonly conversation: Conversation
  readonly results: readonly Result[]
}

/** X44: calls that said again what the model had before it: reads of unchanged files, and failures. */
export function findRepeated(lives: Lives): readonly Found[] {
  const repeats = [...repeatsOf(lives.results)]
  const perMessage = groupBy(repeats, ({ result }) => result.from)
  return repeats.map(repeat => {
    const all = perMessage.get(repeat.result.from) ?? []
    return repeated(lives, repeat, all[0] === repeat ? callingClaims(lives, all) : [])
  })
}

interface Repeat {
  readonly kind: 'repeated-read' | 'failed-call'
  readonly result: Result
  readonly earlier: Result
}

function* repeatsOf(results: readonly Result[]): Generator<Repeat> {
  const known = new Map<string, Result>()
  let edited = -1
  for (const result of results) {
    const { call, key, hash, from } = result
    const earlier = known.get(key)
    const isCarried = earlier !== undefined && earlier.from < from && earlier.to >= from
    if (isCarried && earlier.hash === hash && earlier.call.ending === call.ending) {
      if (call.ending === 'ok' && fileAction(call.tool) === 'read')
        yield { kind: 'repeated-read', result, earlier }
      if (call.ending === 'error' && edited <= earlier.from) yield { kind: 'failed-call', result, earlier }
    }
    known.set(key, result)
    const action = fileAction(call.tool)
    if (call.ending === 'ok' && (action === 'edit' || action === 'write')) edited = from
  }
}

function repeated(
  { graph, conversation }: Lives,
  { kind, result, earlier }: Repeat,
  calling: readonly Claim[],
): Found {
  const carriers = carriersOf(conversation, result)
  const times = plural(carriers.length, 'request')
  return {
    kind,
    ...about(conversation, result),
    why:
      kind === 'repeated-read'
        ? `The same text was still before the model; ${short(result.tokens)} tokens, carried by ${times}.`
        : `It had failed with the same message, and no file was edited in between; carried by ${times}.`,
    refs: [earlier.call.node, result.call.node].map(node => graph.id(node)),
    claims: [...calling, ...carriedClaims(result, carriers)],
  }
}

/** What the answer cost that made the calls, where it made no others. */
function callingClaims({ conversation }: Lives, repeats: readonly Repeat[]): readonly Claim[] {
  const [first] = repeats
  const asked = first === undefined ? undefined : conversation[first.result.from - 1]
  if (asked === undefined || !asked.isFirst || !asked.isSure) return []
  const nodes = new Set(asked.reply)
  const own = repeats.filter(({ result }) => nodes.has(result.call.node))
  return own.length > 0 && own.length === asked.calls ? [{ take: 'output', message: asked.message }] : []
}

/** X45: compactions that Claude Code began soon after a large result had entered. */
export function findCompacted({ graph, conversation, results }: Lives): readonly Found[] {
  const triggers = new Map(graph.epochs().map(({ summary, trigger }) => [summary, trigger]))
  return conversation.flatMap((request, at) => {
    const summary = request.entered.find(node => isSummary(graph, node))
    if (summary === undefined || !request.isFirst || triggers.get(summary) === 'manual') return []
    const large = results.filter(
      ({ to, from, tokens }) => to === at - 1 && at - from <= SOON && tokens >= LARGE_BEFORE,
    )
    return large.slice(0, 1).map((result): Found => {
      const carriers = carriersOf(conversation, result)
      return {
        kind: 'compaction',
        ...about(conversation, result),
        why: `The conversation was compacted ${plural(at - result.from, 'request')} after this result of ${short(result.tokens)} tokens.`,
        refs: [graph.id(result.call.node), graph.id(summary)],
        claims: [...carriedClaims(result, carriers), { take: 'uncached', message: request.message }],
      }
    })
  })
}

const SOON = 3
const LARGE_BEFORE = 10_000

/** X45: large results that many requests carried: what they cost after the first request. */
export function findCarried({ graph, conversation, results }: Lives): readonly Found[] {
  return results.flatMap(result => {
    if (result.tokens < LARGE || result.to - result.from < LONG) return []
    const later = carriersOf(conversation, { ...result, from: result.from + 1 })
    const last = conversation[result.to]?.reply[0]
    const found: Found = {
      kind: 'carried-result',
      ...about(conversation, result),
      why: `${short(result.tokens)} tokens, carried by ${plural(result.to - result.from, 'request')} after the first.`,
      refs: [result.node, ...(last === undefined ? [] : [last])].map(node => graph.id(node)),
      claims: later.map(({ message }) => ({ take: 'carried', message, tokens: result.tokens })),
    }
    return later.length === 0 ? [] : [found]
  })
}

const LARGE = 5_000
const LONG = 20

function about(
  conversation: Conversation,
  { label, from }: Result,
): Pick<Found, 'what' | 'session' | 'time'> {
  const request = conversation[from]
  return { what: label, session: request?.session ?? '', time: request?.usage.time ?? null }
}

/** The requests that surely carried a result, less those that are copies. */
function carriersOf(
  conversation: Conversation,
  { from, to }: Pick<Result, 'from' | 'to'>,
): readonly Request[] {
  return conversation.slice(from, to + 1).filter(({ isFirst, isSure }) => isFirst && isSure)
}

function carriedClaims({ tokens, node }: Result, carriers: readonly Request[]): readonly Claim[] {
  return carriers.map(({ message, entered }) => ({
    take: entered.includes(node) ? 'new' : 'carried',
    message,
    tokens,
  }))
}
