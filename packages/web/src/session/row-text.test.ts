import type { Block, RowContent } from '@dagline/core/protocol'
import { describe, expect, it } from 'vitest'
import { resumeCommand } from './header.js'
import { rowMarkdown, rowText } from './row-text.js'

const content = (blocks: readonly Block[]): RowContent => ({
  node: 'n',
  model: null,
  version: null,
  usage: null,
  blocks,
})
const cut = (text: string): { text: string; cut: null } => ({ text, cut: null })

describe('a row as Markdown', () => {
  it('has its text, and its calls in fences that no text can close', () => {
    const blocks: Block[] = [
      { kind: 'thinking', text: cut('a\nb'), isHidden: false },
      { kind: 'text', text: cut('Words.') },
      { kind: 'call', id: 't', name: 'Bash', input: { command: 'echo ```' }, agent: null, result: null },
    ]
    expect(rowMarkdown('Claude', content(blocks))).toBe(
      '**Claude**\n\n> a\n> b\n\nWords.\n\nBash:\n\n````bash\necho ```\n````\n\n(no result)',
    )
  })
})

describe('the text for search', () => {
  it('has the words of inputs and results, without JSON syntax', () => {
    const text = rowText(
      content([
        {
          kind: 'call',
          id: 't',
          name: 'Edit',
          input: { a: { b: ['deep "quote"'] } },
          agent: null,
          result: null,
        },
      ]),
    )
    expect(text).toContain('deep "quote"')
    expect(text).not.toContain('{')
  })
})

describe('the resume command', () => {
  it('changes to the folder first, whatever its name', () => {
    expect(resumeCommand('id', "/it's; rm -rf")).toBe("cd '/it'\\''s; rm -rf' && claude --resume id")
    expect(resumeCommand('id', null)).toBe('claude --resume id')
  })
})
