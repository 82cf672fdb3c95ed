import { describe, expect, it } from 'vitest'
import { readBlocks, readResults } from './blocks.js'

type Fields = Readonly<Record<string, unknown>>

const user = (content: unknown, more: Fields = {}): Fields => ({
  type: 'user',
  uuid: 'u1',
  parentUuid: null,
  timestamp: '2026-03-01T10:00:00.000Z',
  message: { role: 'user', content },
  ...more,
})

const assistant = (content: unknown, more: Fields = {}): Fields => ({
  type: 'assistant',
  uuid: 'a1',
  parentUuid: 'u1',
  message: { role: 'assistant', id: 'm1', content },
  ...more,
})

const attachment = (fields: Fields): Fields => ({
  type: 'attachment',
  uuid: 'x1',
  parentUuid: 'u1',
  attachment: fields,
})
const system = (fields: Fields): Fields => ({ type: 'system', uuid: 'x1', parentUuid: 'u1', ...fields })
const blocks = (record: Fields, limit = 1000): unknown => readBlocks(record, limit)
const whole = (text: string): Fields => ({ text, cut: null })
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

describe('what people and Claude say', () => {
  it('[S7] has notes for what the editor or the client added in front of a prompt', () => {
    const opened = '<ide_opened_file>The user opened a.ts.</ide_opened_file>'
    const note = { kind: 'note', label: 'open file', text: whole('The user opened a.ts.') }
    const prompt = { kind: 'text', text: whole('Fix it') }
    const text = (words: string): Fields => ({ type: 'text', text: words })
    expect(blocks(user([text(opened), text('Fix it')]))).toEqual([note, prompt])
    expect(blocks(user(`${opened}Fix it`))).toEqual([note, prompt])
    expect(blocks(user(`<system-reminder>Be brief</system-reminder>\n${opened}`))).toEqual([
      { kind: 'note', label: 'reminder', text: whole('Be brief') },
      note,
    ])
  })

  it('reads content as a string and as blocks', () => {
    const expected = [{ kind: 'text', text: whole('hello') }]
    expect(blocks(user('hello'))).toEqual(expected)
    expect(blocks(user([{ type: 'text', text: 'hello' }]))).toEqual(expected)
    expect(blocks({ ...user('hello'), type: 'human' })).toEqual(expected)
    expect(blocks(assistant('hello'))).toEqual(expected)
  })

  it('cuts long texts and says how long they are, never within a character', () => {
    expect(blocks(user('abcdef'), 4)).toEqual([{ kind: 'text', text: { text: 'abcd', cut: 6 } }])
    expect(blocks(user('abc😀f'), 4)).toEqual([{ kind: 'text', text: { text: 'abc', cut: 6 } }])
    expect(blocks(user('abcd'), 4)).toEqual([{ kind: 'text', text: whole('abcd') }])
  })

  it('reads thinking, also where only its signature is left', () => {
    expect(
      blocks(
        assistant([
          { type: 'thinking', thinking: 'hm', signature: 'x' },
          { type: 'thinking', thinking: '', signature: 'x' },
          { type: 'redacted_thinking', data: 'x' },
        ]),
      ),
    ).toEqual([
      { kind: 'thinking', text: whole('hm'), isHidden: false },
      { kind: 'thinking', text: whole(''), isHidden: true },
      { kind: 'thinking', text: whole(''), isHidden: true },
    ])
  })

  it('shows images of kinds that hold no code, and names all others', () => {
    expect(blocks(user([image]))).toEqual([{ kind: 'image', image: { media: 'image/png', data: 'AAAA' } }])
    const svg = { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: 'PHN2Zz4=' } }
    const linked = { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } }
    expect(blocks(user([svg, linked]))).toMatchObject([
      { kind: 'note', label: 'image' },
      { kind: 'note', label: 'image' },
    ])
    expect(JSON.stringify(blocks(user([svg])))).not.toContain('PHN2Zz4=')
  })

  it('tells a failed request from an answer', () => {
    expect(blocks(assistant('API Error: 529', { isApiErrorMessage: true }))).toEqual([
      { kind: 'error', text: whole('API Error: 529') },
    ])
  })

  it('keeps blocks that are not known, as notes', () => {
    expect(blocks(user([{ type: 'document', title: 'plan.pdf', source: {} }]))).toEqual([
      { kind: 'note', label: 'document', text: whole('plan.pdf') },
    ])
    expect(blocks(assistant([{ type: 'hologram', depth: 3 }]))).toMatchObject([
      { kind: 'note', label: 'hologram' },
    ])
  })
})

describe('calls and results', () => {
  it('[T1] reads a call with its input, the result to be joined', () => {
    expect(
      blocks(assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }])),
    ).toEqual([{ kind: 'call', id: 't1', name: 'Bash', input: { command: 'ls' }, result: null, agent: null }])
  })

  it('[P3] reads a call that is the entry itself', () => {
    const seed = {
      ...assistant(null),
      subtype: 'tool_use',
      toolName: 'Grep',
      toolArguments: { pattern: 'x' },
    }
    expect(blocks(seed)).toEqual([
      { kind: 'call', id: 'a1', name: 'Grep', input: { pattern: 'x' }, result: null, agent: null },
    ])
  })

  it('cuts long texts in an input wherever they stand, and all of them together', () => {
    const long = 'x'.repeat(50)
    const [call] = readBlocks(
      assistant([
        { type: 'tool_use', id: 't1', name: 'MultiEdit', input: { edits: [{ old: long }], n: 5, ok: true } },
      ]),
      10,
    )
    expect(call).toMatchObject({
      input: { edits: [{ old: `${'x'.repeat(10)}\n… 40 more characters` }], n: 5, ok: true },
    })
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 'y'.repeat(1000)]))
    const size = JSON.stringify(
      blocks(assistant([{ type: 'tool_use', id: 't1', name: 'X', input: many }])),
    ).length
    expect(size).toBeLessThan(1000 * 200)
  })

  it('survives an input that is not an object', () => {
    for (const [input, expected] of [
      [null, {}],
      [undefined, {}],
      ['half', { input: 'half' }],
      [[1], { input: [1] }],
    ] as const)
      expect(blocks(assistant([{ type: 'tool_use', id: 't', name: 'X', input }]))).toMatchObject([
        { input: expected },
      ])
  })

  it('[T2] reads a result with its state, and what was recorded beside it', () => {
    const record = user([{ type: 'tool_result', tool_use_id: 't1', content: 'done' }], {
      toolUseResult: { stdout: 'done', stderr: '', originalFile: 'whole file', file: { base64: 'AAAA' } },
    })
    const expected = {
      state: 'ok',
      text: whole('done'),
      images: [],
      facts: {
        stdout: 'done',
        stderr: '',
        originalFile: '… 10 characters',
        file: { base64: '… 4 characters' },
      },
      node: 'u1',
      time: Date.parse('2026-03-01T10:00:00.000Z'),
      spilled: null,
    }
    expect(blocks(record)).toEqual([{ kind: 'result', tool: null, ...expected }])
    expect([...readResults(record, 1000)]).toEqual([['t1', expected]])
  })

  it('[T2] knows errors, denials and interruptions', () => {
    const state = (block: Fields, more: Fields = {}): unknown =>
      readResults(user([{ type: 'tool_result', tool_use_id: 't1', ...block }], more), 100).get('t1')?.state
    expect(state({ content: 'no', is_error: true })).toBe('error')
    expect(state({ content: "The user doesn't want to proceed with this" })).toBe('denied')
    expect(state({ content: 'x' }, { toolDenialKind: 'interrupted' })).toBe('interrupted')
    expect(state({ content: [] })).toBe('ok')
  })

  it('finds where a large result was put, and keeps its preview', () => {
    const text =
      '<persisted-output>\nOutput too large (9KB). Full output saved to: /a/b/tool-results/x.txt\n\nPreview'
    const result = readResults(user([{ type: 'tool_result', tool_use_id: 't1', content: text }]), 1000).get(
      't1',
    )
    expect(result).toMatchObject({ state: 'spilled', spilled: '/a/b/tool-results/x.txt', text: whole(text) })
    const named = user([{ type: 'tool_result', tool_use_id: 't1', content: '<persisted-output>' }], {
      toolUseResult: { persistedOutputPath: '/c/y.txt' },
    })
    expect(readResults(named, 1000).get('t1')?.spilled).toBe('/c/y.txt')
  })

  it('reads content of a result as blocks: texts, images, references', () => {
    const content = [{ type: 'text', text: 'one' }, image, { type: 'tool_reference', tool_name: 'WebFetch' }]
    const result = readResults(user([{ type: 'tool_result', tool_use_id: 't1', content }]), 100).get('t1')
    expect(result).toMatchObject({
      text: whole('one\nWebFetch'),
      images: [{ media: 'image/png', data: 'AAAA' }],
    })
  })

  it('tells several results of one row apart, and gives the facts to none of them', () => {
    const record = user(
      [
        { type: 'tool_result', tool_use_id: 't1', content: 'one' },
        { type: 'tool_result', tool_use_id: 't2', content: 'two' },
        { type: 'text', text: 'and go on' },
      ],
      { toolUseResult: { stdout: 'two' } },
    )
    expect([...readResults(record, 100)].map(([id, { text, facts }]) => [id, text.text, facts])).toEqual([
      ['t1', 'one', null],
      ['t2', 'two', null],
    ])
    expect(readBlocks(record, 100).map(({ kind }) => kind)).toEqual(['result', 'result', 'text'])
  })

  it('joins tools of the server with their results, which stand in the same message', () => {
    const record = assistant([
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'dag' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's1',
        content: [{ type: 'web_search_result', title: 'DAG', url: 'https://example.com' }],
      },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's9',
        content: { type: 'x_error', error_code: 'max_uses' },
      },
    ])
    expect(blocks(record)).toMatchObject([
      { kind: 'call', id: 's1', result: { text: whole('DAG\nhttps://example.com') } },
      { kind: 'result', state: 'error', text: whole('max_uses') },
    ])
  })
})

describe('what the client puts into texts', () => {
  it('reads commands of all kinds', () => {
    const command = (text: string): unknown => blocks(user(text))
    expect(
      command(
        '<command-message>greet</command-message>\n<command-name>/greet</command-name>\n<command-args>you</command-args>',
      ),
    ).toEqual([{ kind: 'command', name: '/greet', args: 'you', output: null }])
    expect(command('<bash-input>echo hi</bash-input>')).toEqual([
      { kind: 'command', name: '!', args: 'echo hi', output: null },
    ])
    expect(command('<user-memory-input>be brief</user-memory-input>')).toMatchObject([
      { name: '#', args: 'be brief' },
    ])
    expect(command('<bash-stdout>hi</bash-stdout><bash-stderr>oh</bash-stderr>')).toEqual([
      { kind: 'command', name: '', args: '', output: whole('hi\noh') },
    ])
    expect(command('<local-command-stdout></local-command-stdout>')).toMatchObject([{ output: whole('') }])
    expect(command('<command-name>/cut')).toMatchObject([{ name: '/cut' }])
  })

  it('reads notifications: what happened, and what came out', () => {
    const text =
      '<task-notification>\n<task-id>x</task-id>\n<status>completed</status>\n<summary>Agent done</summary>\n<result>All good</result>\n</task-notification>'
    expect(blocks(user(text))).toEqual([
      { kind: 'command', name: 'task-notification', args: 'Agent done', output: whole('All good') },
    ])
    expect(
      blocks(user('<teammate-message teammate_id="lead" summary="mate">\nwork\n</teammate-message>')),
    ).toEqual([{ kind: 'command', name: 'teammate-message', args: 'mate', output: whole('work') }])
  })

  it('reads reminders, caveats and other words of the client as notes', () => {
    expect(blocks(user('<system-reminder>\nremember\n</system-reminder>'))).toEqual([
      { kind: 'note', label: 'reminder', text: whole('remember') },
    ])
    expect(blocks(user('go on', { isMeta: true }))).toEqual([
      { kind: 'note', label: 'meta', text: whole('go on') },
    ])
    expect(blocks(user('[Request interrupted by user]'))).toMatchObject([
      { kind: 'note', label: 'interrupt' },
    ])
    expect(blocks(user('<b>bold</b>'))).toEqual([{ kind: 'text', text: whole('<b>bold</b>') }])
    expect(blocks(user('This session is being continued', { isCompactSummary: true }))).toMatchObject([
      { kind: 'text' },
    ])
  })

  it('reads queued input as what was typed, with its images', () => {
    expect(blocks(attachment({ type: 'queued_command', prompt: 'wait', commandMode: 'prompt' }))).toEqual([
      { kind: 'text', text: whole('wait') },
    ])
    expect(
      blocks(attachment({ type: 'queued_command', prompt: [{ type: 'text', text: 'look' }, image] })),
    ).toMatchObject([{ kind: 'text' }, { kind: 'image' }])
    expect(
      blocks(attachment({ type: 'queued_command', prompt: 'x', commandMode: 'task-notification' })),
    ).toMatchObject([{ kind: 'note', label: 'notification' }])
  })
})

describe('records beside the conversation', () => {
  it('has what hooks returned, and what files hold', () => {
    expect(
      blocks(
        attachment({
          type: 'hook_success',
          hookName: 'PreToolUse:Bash',
          content: '',
          stdout: 'out\n',
          stderr: '',
        }),
      ),
    ).toEqual([{ kind: 'note', label: 'hook_success PreToolUse:Bash', text: whole('out\n') }])
    expect(
      blocks(
        attachment({
          type: 'hook_blocking_error',
          hookName: 'Stop',
          blockingError: { blockingError: 'go on' },
        }),
      ),
    ).toMatchObject([{ text: whole('go on') }])
    expect(
      blocks(attachment({ type: 'hook_additional_context', hookName: 'Post', content: ['one', 'two'] })),
    ).toMatchObject([{ text: whole('one\ntwo') }])
    expect(
      blocks(
        attachment({
          type: 'file',
          filename: '/p/a.txt',
          displayPath: 'a.txt',
          content: { file: { content: 'alpha' } },
        }),
      ),
    ).toEqual([{ kind: 'note', label: 'file a.txt', text: whole('alpha') }])
    expect(blocks(attachment({ type: 'date', date: '2026-03-01' }))).toMatchObject([
      { label: 'date', text: { text: expect.stringContaining('2026-03-01') } },
    ])
  })

  it('reads notices of the client', () => {
    expect(blocks(system({ subtype: 'turn_duration', durationMs: 1234 }))).toMatchObject([
      { kind: 'note', label: 'turn_duration', text: whole('1.2 s') },
    ])
    expect(
      blocks(
        system({
          subtype: 'api_error',
          error: { formatted: '529 Overloaded' },
          retryAttempt: 2,
          maxRetries: 10,
        }),
      ),
    ).toEqual([{ kind: 'error', text: whole('529 Overloaded (try 2 of 10)') }])
    expect(
      blocks(
        system({
          subtype: 'local_command',
          content: '<local-command-stdout>ok</local-command-stdout>',
          commandRun: { command: 'clear', args: '' },
        }),
      ),
    ).toEqual([{ kind: 'command', name: '/clear', args: '', output: whole('ok') }])
    expect(blocks(system({ subtype: 'compact_boundary', content: 'Conversation compacted' }))).toMatchObject([
      { label: 'compact_boundary', text: whole('Conversation compacted') },
    ])
    expect(
      blocks(
        system({ subtype: 'stop_hook_summary', hookInfos: [{ command: 'stop.sh' }], hookErrors: ['no'] }),
      ),
    ).toMatchObject([{ text: whole('stop.sh\nno') }])
  })

  it('reads progress and types that nobody knows', () => {
    expect(
      blocks({
        type: 'progress',
        uuid: 'p',
        parentUuid: 'u',
        data: { type: 'bash_progress', output: 'line' },
      }),
    ).toEqual([{ kind: 'note', label: 'bash_progress', text: whole('line') }])
    expect(blocks({ type: 'novelty', uuid: 'n', parentUuid: 'u', data: { a: 1 } })).toMatchObject([
      { kind: 'note', label: 'novelty' },
    ])
  })
})

describe('whatever a record holds', () => {
  it('[P7] keys such as __proto__ are data', () => {
    const input: unknown = JSON.parse('{"__proto__": {"polluted": "yes"}, "constructor": "x"}')
    const read = JSON.stringify(blocks(assistant([{ type: 'tool_use', id: 't', name: 'X', input }])))
    expect(read).toContain('"__proto__":{"polluted":"yes"}')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('[P4] fields of the wrong type count as absent', () => {
    const odd = [
      null,
      5,
      true,
      'text',
      [],
      [null],
      [[1]],
      {},
      { content: 5 },
      { content: [{ type: 7 }, null, 'x'] },
    ]
    const types = [
      'user',
      'assistant',
      'system',
      'attachment',
      'progress',
      'tool_result',
      'compact_recap',
      7,
      null,
    ]
    for (const type of types) {
      for (const value of odd) {
        const record = {
          type,
          uuid: 'u',
          message: value,
          attachment: value,
          data: value,
          content: value,
          error: value,
        }
        expect(() => JSON.stringify(readBlocks(record, 10))).not.toThrow()
        expect(() => readResults({ ...record, toolUseResult: value }, 10)).not.toThrow()
      }
    }
  })

  it('ends at any depth', () => {
    let deep: unknown = 'x'
    for (let at = 0; at < 5000; at++) deep = { deep }
    expect(() =>
      JSON.stringify(blocks(assistant([{ type: 'tool_use', id: 't', name: 'X', input: deep }]))),
    ).not.toThrow()
  })
})
