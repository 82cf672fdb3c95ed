/** `dagline checkout`: any point of the graph becomes a session that can be resumed. */
import { type AddCommand, defineCommand, EDIT_OPTIONS, text } from '../command.js'
import { printReports } from '../print/edit.js'

export const checkoutCommand: AddCommand = defineCommand({
  usage: 'checkout <ref|session>',
  description:
    'Turn any point into a session to resume: a branch, a message, before a compaction, a subagent.',
  options: {
    ...EDIT_OPTIONS,
    asOf: text('--as-of <date>', 'the session as it was at this time: 2026-03-01, 2026-03-01T10:00'),
  },
  examples: [
    'dagline checkout a2a9607f@7e083490',
    'dagline checkout 79cad093',
    'dagline checkout 4539d2d0 --as-of 2026-03-01T10:00',
    "dagline checkout '4539d2d0#agent-a0fa6aa9'",
    'dagline checkout 79cad093 --json | jq -r .resume',
  ],
  // Nothing is asked: the original stays as it is.
  run: async (console, [ref = ''], { asOf: at, ...options }) =>
    await printReports(console, [await console.history.edit.checkout(ref, { ...options, at })]),
})
