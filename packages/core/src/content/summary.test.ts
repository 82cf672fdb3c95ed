import { describe, expect, it } from 'vitest'
import type { Json } from '../parse/json.js'
import { type Summary, summarize } from './summary.js'

/** The summary of an entry of a type. */
function lineOf(type: string, record: Json): Summary {
  return summarize({ type, uuid: 'u1', parentUuid: null, ...record })
}

const record = (...content: Json[]): Json => ({ cwd: '/home/dev/proj', message: { content } })
const call = (name: string, input: Json): string =>
  lineOf('assistant', record({ type: 'tool_use', name, input })).text

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

describe('prompts', () => {
  const text = (words: string): Json => ({ type: 'text', text: words })
  const opened = '<ide_opened_file>The user opened a.ts.</ide_opened_file>'

  it('[S7] are what was typed, without what the editor added in front of it', () => {
    expect(lineOf('user', record(text(opened), text('Fix it'))).text).toBe('Fix it')
    expect(lineOf('user', record(text(`${opened}Fix it`))).text).toBe('Fix it')
    expect(lineOf('user', record(text(opened))).text).toBe('The user opened a.ts.')
    expect(lineOf('user', record(text('Why <ide_opened_file>?'))).text).toBe('Why <ide_opened_file>?')
  })
})

describe('results', () => {
  const result = (content: unknown, more: Json = {}): Summary =>
    lineOf('user', record({ type: 'tool_result', tool_use_id: 't1', content, ...more }))

  it('are their first line, without the frames of the client', () => {
    expect(result('\n\n  first\nsecond')).toEqual({ kind: 'result', text: 'first' })
    expect(result([{ type: 'text', text: '<tools-used>Bash</tools-used>\nDone.' }]).text).toBe('Done.')
    expect(result('[Subagent hand-back] words. The report follows:\n  All well.').text).toBe('All well.')
    const spilled = '<persisted-output>\nOutput too large (141KB). Full output saved to: /t/x.txt\n'
    expect(result(`${spilled}\nPreview (first 2KB):\n\n RUN v4\n...\n</persisted-output>`).text).toBe(
      'RUN v4',
    )
    expect(result(spilled).text).toBe('Output too large (141KB). Full output saved to: /t/x.txt')
    expect(result([{ type: 'tool_reference', tool_name: 'Grep' }]).text).toBe('Grep')
    expect(result('').text).toBe('(no output)')
  })

  it('[T2] tell errors', () => {
    expect(result('no such file', { is_error: true }).kind).toBe('error')
  })
})

describe('user entries', () => {
  it('say commands as they were typed', () => {
    const typed = '<command-name>/compact</command-name><command-args>keep it</command-args>'
    expect(lineOf('user', { message: { content: typed } })).toEqual({
      kind: 'command',
      text: '/compact keep it',
    })
    const printed = '<local-command-stdout>Bye!</local-command-stdout>'
    expect(lineOf('user', { message: { content: printed } }).text).toBe('Bye!')
  })

  it('say notifications by their summary', () => {
    const text = '<task-notification><task-id>x</task-id><summary>Agent done</summary></task-notification>'
    expect(lineOf('user', { message: { content: text } }).text).toBe('Agent done')
  })

  it('[P4] take strings, blocks and nothing at all', () => {
    expect(lineOf('user', { message: { content: 'hello' } }).text).toBe('hello')
    expect(lineOf('user', record({ type: 'text', text: 'a' }, { type: 'image' })).text).toBe('a [image]')
    expect(lineOf('user', {}).text).toBe('')
  })
})

describe('other entries', () => {
  it('[P3] read the call of the older form', () => {
    const record = { subtype: 'tool_use', toolName: 'Read', toolArguments: { file_path: 'a.txt' } }
    expect(lineOf('assistant', record)).toEqual({ kind: 'call', text: 'Read a.txt' })
  })

  it('[Q1] show text that was typed in mid turn as a prompt', () => {
    const attachment = { type: 'queued_command', prompt: 'and also this', commandMode: 'prompt' }
    expect(lineOf('attachment', { attachment })).toEqual({
      kind: 'prompt',
      text: 'and also this',
    })
  })

  it('[P2] name what they do not know', () => {
    expect(lineOf('brand-new', {})).toEqual({
      kind: 'unknown',
      text: '(brand-new)',
    })
  })
})

describe('texts of the client', () => {
  const line = (text: string): string => lineOf('user', { message: { content: text } }).text

  it('show the message of another agent and the text of a scheduled task', () => {
    expect(line('<teammate-message teammate_id="lead" summary="news">All is done</teammate-message>')).toBe(
      'news All is done',
    )
    const task =
      '<scheduled-task name="nightly" file="x">\nReport the `<result>` of each check.\n</scheduled-task>'
    expect(line(task)).toBe('nightly Report the `<result>` of each check.')
  })

  it('show what a command printed, and its name where it is known', () => {
    expect(line('<bash-stdout>one\ntwo</bash-stdout><bash-stderr></bash-stderr>')).toBe('one two')
    expect(line('<local-command-stdout></local-command-stdout>')).toBe('(no output)')
    const record = {
      subtype: 'local_command',
      content: '<local-command-stdout>Renamed</local-command-stdout>',
      commandRun: { command: 'rename', args: 'first' },
    }
    expect(lineOf('system', record)).toEqual({ kind: 'output', text: '/rename first Renamed' })
  })

  it('[A9] show the message that a progress row carries', () => {
    const content = [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }]
    const message = { type: 'assistant', uuid: 'a1', message: { content } }
    const data = { type: 'agent_progress', agentId: 'x', message }
    expect(lineOf('progress', { data, parentToolUseID: 't0' }).text).toBe('agent_progress Bash ls')
  })
})
