/** `dagline split`: a conversation as two sessions. */
import { type AddCommand, defineCommand, EDIT_OPTIONS, requiredText } from '../command.js'
import { printReports } from '../print/edit.js'

export const splitCommand: AddCommand = defineCommand({
  usage: 'split <session>',
  description: 'Split a session in two before the turn of an entry.',
  options: {
    ...EDIT_OPTIONS,
    at: requiredText('--at <ref>', 'start the second session with the prompt of this entry'),
  },
  examples: ['dagline split latest --at 79cad093', 'dagline split 4539d2d0 --at 79ca --json | jq .parts'],
  run: async (console, [session = ''], options) =>
    await printReports(console, await console.history.edit.split(session, options)),
})
