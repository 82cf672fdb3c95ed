/** Tools for files: Read, Write, Edit, MultiEdit, NotebookEdit, Grep, Glob, LS. */

import { plural } from '@dagline/core/format'
import type { ToolCallContent } from '@dagline/core/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { countLines } from '../text/clamp.js'
import { Code } from '../text/code.js'
import { Cut } from '../text/cut.js'
import { Diff } from '../text/diff.js'
import { countChanges, type DiffRow, type Hunk, rowsOfHunks, rowsOfTexts } from '../text/diff-rows.js'
import { languageOf } from '../text/highlight.js'
import { type Fields, fieldsAt, flagAt, isFields, listAt, numberAt, textAt } from './fields.js'
import { type Copied, Result, resultLines, type ToolView } from './view.js'

const PATH = ['file_path', 'path', 'notebook_path', 'filePath']

/** The file a call is about. */
function pathOf({ input }: ToolCallContent): string {
  return textAt(input, ...PATH)
}

function copiedPath(call: ToolCallContent): Copied {
  return { name: 'path', text: pathOf(call) }
}

/** Reading a file. */
export const readFile: ToolView = {
  summary: pathOf,
  copied: copiedPath,
  outcome: call => (call.result === null || failed(call) ? '' : plural(linesRead(call), 'line')),
  body: call => (failed(call) ? <Result call={call} /> : <ReadBody call={call} />),
}

function ReadBody({ call }: { call: ToolCallContent }): VNode {
  const { result } = call
  if (result === null || result.images.length > 0) return <Result call={call} />
  return (
    <Cut text={result.text} node={result.node} block={call.id}>
      {text => {
        const { code, from } = unnumber(text)
        return <Code text={code} language={languageOf(pathOf(call))} from={from} lines={24} />
      }}
    </Cut>
  )
}

function linesRead(call: ToolCallContent): number {
  return numberAt(fieldsAt(call.result?.facts, 'file'), 'numLines') ?? resultLines(call)
}

const NUMBERED = /^\s*(\d+)(?:→|\t)(.*)$/

/** Removes the line numbers that Claude Code writes before each line. They are shown in the margin. */
export function unnumber(text: string): { readonly code: string; readonly from: number } {
  const lines = text.split('\n')
  const first = NUMBERED.exec(lines[0] ?? '')
  if (first === null) return { code: text, from: 1 }
  const code = lines.map(line => NUMBERED.exec(line)?.[2] ?? line)
  return { code: code.join('\n'), from: Number(first[1]) }
}

/** Writing a file. */
export const writeFile: ToolView = {
  summary: pathOf,
  copied: copiedPath,
  outcome: call =>
    hasHunks(call) ? changeWords(call) : plural(countLines(textAt(call.input, 'content')), 'line'),
  lines: call => (hasHunks(call) ? changesOf(call).length : countLines(textAt(call.input, 'content'))),
  body: call =>
    hasHunks(call) ? (
      <Diff rows={changesOf(call)} language={languageOf(pathOf(call))} />
    ) : (
      <Code text={textAt(call.input, 'content')} language={languageOf(pathOf(call))} from={1} lines={24} />
    ),
}

/** Changing a file. */
export const editFile: ToolView = {
  summary: pathOf,
  copied: copiedPath,
  outcome: changeWords,
  lines: call => changesOf(call).length,
  body: call => withFailure(call, <Diff rows={changesOf(call)} language={languageOf(pathOf(call))} />),
}

/** Changing a cell of a notebook. */
export const editNotebook: ToolView = {
  summary: call => `${pathOf(call)} ${textAt(call.input, 'cell_id')}`.trim(),
  outcome: ({ input }) => textAt(input, 'edit_mode'),
  lines: ({ input }) => countLines(textAt(input, 'new_source')),
  body: call =>
    withFailure(
      call,
      <Code
        text={textAt(call.input, 'new_source')}
        language={textAt(call.input, 'cell_type') === 'markdown' ? '' : 'python'}
      />,
    ),
}

function withFailure(call: ToolCallContent, body: ComponentChildren): ComponentChildren {
  return (
    <>
      {body}
      {flagAt(call.result?.facts, 'userModified') && (
        <p class="faint">Changed by the user before it was applied.</p>
      )}
      {failed(call) && <Result call={call} />}
    </>
  )
}

function failed({ result }: ToolCallContent): boolean {
  return result !== null && result.state !== 'ok' && result.state !== 'spilled'
}

function changeWords(call: ToolCallContent): string {
  const { removed, added } = countChanges(changesOf(call))
  return `+${added} −${removed}`
}

/** The recorded hunks, or without any, the changes that the call asked for. */
export function changesOf(call: ToolCallContent): readonly DiffRow[] {
  const hunks = hunksOf(call)
  if (hunks.length > 0) return rowsOfHunks(hunks)
  const edits = listAt(call.input, 'edits').filter(isFields)
  const rows = (edits.length > 0 ? edits : [call.input]).map(editRows)
  return rows.flatMap((part, at) => (at === 0 ? part : [{ ...GAP }, ...part]))
}

const GAP: DiffRow = { kind: 'gap', text: '', before: null, after: null, part: null }

function editRows(edit: Fields): readonly DiffRow[] {
  return rowsOfTexts(textAt(edit, 'old_string', 'old_str'), textAt(edit, 'new_string', 'new_str'))
}

function hasHunks(call: ToolCallContent): boolean {
  return hunksOf(call).length > 0
}

function hunksOf({ result }: ToolCallContent): readonly Hunk[] {
  return listAt(result?.facts, 'structuredPatch').flatMap(hunk => {
    const lines = listAt(hunk, 'lines').filter(line => typeof line === 'string')
    if (lines.length === 0) return []
    return [{ oldStart: numberAt(hunk, 'oldStart') ?? 1, newStart: numberAt(hunk, 'newStart') ?? 1, lines }]
  })
}

/** Searching text in files. */
export const grep: ToolView = {
  summary: ({ input }) => {
    const where = textAt(input, 'glob', 'type') || textAt(input, 'path')
    return where === ''
      ? textAt(input, 'pattern', 'query')
      : `${textAt(input, 'pattern', 'query')}  in ${where}`
  },
  outcome: found,
  body: call => <Result call={call} />,
}

/** Searching files by name. */
export const glob: ToolView = {
  ...grep,
  summary: ({ input }) => [textAt(input, 'pattern'), textAt(input, 'path')].filter(Boolean).join('  in '),
}

/** Listing a folder. */
export const list: ToolView = { ...grep, summary: ({ input }) => textAt(input, 'path') }

function found(call: ToolCallContent): string {
  const { result } = call
  if (result === null || result.state !== 'ok') return ''
  const lines = numberAt(result.facts, 'numLines')
  const files = numberAt(result.facts, 'numFiles') ?? listAt(result.facts, 'filenames').length
  if (lines !== null && lines > 0) return plural(lines, 'line')
  if (files > 0) return plural(files, 'file')
  return /^no (files|matches)/i.test(result.text.text) ? 'no matches' : plural(resultLines(call), 'line')
}
