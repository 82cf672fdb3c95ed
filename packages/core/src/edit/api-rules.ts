/** What the Messages API asks of a conversation: who begins, calls and results in pairs, nothing empty. */
import { asObjects, asText, type Json } from '../parse/json.js'
import { hasEmptyPart, hasNoData, isEmptyBlock, isUnsigned } from '../resume/content-marks.js'

/** The part of a request that one entry gives. */
export interface ApiMessage {
  readonly role: string
  readonly calls: readonly string[]
  readonly results: readonly string[]
  /** Why the API would refuse it by itself; null where it would not. */
  readonly fault: string | null
}

/** What a request carries of a message; null where there is none. */
export function apiMessageOf(message: Json | null): ApiMessage | null {
  if (message === null) return null
  const role = asText(message.role) ?? ''
  const { content } = message
  if (typeof content === 'string')
    return { role, calls: [], results: [], fault: content.trim() === '' ? 'an empty text' : null }
  const blocks = asObjects(content)
  const calls = blocks.filter(block => block.type === 'tool_use').map(block => asText(block.id) ?? '')
  const results = blocks
    .filter(block => block.type === 'tool_result')
    .map(block => asText(block.tool_use_id) ?? '')
  return { role, calls, results, fault: blockFault(role, blocks) }
}

function blockFault(role: string, blocks: readonly Json[]): string | null {
  if (blocks.length === 0) return 'no content at all'
  if (blocks.some(isEmptyBlock)) return 'an empty text'
  if (blocks.some(hasNoData)) return 'an image or document without data'
  if (blocks.some(hasEmptyPart)) return 'an empty text in a result'
  if (blocks.some(isUnsigned)) return 'a thought without its signature'
  if (role !== 'assistant' && blocks.some(block => block.type === 'tool_use')) return 'a call by the user'
  if (role === 'assistant' && blocks.some(block => block.type === 'tool_result'))
    return 'a result by the model'
  return null
}

interface RequestOptions {
  /** The client answers calls that have no result by itself. */
  readonly answersOpenCalls?: boolean
}

/** The first thing that the API would refuse, in a sentence; null where it takes all of it. */
export function faultIn(
  all: Iterable<ApiMessage | null>,
  { answersOpenCalls = false }: RequestOptions = {},
): string | null {
  const seen: SeenRequest = {
    count: 0,
    first: null,
    fault: null,
    repeated: null,
    pair: null,
    calls: new Set(),
  }
  let before: Turn = { role: '', calls: [], results: [] }
  let turn = before
  for (const message of all) {
    seen.count++
    if (message === null || message.fault !== null)
      seen.fault ??= `entry ${seen.count} would send ${message?.fault ?? 'nothing'}`
    if (message === null) continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    if (role !== turn.role) {
      endTurn(seen, before, turn, answersOpenCalls)
      before = turn
      turn = { role, calls: [], results: [] }
    }
    addTo(turn, message, seen)
  }
  endTurn(seen, before, turn, answersOpenCalls)
  if (!answersOpenCalls) seen.pair ??= unanswered(turn, [])
  if (seen.first === null) return 'nothing would be sent'
  if (seen.first !== 'user') return 'the conversation would begin with an answer'
  return seen.fault ?? seen.repeated ?? seen.pair
}

/** What was seen so far: a conversation may have a million entries, so only the turn that is open is held. */
interface SeenRequest {
  count: number
  /** The role that begins. */
  first: string | null
  /** The first fault of each kind. */
  fault: string | null
  repeated: string | null
  pair: string | null
  readonly calls: Set<string>
}

/** Neighbours of one role are one turn to the API. */
interface Turn {
  readonly role: string
  readonly calls: string[]
  readonly results: string[]
}

function addTo(turn: Turn, { calls, results }: ApiMessage, seen: SeenRequest): void {
  seen.first ??= turn.role
  for (const call of calls) {
    if (seen.calls.has(call)) seen.repeated ??= `two calls would have the id ${call}`
    seen.calls.add(call)
    turn.calls.push(call)
  }
  for (const result of results) turn.results.push(result)
}

/** At the end of a turn: it answers the calls of the one before, all of them and nothing else. */
function endTurn(seen: SeenRequest, before: Turn, turn: Turn, answersOpenCalls: boolean): void {
  if (!answersOpenCalls) seen.pair ??= unanswered(before, turn.results)
  seen.pair ??= strayIn(before, turn)
}

function unanswered({ calls }: Turn, results: readonly string[]): string | null {
  if (calls.length === 0) return null
  const answers = new Set(results)
  const open = calls.find(call => !answers.has(call))
  return open === undefined ? null : `nothing would answer the call ${open}`
}

function strayIn({ calls }: Turn, { results }: Turn): string | null {
  if (results.length === 0) return null
  const asked = new Set(calls)
  const stray = results.find(result => !asked.has(result))
  if (stray !== undefined) return `nothing would have asked for the result of ${stray}`
  return new Set(results).size < results.length ? 'a call would have two results' : null
}
