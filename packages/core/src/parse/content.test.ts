import { describe, expect, it } from 'vitest'
import { blocksOf, callsIn, resultsIn, textOf } from './content.js'

describe('content', () => {
  it.each([
    ['a text', 'hi', 'hi'],
    ['an empty text', '', null],
    ['one block', [{ type: 'text', text: 'hi' }], 'hi'],
    [
      'several blocks',
      [
        { type: 'text', text: 'a' },
        { type: 'image', source: {} },
        { type: 'text', text: 'b' },
      ],
      'a\nb',
    ],
    ['an image alone', [{ type: 'image', source: {} }], null],
    ['things that are no blocks', [1, 'x', null, [], { type: 'text', text: 'hi' }], 'hi'],
    ['nothing', undefined, null],
    ['a number', 7, null],
  ])('[P4] the text of %s', (_, content, wanted) => {
    expect(textOf(blocksOf({ content }))).toBe(wanted)
  })

  it('[P4] no message has no blocks', () => {
    expect(blocksOf(null)).toEqual([])
  })

  it('[T1] calls that the client answers, in order, with their ids', () => {
    const blocks = [
      { type: 'tool_use', id: 't1', name: 'Bash', input: {} },
      { type: 'server_tool_use', id: 't2', name: 'web_search' },
      { type: 'tool_use', name: 'Bash' },
      { type: 'tool_use', id: 't3' },
    ]
    expect(callsIn(blocks).map(({ id, name }) => `${id} ${name}`)).toEqual(['t1 Bash', 't3 '])
  })

  it.each(['Task', 'Agent', 'Workflow'])('[A2] a %s call says what it starts', name => {
    const input = { prompt: 'look', subagent_type: 'Explore' }
    expect(callsIn([{ type: 'tool_use', id: 't1', name, input }])).toMatchObject([
      { prompt: { head: 'look' }, agentType: 'Explore' },
    ])
  })

  it('[A2] a call of another tool starts nothing, whatever its input', () => {
    const input = { prompt: 'look', subagent_type: 'Explore' }
    expect(callsIn([{ type: 'tool_use', id: 't1', name: 'WebFetch', input }])).toMatchObject([
      { prompt: null, agentType: null },
    ])
  })

  const rejected = "The user doesn't want to proceed with this tool use."
  it.each([
    ['ok', { content: 'fine' }, {}],
    ['ok', { content: [{ type: 'text', text: 'fine' }] }, {}],
    ['ok', {}, {}],
    ['error', { content: 'no', is_error: true }, {}],
    ['denied', { content: rejected, is_error: true }, {}],
    ['denied', { content: [{ type: 'text', text: rejected }], is_error: true }, {}],
    ['denied', { content: 'no', is_error: true }, { toolDenialKind: 'user-rejected' }],
    ['interrupted', { content: '[Tool call interrupted: ...]' }, { toolDenialKind: 'interrupted' }],
    ['interrupted', { content: '[Request interrupted by user for tool use]', is_error: true }, {}],
    ['spilled', { content: '<persisted-output>\nOutput too large' }, {}],
  ])('[T2] a result that ended %s: %j %j', (state, block, entry) => {
    expect(resultsIn([{ type: 'tool_result', tool_use_id: 't1', ...block }], entry)).toEqual([
      { id: 't1', state },
    ])
  })

  it('[T2] blocks without a call id are no results', () => {
    expect(
      resultsIn(
        [
          { type: 'tool_result', content: 'x' },
          { type: 'text', text: 'y' },
        ],
        {},
      ),
    ).toEqual([])
  })
})
