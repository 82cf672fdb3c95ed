/** The text of a row: as Markdown for copying, and as plain text for search. */
import type { Block, RowContent, ToolCallContent } from '@dagline/core/protocol'
import { textAt } from '../tools/fields.js'

/** A row as Markdown, with the name of the speaker above it. */
export function rowMarkdown(name: string, content: RowContent): string {
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
      return `(image, ${block.image.media})`
    case 'command':
      return commandMarkdown(block)
    case 'note':
      return quoted(`${block.label}: ${block.text.text}`)
    case 'error':
      return quoted(block.text.text)
  }
}

function commandMarkdown({ name, args, output }: Extract<Block, { readonly kind: 'command' }>): string {
  const typed = `${name} ${args}`.trim()
  const parts = [typed === '' ? '' : `\`${typed}\``, output === null ? '' : fenced(output.text, '')]
  return parts.filter(part => part !== '').join('\n\n')
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

/** The fence is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** The searchable text of a row. */
export function rowText(content: RowContent): string {
  return content.blocks.map(blockText).join('\n')
}

/** The searchable text of a block. */
export function blockText(block: Block): string {
  switch (block.kind) {
    case 'call':
      return `${block.name}\n${leaves(block.input)}\n${block.result?.text.text ?? ''}`
    case 'command':
      return `${block.name} ${block.args}\n${block.output?.text ?? ''}`
    case 'image':
      return ''
    case 'note':
      return `${block.label}\n${block.text.text}`
    default:
      return block.text.text
  }
}

/** The texts in a value, without JSON syntax. */
function leaves(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return `${value}`
  return Object.values(value).map(leaves).join('\n')
}
