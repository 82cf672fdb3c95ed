/** `dagline fork`: a copy of a session up to a point, with all its branches. */
import { type AddCommand, defineCommand, EDIT_OPTIONS } from '../command.js'
import { printReports } from '../print/edit.js'

export const forkCommand: AddCommand = defineCommand({
  usage: 'fork <ref|session>',
  description: 'Copy a session up to a point, with all branches, to continue from there.',
  options: EDIT_OPTIONS,
  examples: ['dagline fork cf76f1da', 'dagline fork latest --title "second try"'],
  run: async (console, [ref = ''], options) =>
    await printReports(console, [await console.history.edit.fork(ref, options)]),
})
