/** `dagline mcp`: the Model Context Protocol server, for Claude Code and other clients. */
import { serveMcp } from '@dagline/mcp'
import { type AddCommand, defineCommand, flag, INDEX } from '../command.js'
import { reportError } from '../report.js'

export const mcpCommand: AddCommand = defineCommand({
  usage: 'mcp',
  description: 'Serve the history to Claude over the Model Context Protocol (stdio). Read-only.',
  options: { index: INDEX, redact: flag('--no-redact', 'do not replace secrets in answers') },
  notes: `
Tools: search, list_sessions, get_conversation, list_branches, lessons, explain, before_compaction,
files_touched, blame, usage, doctor.
Answers are short, name entries by REFs that other commands take, and mark words of transcripts as data.
"dagline serve" offers the same tools over HTTP, at /mcp.`,
  examples: ['claude mcp add dagline -- dagline mcp', 'dagline mcp --root ~/backup/projects'],
  run: async (console, _words, { index, redact }) =>
    await serveMcp({
      roots: console.roots,
      index,
      here: console.here,
      session: process.env['CLAUDE_CODE_SESSION_ID'] || null,
      isRedacted: redact,
      report: error => void reportError(error),
    }),
})
