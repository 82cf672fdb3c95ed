/** Grep, Glob and LS: where something was looked for, and what was found. */
import type { ToolCallContent } from '@dagline/core'
import { plural } from '../parts/format.js'
import { listAt, numberAt, textAt } from './fields.js'
import { Result } from './result.js'
import { resultLines, type ToolView } from './view.js'

/** Text in files. */
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

/** Files by name. */
export const glob: ToolView = {
  ...grep,
  summary: ({ input }) => [textAt(input, 'pattern'), textAt(input, 'path')].filter(Boolean).join('  in '),
}

/** A folder. */
export const list: ToolView = { ...grep, summary: ({ input }) => textAt(input, 'path') }

function found(call: ToolCallContent): string {
  const { result } = call
  if (result === null || result.state !== 'ok') return ''
  const lines = numberAt(result.facts, 'numLines')
  const files = numberAt(result.facts, 'numFiles') ?? listAt(result.facts, 'filenames').length
  if (lines !== null && lines > 0) return plural(lines, 'line')
  if (files > 0) return plural(files, 'file')
  return /^no (files|matches)/i.test(result.text.text) ? 'nothing' : plural(resultLines(call), 'line')
}
