/** What an entry says, for people: its kind and its words. */
import { type GraphNode, plainHead } from '@dagline/core'
import { cleanLine } from '../text/clean.js'
import { asObject, type Json, objectsAt, textAt } from './records.js'

/** What a row of a log is. */
export type WordsKind =
  | 'prompt'
  | 'text'
  | 'thinking'
  | 'call'
  | 'result'
  | 'error'
  | 'summary'
  | 'command'
  | 'output'
  | 'interrupt'
  | 'notification'
  | 'note'
  | 'compaction'
  | 'attachment'
  | 'progress'
  | 'system'
  | 'unknown'

export interface Words {
  readonly kind: WordsKind
  /** One line, clean. */
  readonly text: string
}

/** The words of a node; of the graph's own memory where the record is gone. */
export function wordsOf(node: GraphNode, record: Json | null): Words {
  if (record === null) return { kind: kindOf(node), text: cleanLine(node.head ?? '(no longer in the file)') }
  switch (node.kind) {
    case 'user':
      return userWords(node, record)
    case 'assistant':
      return assistantWords(record)
    case 'attachment':
      return attachmentWords(record)
    case 'progress':
      return { kind: 'progress', text: progressText(record) }
    case 'system':
      return { kind: kindOf(node), text: systemText(node, record) }
    default:
      return { kind: 'unknown', text: `(${cleanLine(textAt(record, 'type') ?? 'no type')})` }
  }
}

function kindOf({ kind, type }: GraphNode): WordsKind {
  if (kind === 'user') return userKinds[type] ?? 'prompt'
  if (kind === 'assistant') return 'text'
  if (kind === 'system')
    return type === 'compact_boundary' || type === 'compact_prelude' ? 'compaction' : 'system'
  return kind === 'opaque' ? 'unknown' : kind
}

const userKinds: { readonly [meaning: string]: WordsKind | undefined } = {
  prompt: 'prompt',
  result: 'result',
  summary: 'summary',
  caveat: 'note',
  command: 'command',
  output: 'output',
  interrupt: 'interrupt',
  notification: 'notification',
  meta: 'note',
}

function userWords(node: GraphNode, record: Json): Words {
  const kind = kindOf(node)
  const blocks = blocksOf(record)
  const result = blocks.find(block => block['type'] === 'tool_result')
  if (result !== undefined)
    return { kind: result['is_error'] === true ? 'error' : 'result', text: resultText(result) }
  return { kind, text: plainText(blocks.map(block => blockText(block)).join('\n')) }
}

/** The content blocks of an entry; a plain string is one text block. */
export function blocksOf(record: Json): readonly Json[] {
  const message = asObject(record['message'])
  const text = textAt(message, 'content')
  if (text !== null) return [{ type: 'text', text }]
  const blocks = objectsAt(message, 'content')
  const tool = textAt(record, 'toolName')
  // S1's form: the call is the entry itself.
  return tool === null
    ? blocks
    : [...blocks, { type: 'tool_use', name: tool, input: record['toolArguments'] }]
}

/** The first line that says something, in the words people would use for it. */
export function plainText(text: string): string {
  const start = text.trimStart()
  if (/^<(command-|bash-input|local-command|bash-std|user-memory)/.test(start)) return commandText(start)
  if (/^<(task-|agent-)notification/.test(start))
    return cleanLine(tagged(start, 'summary') ?? tagged(start, 'status') ?? start)
  if (start.startsWith('<teammate-message')) return cleanLine(start.replace(/<[^>]*>/g, ' '))
  return cleanLine(start)
}

function commandText(text: string): string {
  const args = tagged(text, 'command-args') ?? ''
  const printed = /<(?:local-command|bash)-std(?:out|err)>([\s\S]*?)(?:<\/|$)/.exec(text)?.[1]
  if (printed !== undefined) return cleanLine(printed) || '(no output)'
  return cleanLine(`${plainHead(text)} ${args}`)
}

function tagged(text: string, tag: string): string | null {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? null
}

/** A block as one line; paths in calls are short where they are below `cwd`. */
export function blockText(block: Json, cwd: string | null = null): string {
  switch (block['type']) {
    case 'text':
      return textAt(block, 'text') ?? ''
    case 'thinking':
      return textAt(block, 'thinking') ?? '(thinking)'
    case 'redacted_thinking':
      return '(redacted thinking)'
    case 'tool_use':
    case 'server_tool_use':
      return callText(block, cwd)
    case 'tool_result':
      return resultText(block)
    default:
      return `[${textAt(block, 'tool_name') ?? textAt(block, 'type') ?? 'block'}]`
  }
}

/** The first line of a result that is not blank. */
export function resultText(block: Json): string {
  const inner = objectsAt(block, 'content')
  const text = textAt(block, 'content') ?? inner.map(block => blockText(block)).join('\n')
  const lines = reported(text)
    .split('\n', 200)
    .filter(part => cleanLine(part) !== '')
  // The client puts lines of its own, in tags, before what an agent said.
  const line = lines.find(part => !/^\s*<([\w-]+)>.*<\/\1>\s*$/.test(part)) ?? lines[0] ?? ''
  return cleanLine(line) || '(no output)'
}

/** What an agent reports, without the client's frame around it (2.1.3xx). */
function reported(text: string): string {
  const frame = text.indexOf('[Subagent hand-back]')
  const report = frame < 0 ? -1 : text.indexOf('The report follows:', frame)
  return report < 0 ? text : text.slice(report + 'The report follows:'.length)
}

/** `Bash echo hi`: a call with the argument that says most. */
export function callText(block: Json, cwd: string | null = null): string {
  const name = cleanLine(textAt(block, 'name') ?? 'tool')
  const input = asObject(block['input']) ?? {}
  const type = textAt(input, 'subagent_type')
  if (type !== null)
    return cleanLine(`${name} ${type}: ${textAt(input, 'description') ?? textAt(input, 'prompt') ?? ''}`)
  const said = TELLING.map(key => textAt(input, key)).find(value => value !== null)
  const any = said ?? Object.values(input).find(value => typeof value === 'string') ?? ''
  return cleanLine(`${name} ${withinFolder(String(any), cwd)}`)
}

/** A path below the folder the work is done in, without that folder. */
function withinFolder(text: string, cwd: string | null): string {
  const isBelow = cwd !== null && text.startsWith(cwd) && /^[/\\]./.test(text.slice(cwd.length))
  return isBelow ? text.slice(cwd.length + 1) : text
}

/** Arguments by how much they say of a call. */
const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'skill',
  'description',
  'prompt',
  'path',
  'task_id',
]

function assistantWords(record: Json): Words {
  const blocks = blocksOf(record)
  const text = blocks
    .map(block => blockText(block, textAt(record, 'cwd')))
    .filter(part => part !== '')
    .join(' ')
  if (record['isApiErrorMessage'] === true) return { kind: 'error', text: cleanLine(text) }
  const isCall = blocks.some(block => block['type'] === 'tool_use')
  const isThinking = blocks.length > 0 && blocks.every(block => String(block['type']).includes('thinking'))
  return { kind: isCall ? 'call' : isThinking ? 'thinking' : 'text', text: cleanLine(text) }
}

function attachmentWords(record: Json): Words {
  const attachment = asObject(record['attachment']) ?? {}
  const type = textAt(attachment, 'type') ?? 'attachment'
  if (type === 'queued_command') {
    const prompt =
      textAt(attachment, 'prompt') ??
      objectsAt(attachment, 'prompt')
        .map(block => blockText(block))
        .join('\n')
    const isTyped = (textAt(attachment, 'commandMode') ?? 'prompt') === 'prompt'
    return { kind: isTyped ? 'prompt' : 'notification', text: plainText(prompt) }
  }
  const detail = ['hookName', 'filename', 'displayPath', 'content', 'text']
    .map(key => textAt(attachment, key))
    .find(Boolean)
  return { kind: 'attachment', text: cleanLine(`${type} ${detail ?? ''}`) }
}

function progressText(record: Json): string {
  const data = asObject(record['data']) ?? {}
  const detail = textAt(data, 'hookName') ?? textAt(data, 'output') ?? textAt(data, 'prompt') ?? ''
  return cleanLine(`${textAt(data, 'type') ?? 'progress'} ${detail}`)
}

function systemText({ type }: GraphNode, record: Json): string {
  const content = textAt(record, 'content')
  if (content !== null) return plainText(content)
  const duration = record['durationMs']
  return cleanLine(typeof duration === 'number' ? `${type} ${(duration / 1000).toFixed(1)} s` : type)
}
