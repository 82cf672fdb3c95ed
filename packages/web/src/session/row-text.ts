/** A row as Markdown, for copying. */
import type { Block, RowContent, ToolCallContent } from '@dagline/core'
import { textAt } from '../tools/fields.js'

/** The row under a heading with the name of who speaks. */
export function markdownOf(name: string, content: RowContent): string {
  return [`**${name}**`, ...content.blocks.map(blockMarkdown)].filter(part => part !== '').join('\n\n')
}

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text.text
    case 'thinking':
      return quoted(block.text.text)
    case 'call':
      return callMarkdown(block)
    case 'result':
      return fenced(block.text.text, '')
    case 'image':
      return `(a picture, ${block.image.media})`
    case 'command':
      return `\`${`${block.name} ${block.args}`.trim()}\``
    case 'note':
      return quoted(`${block.label}: ${block.text.text}`)
    case 'error':
      return quoted(block.text.text)
  }
}

function callMarkdown({ name, input, result, late }: ToolCallContent): string {
  const command = textAt(input, 'command')
  const asked = command === '' ? fenced(JSON.stringify(input, null, 2), 'json') : fenced(command, 'bash')
  const missing = late === undefined ? '(no result)' : '(the result came later)'
  const answer = result === null ? missing : fenced(result.text.text, '')
  return [`${name}:`, asked, answer].join('\n\n')
}

function quoted(text: string): string {
  return text === '' ? '' : text.replace(/^/gm, '> ')
}

/** The fence is longer than any that stands in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Everything a row says, for searching. */
export function textOf(content: RowContent): string {
  return content.blocks.map(blockText).join('\n')
}

/** Everything a block says. */
export function blockText(block: Block): string {
  switch (block.kind) {
    case 'call':
      return `${block.name}\n${leaves(block.input)}\n${block.result?.text.text ?? ''}`
    case 'command':
      return `${block.name} ${block.args}\n${block.output?.text ?? ''}`
    case 'image':
      return ''
    default:
      return block.text.text
  }
}

/** The texts in a value, without the signs of JSON around them. */
function leaves(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return `${value}`
  return Object.values(value).map(leaves).join('\n')
}
