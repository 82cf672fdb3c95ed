/** What the Messages API asks of a conversation: who begins, calls and results in pairs, nothing empty. */
import { asObjects, asText, type Json } from '../parse/json.js'
import { isEmptyBlock, isUnsigned } from './survey.js'

/** What one entry sends. */
export interface Sent {
  readonly role: string
  readonly calls: readonly string[]
  readonly results: readonly string[]
  /** Why the API would refuse it by itself; null where it would not. */
  readonly fault: string | null
}

/** What a message sends; null where there is none. */
export function sentOf(message: Json | null): Sent | null {
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
  if (blocks.some(isUnsigned)) return 'a thought without its signature'
  if (role !== 'assistant' && blocks.some(block => block.type === 'tool_use')) return 'a call by the user'
  if (role === 'assistant' && blocks.some(block => block.type === 'tool_result'))
    return 'a result by the model'
  return null
}

/** The first thing that the API would refuse, in a sentence; null where it takes all of it. */
export function faultIn(all: readonly (Sent | null)[]): string | null {
  const turns = turnsOf(all)
  const [first] = turns
  if (first === undefined) return 'nothing would be sent'
  if (first.role !== 'user') return 'the conversation would begin with an answer'
  const fault = all.findIndex(sent => sent === null || sent.fault !== null)
  if (fault >= 0) return `entry ${fault + 1} would send ${all[fault]?.fault ?? 'nothing'}`
  return repeatedCall(all) ?? pairFault(turns)
}

/** Neighbours of one role are one turn to the API. */
interface Turn {
  readonly role: string
  readonly calls: string[]
  readonly results: string[]
}

function turnsOf(all: readonly (Sent | null)[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const sent of all) {
    if (sent === null) continue
    const role = sent.role === 'assistant' ? 'assistant' : 'user'
    const last = turns.at(-1)
    const turn: Turn = last?.role === role ? last : { role, calls: [], results: [] }
    if (turn !== last) turns.push(turn)
    turn.calls.push(...sent.calls)
    turn.results.push(...sent.results)
  }
  return turns
}

function repeatedCall(all: readonly (Sent | null)[]): string | null {
  const seen = new Set<string>()
  for (const call of all.flatMap(sent => sent?.calls ?? [])) {
    if (seen.has(call)) return `two calls would have the id ${call}`
    seen.add(call)
  }
  return null
}

function pairFault(turns: readonly Turn[]): string | null {
  for (const [place, turn] of turns.entries()) {
    const answers = new Set(turns[place + 1]?.results)
    const open = turn.calls.find(call => !answers.has(call))
    if (open !== undefined) return `nothing would answer the call ${open}`
    const asked = new Set(turns[place - 1]?.calls)
    const stray = turn.results.find(result => !asked.has(result))
    if (stray !== undefined) return `nothing would have asked for the result of ${stray}`
    if (new Set(turn.results).size < turn.results.length) return 'a call would have two results'
  }
  return null
}
