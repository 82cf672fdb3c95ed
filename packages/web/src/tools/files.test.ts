import type { ToolCallContent, ToolResultContent } from '@dagline/core/protocol'
import { describe, expect, it } from 'vitest'
import { changesOf, unnumber } from './files.js'
import { isOpenByDefault, viewOf } from './index.js'

function call(
  name: string,
  input: Record<string, unknown>,
  result: Partial<ToolResultContent> = {},
): ToolCallContent {
  const whole: ToolResultContent = {
    state: 'ok',
    text: { text: '', cut: null },
    images: [],
    facts: null,
    node: 'r',
    time: null,
    spilled: null,
    ...result,
  }
  return { id: 't', name, input, result: whole, agent: null }
}

/** The line of a card: title, summary, outcome. */
function line(content: ToolCallContent): string {
  const view = viewOf(content)
  return [view.title?.(content) ?? content.name, view.summary(content), view.outcome?.(content) ?? ''].join(
    ' | ',
  )
}

const text = (words: string): Partial<ToolResultContent> => ({ text: { text: words, cut: null } })

describe('tools', () => {
  it.each([
    [
      'Bash | npm  test | exit 2',
      call('Bash', { command: 'npm \n test' }, { state: 'error', ...text('Exit code 2\nno') }),
    ],
    ['Read | /a/b.ts | 3 lines', call('Read', { file_path: '/a/b.ts' }, text('1→a\n2→b\n3→c'))],
    ['Edit | /a.ts | +1 −1', call('Edit', { file_path: '/a.ts', old_string: 'a', new_string: 'b' })],
    ['Write | /a.ts | 2 lines', call('Write', { file_path: '/a.ts', content: 'a\nb\n' })],
    [
      'Grep | foo  in *.ts | 4 files',
      call('Grep', { pattern: 'foo', glob: '*.ts' }, { facts: { numFiles: 4 } }),
    ],
    [
      'Todos | b | 1/2 done',
      call('TodoWrite', {
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'pending' },
        ],
      }),
    ],
    ['server › tool | 1 | ', call('mcp__server__tool', { first: 1 })],
    ['Unheard | x y | ', call('Unheard', { a: 'x\ny' })],
    ['Agent | Look | ', call('Task', { description: 'Look', prompt: 'Look at it' })],
    [
      'Question | Which? | Red',
      call(
        'AskUserQuestion',
        { questions: [{ question: 'Which?' }] },
        { facts: { answers: { 'Which?': 'Red' } } },
      ),
    ],
    ['Plan | Do it | approved', call('ExitPlanMode', { plan: '# Do it\nnow' })],
    [
      'WebSearch | cats | 1 hit',
      call(
        'WebSearch',
        { query: 'cats' },
        { facts: { results: [{ content: [{ title: 't', url: 'https://a.b' }] }, 'text'] } },
      ),
    ],
  ])('say in one line: %s', (expected, content) => {
    expect(line(content).replace(/ +/g, ' ')).toBe(expected.replace(/ +/g, ' '))
  })

  it.each([
    {},
    { command: 5, todos: 'no', edits: [null, 3], questions: { a: 1 }, file_path: null, plan: [] },
  ])('take any input: %j', input => {
    for (const name of [
      'Bash',
      'Read',
      'Write',
      'Edit',
      'MultiEdit',
      'Grep',
      'Glob',
      'LS',
      'TodoWrite',
      'Task',
    ])
      expect(
        typeof line(call(name, input, { facts: { structuredPatch: [null, { lines: 7 }], results: 3 } })),
      ).toBe('string')
    for (const name of [
      'WebFetch',
      'WebSearch',
      'AskUserQuestion',
      'ExitPlanMode',
      'Skill',
      'NotebookEdit',
      '__proto__',
    ])
      expect(typeof line(call(name, input))).toBe('string')
  })

  it('show recorded changes, else the requested ones', () => {
    const edit = call(
      'Edit',
      { old_string: 'x', new_string: 'y' },
      { facts: { structuredPatch: [{ oldStart: 7, newStart: 7, lines: ['-p', '+q'] }] } },
    )
    expect(changesOf(edit).map(({ text: words, before, after }) => `${before} ${after} ${words}`)).toEqual([
      '7 null p',
      'null 7 q',
    ])
    const several = call('MultiEdit', {
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_string: 'c', new_string: '' },
      ],
    })
    expect(changesOf(several).map(({ kind }) => kind)).toEqual(['removed', 'added', 'gap', 'removed'])
  })

  it('move line numbers into the margin', () => {
    expect(unnumber('    12→a\n    13→  b')).toEqual({ code: 'a\n  b', from: 12 })
    expect(unnumber('3\tx\n4\ty')).toEqual({ code: 'x\ny', from: 3 })
    expect(unnumber('plain')).toEqual({ code: 'plain', from: 1 })
  })

  it('open short calls and errors by default', () => {
    expect(isOpenByDefault(call('Bash', { command: 'ls' }, text('a\nb')))).toBe(true)
    expect(isOpenByDefault(call('Bash', { command: 'ls' }, text('a\n'.repeat(90))))).toBe(false)
    expect(isOpenByDefault(call('Read', { file_path: 'a' }, text('1→a')))).toBe(false)
    expect(
      isOpenByDefault(call('Read', { file_path: 'a' }, { state: 'error', ...text('no such file') })),
    ).toBe(true)
  })
})
