/** The blocks of a record for a terminal, whole: what `show` prints. */

import { cleanLine, cleanText } from '@dagline/core/content'
import { never } from '@dagline/core/model'
import { writeJson } from '@dagline/core/parse'
import type { Block, ToolCallContent, ToolResultContent } from '@dagline/core/protocol'
import type { Console } from '../console.js'
import { wrap } from './width.js'

type Terminal = Pick<Console, 'style' | 'width'>

/** The lines of blocks, one block below the other. */
export function* blockLines(terminal: Terminal, blocks: readonly Block[]): Generator<string> {
  for (const block of blocks) yield* linesOf(terminal, block)
}

function linesOf(terminal: Terminal, block: Block): Iterable<string> {
  const { style, width } = terminal
  switch (block.kind) {
    case 'text':
      return wrap(cleanText(block.text.text), width)
    case 'thinking':
      return wrap(cleanText(block.text.text || '(thinking, not recorded)'), width).map(style.faint)
    case 'call':
      return callLines(terminal, block)
    case 'result':
      return resultLines(terminal, block)
    case 'image':
      return [style.faint(`[image ${cleanLine(block.image.media)}]`)]
    case 'command':
      return commandLines(terminal, block)
    case 'note':
      return noteLines(terminal, block)
    case 'error':
      return wrap(cleanText(block.text.text), width).map(style.bad)
    default:
      return never(block)
  }
}

function* callLines(terminal: Terminal, call: ToolCallContent): Generator<string> {
  const { style, width } = terminal
  yield `${style.claude(cleanLine(call.name) || 'tool')}  ${style.faint(cleanLine(call.id))}`.trimEnd()
  for (const [key, value] of Object.entries(call.input)) {
    const text = typeof value === 'string' ? value : writeJson(value)
    const [first = '', ...more] = wrap(cleanText(text), Math.max(20, width - 4))
    const name = style.faint(`${cleanLine(key)}:`)
    yield more.length === 0 ? `  ${name} ${first}` : `  ${name}`
    if (more.length > 0) for (const line of [first, ...more]) yield `    ${line}`.trimEnd()
  }
  if (call.result !== null) yield* resultLines(terminal, call.result)
}

function* resultLines({ style, width }: Terminal, result: ToolResultContent): Generator<string> {
  if (result.state !== 'ok' && result.state !== 'spilled') yield style.bad(result.state)
  for (const { media } of result.images) yield `  ${style.faint(`[image ${cleanLine(media)}]`)}`
  for (const line of wrap(cleanText(result.text.text), Math.max(20, width - 2))) yield `  ${line}`.trimEnd()
}

/** What was typed, and what it printed; what a command printed alone has no name. */
function* commandLines(
  { style, width }: Terminal,
  { name, args, output }: Extract<Block, { readonly kind: 'command' }>,
): Generator<string> {
  const typed = cleanText(`${name} ${args}`).trim()
  if (typed !== '') yield* wrap(typed, width)
  if (output === null) return
  if (output.text.trim() === '') yield style.faint('(no output)')
  else yield* wrap(cleanText(output.text), width)
}

/** The name of its kind, and its text beside or below. */
function* noteLines(
  { style, width }: Terminal,
  { label, text }: Extract<Block, { readonly kind: 'note' }>,
): Generator<string> {
  const name = style.faint(`[${cleanLine(label)}]`)
  const lines = wrap(cleanText(text.text.trim()), Math.max(20, width - label.length - 3))
  if (lines.length > 1) {
    yield name
    yield* wrap(cleanText(text.text), width)
  } else yield `${name} ${lines[0] ?? ''}`.trimEnd()
}
