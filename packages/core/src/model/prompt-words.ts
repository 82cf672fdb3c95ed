/** S7: what a prompt or command shows: the words that were typed, without the tags that the client puts around them. */

/** The text inside a tag without attributes; to the end of the text where it is not closed, null where it is not there. */
export function textInTag(text: string, tag: string): string | null {
  const open = text.indexOf(`<${tag}>`)
  if (open < 0) return null
  const from = open + tag.length + 2
  const end = text.indexOf(`</${tag}>`, from)
  return text.slice(from, end < 0 ? text.length : end)
}

/** A command as it was typed: `/review 12`, `!ls`, `#remember`; null for any other text. */
export function typedCommand(text: string): { readonly name: string; readonly args: string } | null {
  const shell = textInTag(text, 'bash-input')
  if (shell !== null) return { name: '!', args: shell.trim() }
  const memory = textInTag(text, 'user-memory-input')
  if (memory !== null) return { name: '#', args: memory.trim() }
  const name = textInTag(text, 'command-name') ?? textInTag(text, 'command-message')
  if (name === null) return null
  return { name: name.trim(), args: (textInTag(text, 'command-args') ?? '').trim() }
}

/** A command on one line. */
export function commandLine({ name, args }: { readonly name: string; readonly args: string }): string {
  return name === '!' || name === '#' ? `${name}${args}` : `${name} ${args}`.trim()
}

/** What an editor or the client adds in front of a prompt: the open file, the selection, a reminder. */
const ADDED = /^\s*<(ide_[a-z_]+|system-reminder)>([\s\S]*?)(?:<\/\1>|$)/

/**
 * The beginning of a prompt as it was typed, on one line: a command without its tags, such as `/review 12` or `!ls`, and
 * a prompt without what the editor added. Of a text that is nothing else, the words of what was added.
 */
export function plainHead(head: string): string {
  return plainPrompt(head).replace(/\s+/g, ' ').trim()
}

/** The same of a whole text, with its lines. */
export function plainPrompt(text: string): string {
  const command = /^\s*<(?:command-|bash-input|user-memory)/.test(text) ? typedCommand(text) : null
  return (command === null ? (sentText(text) ?? withoutAdded(text)) : commandLine(command)).trim()
}

/** What nobody typed: a task that was due, or a message of another agent. Its tag has a name or a summary of it. */
const SENT = /^\s*<(scheduled-task|teammate-message|agent-message)\b([^>]*)>([\s\S]*?)(?:<\/\1>|$)/

function sentText(text: string): string | null {
  if (NOTICE.test(text)) return noticeText(text)
  const [, , attributes = '', words = ''] = SENT.exec(text) ?? []
  const name = /\b(?:summary|name)="([^"]*)"/.exec(attributes)?.[1] ?? ''
  if (words === '' && name === '') return null
  return name === '' ? words : `${name}: ${words.trim()}`
}

/** What the client sends where a task in the background ended. */
const NOTICE = /^\s*<(?:task|agent)-notification>/

/** Its summary; of a text that is cut off before it, the task. */
function noticeText(text: string): string {
  const summary = textInTag(text, 'summary')?.trim() ?? ''
  if (summary !== '') return summary
  const [task, status] = ['task-id', 'status'].map(tag => textInTag(text, tag)?.trim() ?? '')
  return ['Background task', task, status].filter(Boolean).join(' ')
}

function withoutAdded(text: string): string {
  const { added, rest } = splitAdded(text)
  return rest.trim() === '' ? (added[0]?.text ?? '') : rest
}

/** What an editor or the client added to a text. */
interface AddedText {
  /** Such as `ide_opened_file`. */
  readonly tag: string
  readonly text: string
}

/** A text, and what an editor or the client added in front of it. */
export function splitAdded(text: string): { readonly added: readonly AddedText[]; readonly rest: string } {
  const added: AddedText[] = []
  let rest = text
  for (let found = ADDED.exec(rest); found !== null; found = ADDED.exec(rest)) {
    added.push({ tag: found[1] ?? '', text: (found[2] ?? '').trim() })
    rest = rest.slice(found[0].length)
  }
  return { added, rest }
}
