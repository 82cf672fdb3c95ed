import { entryId, fileId, type GraphNode } from '@dagline/core'
import { describe, expect, it } from 'vitest'
import type { Json } from './records.js'
import { type Words, wordsOf } from './words.js'

function words(kind: GraphNode['kind'], type: string, record: Json): Words {
  const node: GraphNode = {
    id: entryId('u1'),
    kind,
    type,
    parent: null,
    session: 's1',
    agent: null,
    file: fileId('s1.jsonl'),
    row: 1,
    offset: 0,
    length: 1,
    time: null,
    version: '',
    message: null,
    head: null,
  }
  return wordsOf(node, record)
}

const said = (...content: Json[]): Json => ({ cwd: '/home/dev/proj', message: { content } })
const call = (name: string, input: Json): string =>
  words('assistant', 'assistant', said({ type: 'tool_use', name, input })).text

describe('calls', () => {
  it('name the tool and the argument that says most', () => {
    expect(call('Bash', { description: 'say hi', command: 'echo hi' })).toBe('Bash echo hi')
    expect(call('Read', { file_path: '/home/dev/proj/src/a.ts' })).toBe('Read src/a.ts')
    expect(call('Read', { file_path: '/home/dev/project/a.ts' })).toBe('Read /home/dev/project/a.ts')
    expect(call('Task', { subagent_type: 'Explore', description: 'look', prompt: 'Look around' })).toBe(
      'Task Explore: look',
    )
    expect(call('Odd', { deep: {}, name: 'x' })).toBe('Odd x')
    expect(call('Bare', {})).toBe('Bare')
  })
})

describe('results', () => {
  const result = (content: unknown, more: Json = {}): Words =>
    words('user', 'result', said({ type: 'tool_result', content, ...more }))

  it('are their first line, without the frames of the client', () => {
    expect(result('\n\n  first\nsecond')).toEqual({ kind: 'result', text: 'first' })
    expect(result([{ type: 'text', text: '<tools-used>Bash</tools-used>\nDone.' }]).text).toBe('Done.')
    expect(result('[Subagent hand-back] words. The report follows:\n  All well.').text).toBe('All well.')
    expect(result([{ type: 'tool_reference', tool_name: 'Grep' }]).text).toBe('[Grep]')
    expect(result('').text).toBe('(no output)')
  })

  it('[T2] tell errors', () => {
    expect(result('no such file', { is_error: true }).kind).toBe('error')
  })
})

describe('user entries', () => {
  it('say commands as they were typed', () => {
    const typed = '<command-name>/compact</command-name><command-args>keep it</command-args>'
    expect(words('user', 'command', { message: { content: typed } })).toEqual({
      kind: 'command',
      text: '/compact keep it',
    })
    const printed = '<local-command-stdout>Bye!</local-command-stdout>'
    expect(words('user', 'output', { message: { content: printed } }).text).toBe('Bye!')
  })

  it('say notifications by their summary', () => {
    const text = '<task-notification><task-id>x</task-id><summary>Agent done</summary></task-notification>'
    expect(words('user', 'notification', { message: { content: text } }).text).toBe('Agent done')
  })

  it('[P4] take strings, blocks and nothing at all', () => {
    expect(words('user', 'prompt', { message: { content: 'hello' } }).text).toBe('hello')
    expect(words('user', 'prompt', said({ type: 'text', text: 'a' }, { type: 'image' })).text).toBe(
      'a [image]',
    )
    expect(words('user', 'prompt', {}).text).toBe('')
  })
})

describe('other entries', () => {
  it('[P3] read the call of the older form', () => {
    const record = { subtype: 'tool_use', toolName: 'Read', toolArguments: { file_path: 'a.txt' } }
    expect(words('assistant', 'assistant', record)).toEqual({ kind: 'call', text: 'Read a.txt' })
  })

  it('[Q1] show text that was typed in mid turn as a prompt', () => {
    const attachment = { type: 'queued_command', prompt: 'and also this', commandMode: 'prompt' }
    expect(words('attachment', 'queued_command', { attachment })).toEqual({
      kind: 'prompt',
      text: 'and also this',
    })
  })

  it('[P2] name what they do not know', () => {
    expect(words('opaque', 'brand-new', { type: 'brand-new' })).toEqual({
      kind: 'unknown',
      text: '(brand-new)',
    })
  })
})
