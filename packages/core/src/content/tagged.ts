/** Texts in the client's tags: commands, their output, notifications, reminders. */
import { commandLine, textInTag, typedCommand } from '../model/prompt-words.js'
import { COMMAND_TAGS, firstTag, NOTIFICATION_TAGS, OUTPUT_TAGS } from '../parse/tags.js'

/** A text in the client's tags, as its parts. */
type Tagged =
  /** A command has a name, output alone has none; a notification has the name of its tag. */
  | {
      readonly kind: 'command'
      readonly name: string
      readonly args: string
      readonly output: string | null
    }
  | { readonly kind: 'note'; readonly label: string; readonly text: string }

/** The parts of a text in the client's tags; null for any other text. */
export function readTagged(text: string): Tagged | null {
  const start = text.trimStart()
  const tag = firstTag(start)
  if (tag === '') return null
  if (COMMAND_TAGS.has(tag)) return command(start)
  if (OUTPUT_TAGS.has(tag)) return { kind: 'command', name: '', args: '', output: printedIn(start) ?? '' }
  if (NOTIFICATION_TAGS.has(tag)) return notification(tag, start)
  const label = noteTags.get(tag)
  return label === undefined ? null : { kind: 'note', label, text: withoutTag(start, tag) }
}

const noteTags = new Map([
  ['system-reminder', 'reminder'],
  ['local-command-caveat', 'caveat'],
])

function command(text: string): Tagged {
  const { name, args } = typedCommand(text) ?? { name: '', args: '' }
  return { kind: 'command', name, args, output: printedIn(text) }
}

/** The output of a command; null where the text holds none. */
function printedIn(text: string): string | null {
  const printed = [...OUTPUT_TAGS].map(tag => textInTag(text, tag)).filter(part => part !== null)
  return printed.length === 0 ? null : printed.filter(part => part.trim() !== '').join('\n')
}

/** Summary and result: in the tags of a notification; in an attribute and the text of a message or task. */
function notification(tag: string, text: string): Tagged {
  const hasTags = isNotice(tag)
  const attribute = /^<[^>]*\b(?:summary|name)="([^"]*)"/.exec(text)?.[1]
  const args = (hasTags ? (textInTag(text, 'summary') ?? textInTag(text, 'status')) : attribute) ?? ''
  const result = hasTags ? textInTag(text, 'result') : null
  const output = (result ?? (hasTags && args !== '' ? '' : inside(text, tag))).trim()
  return { kind: 'command', name: tag, args: args.trim(), output: output === '' ? null : output }
}

/** `task-notification`, `agent-notification`: their parts are tags. Others hold plain text. */
function isNotice(tag: string): boolean {
  return tag.endsWith('-notification')
}

/** A text in tags as one line of plain text. */
export function taggedLine(tagged: Tagged): string {
  if (tagged.kind === 'note') return tagged.text
  const { name, args, output } = tagged
  if (name === '!' || name === '#') return commandLine(tagged)
  if (isNotice(name)) return args || (output ?? '')
  if (name === '') return output?.trim() || '(no output)'
  return `${NOTIFICATION_TAGS.has(name) ? '' : name} ${args} ${output ?? ''}`
}

function inside(text: string, tag: string): string {
  const from = text.indexOf('>') + 1
  const end = text.lastIndexOf(`</${tag}>`)
  return text.slice(from, end < from ? text.length : end)
}

function withoutTag(text: string, tag: string): string {
  return text.replaceAll(new RegExp(`</?${tag}[^>]*>`, 'g'), '').trim()
}

/** S7: a text without the client's tags: a command as it was typed, with its output, and other texts without the marks. */
export function withoutTags(text: string): string {
  const start = text.trimStart()
  if (!start.startsWith('<')) return text
  const tagged = readTagged(start)
  if (tagged !== null) return taggedLine(tagged).trim()
  return /^<ide_[a-z_]+>/.test(start) ? start.replaceAll(/<\/?ide_[a-z_]+>/g, ' ') : text
}
