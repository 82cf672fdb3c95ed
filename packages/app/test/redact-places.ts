/** The places of a session that a text can stand in: each gives the rows and files that hold it. */
import type { TextFile } from '@dagline/testkit'

type Row = Readonly<Record<string, unknown>>

/** Rows of the session, rows of its subagent, and files beside it. */
interface Planted {
  readonly rows?: readonly Row[]
  readonly agent?: readonly Row[]
  readonly spilled?: string
}

const user = (content: unknown, more: Row = {}): Row => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})
const claude = (...content: unknown[]): Row => ({
  type: 'assistant',
  message: {
    role: 'assistant',
    type: 'message',
    model: 'claude-opus-4-5',
    content,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
})
const call = (id: string, input: unknown, name = 'Bash'): Row => claude({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown, more: Row = {}): Row =>
  user([{ type: 'tool_result', tool_use_id: id, content }], more)

/** A place by its name; `id` is different for each text. */
export const PLACES: Readonly<Record<string, (text: string, id: string) => Planted>> = {
  'a prompt': text => ({ rows: [user(text)] }),
  'a prompt of blocks': text => ({ rows: [user([{ type: 'text', text }])] }),
  'an answer': text => ({ rows: [claude({ type: 'text', text })] }),
  thinking: text => ({ rows: [claude({ type: 'thinking', thinking: text, signature: 'EqQBCgIYAhIk' })] }),
  'a command': (text, id) => ({ rows: [call(id, { command: text }), result(id, 'ok')] }),
  'a name of an input': (text, id) => ({ rows: [call(id, { [text]: 1 }), result(id, 'ok')] }),
  'a nested input': (text, id) => ({
    rows: [call(id, { a: [{ b: [text] }] }, 'mcp__shop__get'), result(id, 'ok')],
  }),
  'the name of a tool': (text, id) => ({ rows: [call(id, {}, text), result(id, 'ok')] }),
  'the path of a file': (text, id) => ({
    rows: [call(id, { file_path: `/home/ada/${text}` }, 'Read'), result(id, 'ok')],
  }),
  'an edit': (text, id) => ({
    rows: [call(id, { file_path: '/a.ts', old_string: 'a', new_string: text }, 'Edit'), result(id, 'ok')],
  }),
  'a result': (text, id) => ({ rows: [call(id, { command: 'x' }), result(id, text)] }),
  'a result of blocks': (text, id) => ({
    rows: [call(id, { command: 'x' }), result(id, [{ type: 'text', text }])],
  }),
  'a failed result': (text, id) => ({
    rows: [
      call(id, { command: 'x' }),
      user([{ type: 'tool_result', tool_use_id: id, content: text, is_error: true }]),
    ],
  }),
  'the output beside a result': (text, id) => ({
    rows: [call(id, { command: 'x' }), result(id, 'ok', { toolUseResult: { stdout: text, stderr: text } })],
  }),
  'a name beside a result': (text, id) => ({
    rows: [call(id, { command: 'x' }), result(id, 'ok', { toolUseResult: { [text]: { [text]: [] } } })],
  }),
  'a spilled result': (text, id) => ({
    rows: [
      call(id, { command: 'x' }),
      result(id, `<persisted-output>\nOutput too large. Full output saved to: /x/tool-results/${id}.txt\n`),
    ],
    spilled: text,
  }),
  'the working directory': text => ({ rows: [user('hello', { cwd: `/home/ada/${text}` })] }),
  'the branch of git': text => ({ rows: [user('hello', { gitBranch: text })] }),
  'a title': text => ({ rows: [{ type: 'custom-title', customTitle: text }] }),
  'a summary': text => ({
    rows: [{ type: 'summary', summary: text, leafUuid: '00000000-0000-4000-8000-000000000001' }],
  }),
  'a note of the system': text => ({
    rows: [{ type: 'system', subtype: 'informational', level: 'info', content: text }],
  }),
  'the output of a hook': text => ({
    rows: [
      {
        type: 'attachment',
        attachment: {
          type: 'hook_success',
          hookName: text,
          hookEvent: 'Stop',
          content: text,
          stdout: text,
          stderr: '',
          exitCode: 0,
          command: text,
        },
      },
    ],
  }),
  'a queued prompt': text => ({
    rows: [
      { type: 'queue-operation', operation: 'enqueue', content: text, timestamp: '2026-01-01T00:00:00.000Z' },
    ],
  }),
  'an attached file': text => ({
    rows: [
      {
        type: 'attachment',
        attachment: {
          type: 'file',
          filename: text,
          displayPath: text,
          content: { type: 'text', file: { filePath: text, content: text } },
        },
      },
    ],
  }),
  'an unknown block': text => ({ rows: [claude({ type: 'crystal', facets: [text], [text]: text })] }),
  'an unknown record': text => ({ rows: [{ type: 'crystal', facets: { [text]: text } }] }),
  'a snapshot of files': text => ({
    rows: [
      {
        type: 'file-history-snapshot',
        messageId: 'm',
        isSnapshotUpdate: false,
        snapshot: { messageId: 'm', trackedFileBackups: { [text]: { backupFileName: text } } },
      },
    ],
  }),
  'a compaction': text => ({
    rows: [user(text, { isCompactSummary: true, isVisibleInTranscriptOnly: true })],
  }),
  'the prompt of a subagent': text => ({ agent: [user(text)] }),
  'the output of a subagent': (text, id) => ({ agent: [call(id, { command: text }), result(id, text)] }),
}

const SESSION = '5ec00000-0000-4000-8000-000000000000'
const FOLDER = '-home-ada-shop'

/** The files of a session with texts in places. */
export function plantedSession(
  plants: readonly { readonly text: string; readonly place: string }[],
): readonly TextFile[] {
  const made = plants.map(({ text, place }, at) => ({
    id: `toolu_${at}`,
    ...PLACES[place]?.(text, `toolu_${at}`),
  }))
  const spilled = made.flatMap(({ id, spilled: text }) =>
    text === undefined ? [] : [{ path: `${FOLDER}/${SESSION}/tool-results/${id}.txt`, text }],
  )
  const agent = made.flatMap(each => each.agent ?? [])
  return [
    {
      path: `${FOLDER}/${SESSION}.jsonl`,
      text: rowsText([user('begin'), ...made.flatMap(each => each.rows ?? [])], 'a', {}),
    },
    {
      path: `${FOLDER}/${SESSION}/subagents/agent-a1b2c3.jsonl`,
      text: rowsText([user('look'), ...agent], 'b', { isSidechain: true, agentId: 'a1b2c3' }),
    },
    ...spilled,
  ]
}

function rowsText(rows: readonly Row[], mark: string, more: Row): string {
  let parent: string | null = null
  const lines = rows.map((row, at) => {
    const isNode = ['user', 'assistant', 'system', 'attachment'].includes(String(row['type']))
    if (!isNode) return JSON.stringify({ sessionId: SESSION, ...row })
    const uuid = `${mark}0000000-0000-4000-8000-${String(at + 1).padStart(12, '0')}`
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString()
    const base = {
      parentUuid: parent,
      isSidechain: false,
      cwd: '/home/ada/shop',
      sessionId: SESSION,
      version: '2.1.325',
    }
    parent = uuid
    return JSON.stringify({ ...base, ...more, uuid, timestamp, ...row })
  })
  return `${lines.join('\n')}\n`
}
