import { describe, expect, it } from 'vitest'
import { summarizeCalls } from './calls.js'
import { messageText } from './summary.js'

const calling = (...inputs: object[]): object => ({
  type: 'assistant',
  cwd: '/home/dev/shop',
  message: {
    content: inputs.map((input, nth) => ({ type: 'tool_use', id: `t${nth}`, name: 'Tool', input })),
  },
})

describe('calls in short', () => {
  it.each([
    [{ file_path: '/home/dev/shop/src/a.ts', content: 'x' }, 'src/a.ts', '/home/dev/shop/src/a.ts'],
    [{ file_path: '/home/dev/shopping/a.ts' }, '/home/dev/shopping/a.ts', '/home/dev/shopping/a.ts'],
    [{ notebook_path: '/n.ipynb' }, '/n.ipynb', '/n.ipynb'],
    [{ description: 'runs tests', command: 'npm   test\n' }, 'npm test', null],
    [{ todos: [], note: 'hi' }, 'hi', null],
    [{ questions: [{ question: 'Which one?', header: 'One' }] }, 'Which one?', null],
    [{ questions: 'none', header: 'One' }, 'none', null],
    [{}, '', null],
    [{ command: 'x'.repeat(5000) }, `${'x'.repeat(199)}…`, null],
  ])('%j', (input, text, path) => {
    expect(summarizeCalls({ ...calling(input) })).toEqual([{ text, path }])
  })

  it('stand in the order of the record, and server tools are none of them', () => {
    const json = {
      message: {
        content: [
          { type: 'server_tool_use', id: 's', input: { query: 'q' } },
          { type: 'tool_use', id: 't', input: { command: 'a' } },
        ],
      },
    }
    expect(summarizeCalls(json).map(({ text }) => text)).toEqual(['a'])
  })

  it('are read from the described form', () => {
    const json = { subtype: 'tool_use', toolName: 'Bash', toolArguments: { command: 'ls' } }
    expect(summarizeCalls(json)).toEqual([{ text: 'ls', path: null }])
  })
})

describe('plain words', () => {
  it.each([
    [{ message: { content: 'hello' } }, 'hello'],
    [
      {
        message: {
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'yes' },
          ],
        },
      },
      'yes',
    ],
    [{ message: { content: [{ type: 'text', text: ' ' }] } }, null],
    [{ message: { content: [{ type: 'tool_result', content: 'x' }] } }, null],
    [{}, null],
  ])('%j', (json, words) => {
    expect(messageText(json)).toBe(words)
  })
})
