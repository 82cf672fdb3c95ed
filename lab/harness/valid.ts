/** What the Messages API would refuse in a request. Each rule was met as a 400 error by users of Claude Code. */

import { blocksOf, type Json, objectsIn, textIn } from '@dagline/testkit'
import type { SentMessage } from './api.ts'

/** A violation: its name, and where it stands. */
export interface Refused {
  readonly what:
    | 'no messages'
    | 'first is not user'
    | 'no content'
    | 'blank text'
    | 'call without result'
    | 'result without call'
    | 'result not first'
    | 'same call twice'
    | 'same result twice'
    | 'thinking without signature'
  readonly at: number
}

/** Neighbours of one side are one turn: the API joins them. */
interface Turn {
  readonly isAnswer: boolean
  readonly at: number
  readonly blocks: Json[]
}

/** Everything that is wrong with the messages of a request, in order. */
export function apiErrors(messages: readonly SentMessage[]): readonly Refused[] {
  const [first] = messages
  if (first === undefined) return [{ what: 'no messages', at: 0 }]
  const turns = turnsOf(messages)
  return [
    ...(first.role === 'user' ? [] : [{ what: 'first is not user', at: 0 } as const]),
    ...messages.flatMap((message, at) => contentFaults(message, at, at === messages.length - 1)),
    ...repeatedCalls(turns),
    ...turns.flatMap((turn, place) =>
      turn.isAnswer ? openCalls(turn, turns[place + 1]) : oddResults(turn, turns[place - 1]),
    ),
  ]
}

function turnsOf(messages: readonly SentMessage[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const [at, { role, content }] of messages.entries()) {
    const isAnswer = role === 'assistant'
    let turn = turns.at(-1)
    if (turn === undefined || turn.isAnswer !== isAnswer) {
      turn = { isAnswer, at, blocks: [] }
      turns.push(turn)
    }
    turn.blocks.push(...blocksOf(content))
  }
  return turns
}

function contentFaults({ role, content }: SentMessage, at: number, isLast: boolean): readonly Refused[] {
  const blocks = blocksOf(content)
  // A system turn of the client may carry settings and no words; the last answer may be empty.
  if (blocks.length === 0)
    return role === 'system' || (isLast && role === 'assistant') ? [] : [{ what: 'no content', at }]
  const found: Refused[] = []
  for (const block of blocks) {
    if (block['type'] === 'text' && (textIn(block, 'text') ?? '').trim() === '')
      found.push({ what: 'blank text', at })
    if (block['type'] === 'thinking' && textIn(block, 'signature') === null)
      found.push({ what: 'thinking without signature', at })
    if (block['type'] === 'tool_result' && objectsIn(block, 'content').some(isEmptyText))
      found.push({ what: 'blank text', at })
  }
  return found
}

function isEmptyText(block: Json): boolean {
  return block['type'] === 'text' && textIn(block, 'text') === null
}

function idsOf({ blocks }: Turn, type: 'tool_use' | 'tool_result'): readonly string[] {
  const key = type === 'tool_use' ? 'id' : 'tool_use_id'
  return blocks.filter(block => block['type'] === type).map(block => String(block[key]))
}

function repeatedCalls(turns: readonly Turn[]): readonly Refused[] {
  const seen = new Set<string>()
  return turns.flatMap(turn =>
    idsOf(turn, 'tool_use').flatMap((id): Refused[] => {
      if (seen.has(id)) return [{ what: 'same call twice', at: turn.at }]
      seen.add(id)
      return []
    }),
  )
}

function openCalls(turn: Turn, next: Turn | undefined): readonly Refused[] {
  const answered = new Set(next === undefined ? [] : idsOf(next, 'tool_result'))
  const open = idsOf(turn, 'tool_use').filter(id => !answered.has(id))
  return open.map(() => ({ what: 'call without result', at: turn.at }) as const)
}

function oddResults(turn: Turn, before: Turn | undefined): readonly Refused[] {
  const called = new Set(before === undefined ? [] : idsOf(before, 'tool_use'))
  const seen = new Set<string>()
  const found: Refused[] = []
  let isLate = false
  for (const block of turn.blocks) {
    if (block['type'] !== 'tool_result') {
      isLate = true
      continue
    }
    const id = String(block['tool_use_id'])
    if (!called.has(id)) found.push({ what: 'result without call', at: turn.at })
    if (seen.has(id)) found.push({ what: 'same result twice', at: turn.at })
    if (isLate) found.push({ what: 'result not first', at: turn.at })
    seen.add(id)
  }
  return found
}
