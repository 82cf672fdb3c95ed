/** X43: what was written to the prompt cache again because a pause outlived it. */
import { duration, tokens } from '../format/index.js'
import type { Graph } from '../graph/graph.js'
import type { Usage } from '../model/entry.js'
import { type Found, headOf } from './found.js'
import type { Conversation, Request } from './requests.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The requests of a conversation that found the cache expired. */
export function findExpired(graph: Graph, conversation: Conversation): readonly Found[] {
  return conversation.flatMap(request => expiredAt(graph, request) ?? [])
}

function expiredAt(graph: Graph, request: Request): Found | null {
  const { before, usage, reply, session } = request
  if (before === null || !mayReadCache(request, before)) return null
  const pause = (usage.time ?? 0) - (before.usage.time ?? Number.POSITIVE_INFINITY)
  const again = writtenAgain(before.usage, usage, pause)
  const sum = again.cacheWrite5m + again.cacheWrite1h
  if (sum < LEAST) return null
  const last = before.reply.at(-1)
  return {
    kind: 'cache-expiry',
    session,
    what: headOf(
      graph,
      request.entered.findLast(node => graph.startsTurn(node)),
    ),
    why: `${tokens(sum)} tokens were written to the cache again after a pause of ${duration(pause)}.`,
    refs: [...(last === undefined ? [] : [graph.id(last)]), ...reply.slice(0, 1).map(node => graph.id(node))],
    time: usage.time,
    claims: [{ take: 'rewritten', message: usage.message, tokens: again }],
  }
}

/** Only what begins like the request before, for the same model, can be read from its cache. */
function mayReadCache(request: Request, before: Request): boolean {
  const isKnown = request.isSure && before.isSure && request.isFirst
  return isKnown && request.left.length === 0 && request.usage.model === before.usage.model
}

/** The least that the API caches; fewer tokens are differences of what stands beside the conversation. */
const LEAST = 1024

/** What the cache had held and was not read from it, as far as it was written again, and the pause was long enough. */
function writtenAgain(
  before: Usage,
  now: Usage,
  pause: number,
): Pick<Usage, 'cacheWrite5m' | 'cacheWrite1h'> {
  const held = before.cacheRead + before.cacheWrite5m + before.cacheWrite1h
  const missing = Math.max(0, held - now.cacheRead)
  const cacheWrite1h = pause > HOUR ? Math.min(now.cacheWrite1h, missing) : 0
  const cacheWrite5m = pause > 5 * MINUTE ? Math.min(now.cacheWrite5m, missing - cacheWrite1h) : 0
  return { cacheWrite5m, cacheWrite1h }
}
