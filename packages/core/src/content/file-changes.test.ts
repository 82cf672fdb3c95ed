import { describe, expect, it } from 'vitest'
import { fileAction } from '../measure/tools.js'
import type { Json } from '../parse/json.js'
import { fileCalls, fileChangeOf } from './file-changes.js'
import { commitsMade, shellCalls } from './shell-calls.js'

const PATH = '/home/dev/shop/app.ts'

function callOf(name: string, input: Json): Json {
  return {
    type: 'assistant',
    uuid: 'a1',
    message: { content: [{ type: 'tool_use', id: 't1', name, input }] },
  }
}

function resultOf(toolUseResult: unknown, block: Json = {}): Json {
  const content = [{ type: 'tool_result', tool_use_id: 't1', content: 'done', ...block }]
  return {
    type: 'user',
    uuid: 'r1',
    message: { content },
    ...(toolUseResult === undefined ? {} : { toolUseResult }),
  }
}

function changeOf(name: string, input: Json, toolUseResult: unknown, block: Json = {}): unknown {
  const [call] = fileCalls(callOf(name, { file_path: PATH, ...input }))
  return call === undefined ? null : fileChangeOf(call, resultOf(toolUseResult, block))
}

describe('what calls say of a file', () => {
  it.each(['constructor', 'toString', '__proto__'])('[P4] nothing of a tool that is named %s', name => {
    expect(changeOf(name, { content: 'a' }, { content: 'a' })).toBeNull()
    expect(fileAction(name)).toBe('other')
  })

  it.each<[string, string, Json, unknown, Json, unknown]>([
    [
      'a new file',
      ...(['Write', { content: 'a\n' }, { type: 'create', content: 'a\n', originalFile: null }] as const),
      {},
      { kind: 'write', content: 'a\n', before: '' },
    ],
    [
      'a new file by the words of the result alone (subagents of 2.1.114)',
      ...(['Write', { content: 'a' }, undefined] as const),
      { content: `File created successfully at: ${PATH}` },
      { kind: 'write', content: 'a', before: '' },
    ],
    [
      'a file that was there, nothing recorded of it',
      ...(['Write', { content: 'a' }, undefined] as const),
      { content: `The file ${PATH} has been updated.` },
      { kind: 'write', content: 'a', before: null },
    ],
    [
      'a file that was there, recorded as a difference (2.0.5)',
      'Write',
      { content: 'a\nb\nc' },
      {
        type: 'update',
        content: 'a\nb\nc',
        structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: [' a', '+b', ' c'] }],
      },
      {},
      { kind: 'write', content: 'a\nb\nc', before: 'a\nc' },
    ],
    [
      'a difference that does not fit is not used',
      'Write',
      { content: '\ta' },
      { type: 'update', content: '\ta', structuredPatch: [{ newStart: 1, lines: ['+  a'] }] },
      {},
      { kind: 'write', content: '\ta', before: null },
    ],
    [
      'an edit that a person changed before accepting it',
      'Edit',
      { old_string: 'a', new_string: 'b' },
      { oldString: 'a', newString: 'b, by hand', originalFile: 'a\n', replaceAll: false, userModified: true },
      {},
      { kind: 'replace', replacements: [{ old: 'a', new: 'b, by hand', isAll: false }], before: 'a\n' },
    ],
    [
      'an edit without the file before it (2.1.108)',
      'Edit',
      { old_string: 'a', new_string: '', replace_all: true },
      { oldString: 'a', newString: '', originalFile: null },
      {},
      { kind: 'replace', replacements: [{ old: 'a', new: '', isAll: true }], before: null },
    ],
    [
      'an edit that writes a new file',
      ...(['Edit', { old_string: '', new_string: 'a' }, undefined] as const),
      {},
      { kind: 'write', content: 'a', before: '' },
    ],
    [
      'several edits (1.0.29)',
      'MultiEdit',
      { edits: [{ old_string: 'a', new_string: 'b' }] },
      { edits: [{ old_string: 'a', new_string: 'b' }], originalFileContents: 'a' },
      {},
      { kind: 'replace', replacements: [{ old: 'a', new: 'b', isAll: false }], before: 'a' },
    ],
    [
      'a cell of a notebook (1.0.17)',
      'NotebookEdit',
      { new_source: 'import a\nb' },
      { new_source: 'import a\nb', edit_mode: 'replace', error: '' },
      {},
      { kind: 'cell', lines: ['"import a\\n"', '"b"'] },
    ],
    [
      'a notebook with its content',
      'NotebookEdit',
      { new_source: 'b' },
      { original_file: '{}', updated_file: '{"cells":[]}' },
      {},
      { kind: 'write', content: '{"cells":[]}', before: '{}' },
    ],
    [
      'a whole file that was read',
      ...(['Read', {}, { file: { content: 'a', startLine: 1, numLines: 1, totalLines: 1 } }] as const),
      {},
      { kind: 'seen', content: 'a' },
    ],
    [
      'a part of a file that was read',
      ...(['Read', {}, { file: { content: 'a', startLine: 1, numLines: 1, totalLines: 9 } }] as const),
      {},
      null,
    ],
    [
      'a call that failed',
      'Edit',
      { old_string: 'a', new_string: 'b' },
      'Error',
      { is_error: true },
      'failed',
    ],
    ['another tool', 'Grep', { path: PATH }, {}, {}, null],
  ])('[Z4] %s', (_, name, input, toolUseResult, block, expected) => {
    expect(changeOf(name, input, toolUseResult, block)).toEqual(expected)
  })

  it('[Z6] reads commands and the commits that their results tell of', () => {
    const command = 'git commit -m x'
    expect(shellCalls(callOf('Bash', { command }))).toEqual([{ id: 't1', command }])
    const printed = '[main (root-commit) 1a2b3c4] First\n[detached HEAD abcdef12] Second\n see [1a2b3c9] x'
    expect(commitsMade(resultOf({}, { content: printed }))).toEqual(['1a2b3c4', 'abcdef12'])
    const noted = { gitOperation: { commit: { sha: '0b653364', kind: 'committed' } } }
    expect(commitsMade(resultOf(noted))).toEqual(['0b653364'])
  })
})
