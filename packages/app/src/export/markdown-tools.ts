/** Tool calls in Markdown: what was asked, and what came back. */

import { cleanLine, mainArgument } from '@dagline/core/content'
import { asText, writeJson } from '@dagline/core/parse'
import type { Block, ToolCallContent, ToolResultContent } from '@dagline/core/protocol'
import { codeSpan, cutOutput, fenced } from './markdown-text.js'

/** Links from a call or result to what stands elsewhere in the document. */
export interface CallWords {
  /** To the section of a subagent, by its line. */
  readonly agentOf: (line: number) => string
  /** To a late result. */
  readonly late: string
  /** From a late result to its call. */
  readonly call: string
}

/** A call with its result. A subagent has a section of its own. */
export function callMarkdown(call: ToolCallContent, words: CallWords): string {
  if (call.agent !== null) return `${headOf(call, wordsOf(call))}, see ${words.agentOf(call.agent)}`
  const parts = [headOf(call, isCommand(call) ? (asText(call.input['description']) ?? '') : wordsOf(call))]
  const result = call.late === undefined ? resultOf(call.result) : `*(the result came later, ${words.late})*`
  return [...parts, inputOf(call), result].filter(part => part !== '').join('\n\n')
}

/** T4: a late result, in its own row: it came after the assistant had continued. */
export function resultMarkdown(
  result: Extract<Block, { readonly kind: 'result' }>,
  { call }: CallWords,
): string {
  const tool = result.tool === null ? '' : ` of ${plainName(result.tool)}`
  return `**Result${tool}**${call}\n\n${resultOf(result)}`
}

function headOf({ name }: ToolCallContent, words: string): string {
  return `**${plainName(name)}**${words === '' ? '' : ` ${codeSpan(words)}`}`
}

/** The argument that says most. */
function wordsOf({ name, input }: ToolCallContent): string {
  const text = cleanLine(mainArgument(input, null)).slice(0, 134)
  return text === name ? '' : text
}

function isCommand({ input }: ToolCallContent): boolean {
  return asText(input['command']) !== null
}

function plainName(name: string): string {
  return name.replace(/[^\w.:-]/g, ' ').trim() || 'tool'
}

function inputOf({ name, input }: ToolCallContent): string {
  const command = asText(input['command'])
  if (command !== null) return fenced(cutOutput(command), 'bash')
  const before = asText(input['old_string'])
  const after = asText(input['new_string'])
  if (before !== null || after !== null) return fenced(cutOutput(diffOf(before ?? '', after ?? '')), 'diff')
  const content = asText(input['content'])
  if (content !== null) return fenced(cutOutput(content), '')
  return Object.keys(input).length === 0 || name === 'Read'
    ? ''
    : fenced(cutOutput(writeJson(input, 2)), 'json')
}

function diffOf(before: string, after: string): string {
  const marked = (text: string, mark: string): readonly string[] =>
    text === '' ? [] : text.split('\n').map(line => `${mark}${line}`)
  return [...marked(before, '-'), ...marked(after, '+')].join('\n')
}

function resultOf(result: ToolResultContent | null): string {
  if (result === null) return '*(no result)*'
  const state = result.state === 'ok' || result.state === 'spilled' ? '' : `*${result.state}*\n\n`
  const pictures = result.images.map(({ media }) => `*(a picture, ${media})*`)
  const text = result.text.text.trim() === '' ? '' : fenced(cutOutput(result.text.text), '')
  const parts = [text, ...pictures].filter(part => part !== '')
  return `${state}${parts.length === 0 ? '*(no output)*' : parts.join('\n\n')}`
}
