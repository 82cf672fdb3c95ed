/** What the client writes into texts in tags: commands, their output, notifications, reminders. */
import type { Block } from '../protocol/content.js'
import { cutText } from './cut.js'

/** A text in the client's tags as a block; null where it is plain words. */
export function readTagged(text: string, limit: number): Block | null {
  const start = text.trimStart()
  if (!start.startsWith('<')) return null
  const tag = /^<([\w-]+)/.exec(start)?.[1] ?? ''
  if (commandTags.has(tag)) return commandBlock(start)
  if (outputTags.has(tag)) return outputBlock(start, limit)
  if (notificationTags.has(tag)) return notificationBlock(tag, start, limit)
  const label = noteTags.get(tag)
  return label === undefined ? null : { kind: 'note', label, text: cutText(withoutTag(start, tag), limit) }
}

const commandTags = new Set(['command-name', 'command-message', 'bash-input', 'user-memory-input'])
const outputTags = new Set(['local-command-stdout', 'local-command-stderr', 'bash-stdout', 'bash-stderr'])
const notificationTags = new Set([
  'task-notification',
  'agent-notification',
  'teammate-message',
  'agent-message',
  'scheduled-task',
  'ci-monitor-event',
])
const noteTags = new Map([
  ['system-reminder', 'reminder'],
  ['local-command-caveat', 'caveat'],
])

function commandBlock(text: string): Block {
  const shell = tagged(text, 'bash-input')
  if (shell !== null) return { kind: 'command', name: '!', args: shell.trim(), output: null }
  const memory = tagged(text, 'user-memory-input')
  if (memory !== null) return { kind: 'command', name: '#', args: memory.trim(), output: null }
  const name = tagged(text, 'command-name') ?? tagged(text, 'command-message') ?? ''
  return {
    kind: 'command',
    name: name.trim(),
    args: (tagged(text, 'command-args') ?? '').trim(),
    output: null,
  }
}

/** What a command printed; what it printed as errors comes last. */
function outputBlock(text: string, limit: number): Block {
  const printed = [...outputTags].map(tag => tagged(text, tag) ?? '').filter(part => part.trim() !== '')
  return { kind: 'command', name: '', args: '', output: cutText(printed.join('\n'), limit) }
}

/** `summary`, or what comes nearest to it, says what happened; `result` what came out. */
function notificationBlock(tag: string, text: string, limit: number): Block {
  const attribute = /^<[^>]*\bsummary="([^"]*)"/.exec(text)?.[1]
  const said = tagged(text, 'summary') ?? attribute ?? tagged(text, 'status') ?? ''
  const result = tagged(text, 'result') ?? (said === '' || attribute !== undefined ? inside(text, tag) : null)
  return {
    kind: 'command',
    name: tag,
    args: said.trim(),
    output: result === null || result.trim() === '' ? null : cutText(result.trim(), limit),
  }
}

/** What stands in a tag; to the end of the text where it is not closed. */
function tagged(text: string, tag: string): string | null {
  const open = text.indexOf(`<${tag}>`)
  if (open < 0) return null
  const from = open + tag.length + 2
  const end = text.indexOf(`</${tag}>`, from)
  return text.slice(from, end < 0 ? text.length : end)
}

function inside(text: string, tag: string): string {
  const from = text.indexOf('>') + 1
  const end = text.lastIndexOf(`</${tag}>`)
  return text.slice(from, end < from ? text.length : end)
}

function withoutTag(text: string, tag: string): string {
  return text.replaceAll(new RegExp(`</?${tag}[^>]*>`, 'g'), '').trim()
}
