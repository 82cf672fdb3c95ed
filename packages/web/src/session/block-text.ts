/** What rows say as plain text, for searching. */
import type { Block, RowContent } from '@dagline/core'

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
