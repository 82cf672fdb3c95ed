/** `dagline checkout`: any point of the graph becomes a session that can be resumed. */
import { type AddCommand, defineCommand, EDIT_OPTIONS, text } from '../command.js'
import { printReports } from '../print/edit.js'

export const checkoutCommand: AddCommand = defineCommand({
  usage: 'checkout <ref|session>',
  description:
    'Turn any point into a session to resume: a branch, a message, before a compaction, a subagent.',
  options: {
    ...EDIT_OPTIONS,
    asOf: text('--as-of <date>', 'the session as it was at this time: 2026-11-13, 2026-11-13T09:20'),
  },
  examples: [
    'dagline checkout 019c5be1@07e8e1e4',
    'dagline checkout cf76f1da',
    'dagline checkout 019c5be1 --as-of 2026-11-13T09:20',
    "dagline checkout '019c5be1#agent-a238b026'",
    'dagline checkout cf76f1da --json | jq -r .resume',
  ],
  // Nothing is asked: the original stays as it is.
  run: async (console, [ref = ''], { asOf: at, ...options }) =>
    await printReports(console, [await console.history.edit.checkout(ref, { ...options, at })]),
})
