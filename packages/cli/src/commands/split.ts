/** `dagline split`: a conversation as two sessions. */
import { type AddCommand, defineCommand, EDIT_OPTIONS, requiredText } from '../command.js'
import { shared } from '../options.js'
import { printReports } from '../print/edit.js'

export const splitCommand: AddCommand = defineCommand({
  usage: 'split <session>',
  description: 'Split a session in two before the turn of an entry.',
  options: {
    ...EDIT_OPTIONS,
    at: requiredText(...shared('at', ': the second one begins with the prompt of this entry')),
  },
  examples: ['dagline split f65205e5 --at e6dd680c', 'dagline split f65205e5 --at e6dd --json | jq .parts'],
  run: async (console, [session = ''], options) =>
    await printReports(console, await console.history.edit.split(session, options)),
})
