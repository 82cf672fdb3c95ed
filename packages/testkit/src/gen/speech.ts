/** What the assistant says: API messages, written in parts or whole. */
import type { Json } from '../base/json.js'
import { assistantBody } from './bodies.js'
import { standingOf } from './memory.js'
import type { ApiMessage, Node, Process } from './model.js'
import { record, words } from './recorder.js'

/** Work that can be left off between two rows. */
export type Steps = Generator<void, void, void>

/** A new API message, counted once. */
export function newMessage(p: Process): ApiMessage {
  const { rng, ledger } = p.world
  const message = {
    id: `msg_${rng.hex(24)}`,
    requestId: `req_${rng.hex(24)}`,
    output: rng.between(2, 900),
    parts: 0,
  }
  if (p.style.words === 'real') {
    ledger.messages++
    ledger.output += p.style.usage === 'final' ? message.output : 1
  }
  return message
}

/** Writes blocks of a message: a row each, or all on one. */
export function speak(p: Process, message: ApiMessage, blocks: readonly Json[]): Node[] {
  const parts = p.style.split ? blocks.map(block => [block]) : [blocks]
  return parts.map(content => {
    const node = record(p, assistantBody(p, message, content), {
      kind: 'assistant',
      message,
      calls: content.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : [])),
      thinking: content.every(({ type }) => type === 'thinking'),
    })
    message.parts++
    return node
  })
}

/** A block of thinking. */
export function thinkingBlock(p: Process): Json {
  return { type: 'thinking', thinking: words(p.world, 'thought'), signature: p.world.rng.hex(16) }
}

/** A block of text. */
export function textBlock(p: Process, text: string = words(p.world, 'answer')): Json {
  return { type: 'text', text }
}

/** The last message of a turn. */
export function answer(p: Process, text?: string): void {
  const thinks = p.world.rng.chance(0.3)
  speak(p, newMessage(p), [...(thinks ? [thinkingBlock(p)] : []), textBlock(p, text)])
  p.state = { ...p.state, answered: standingOf(p.state) }
}
