/** The tags of texts that Claude Code itself writes into messages: commands, their output, notifications. */

export const COMMAND_TAGS: ReadonlySet<string> = new Set([
  'command-name',
  'command-message',
  'bash-input',
  'user-memory-input',
])

/** Errors of a command come after its output. */
export const OUTPUT_TAGS: ReadonlySet<string> = new Set([
  'local-command-stdout',
  'local-command-stderr',
  'bash-stdout',
  'bash-stderr',
])

export const NOTIFICATION_TAGS: ReadonlySet<string> = new Set([
  'task-notification',
  'agent-notification',
  'teammate-message',
  'agent-message',
  'scheduled-task',
  'ci-monitor-event',
])

/** Notifications that come from another agent; their tags have attributes. */
export const MESSAGE_TAGS: ReadonlySet<string> = new Set(['teammate-message', 'agent-message'])

/** The tag that a text begins with, with or without attributes; empty for none. */
export function firstTag(text: string): string {
  return text.startsWith('<') ? (/^<([\w-]+)[\s>]/.exec(text)?.[1] ?? '') : ''
}
