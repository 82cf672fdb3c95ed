/** `dagline trim`: a lighter copy of a session. */
import { trimsNothing } from '@dagline/core/edit'
import { type AddCommand, defineCommand, EDIT_OPTIONS, flag, wholeNumber } from '../command.js'
import { printReports } from '../print/edit.js'

export const trimCommand: AddCommand = defineCommand({
  usage: 'trim <session>',
  description: 'Copy a session with less in it: shorter outputs, no images, no thinking.',
  options: {
    ...EDIT_OPTIONS,
    outputs: wholeNumber('--outputs <chars>', 'shorten tool results to this many characters', {
      default: null,
    }),
    images: flag('--images', 'omit images'),
    thinking: flag('--thinking', 'omit thinking, except in the last turn'),
    progress: flag('--progress', 'omit progress entries'),
  },
  examples: [
    'dagline trim latest --outputs 2000',
    'dagline trim 019c5be1 --images --thinking --dry-run',
    'dagline trim 019c5be1 --outputs 500 --json | jq .saved',
  ],
  run: async (console, [session = ''], options) => {
    const report = await console.history.edit.trim(session, options)
    if (console.options.json || !trimsNothing(report.plan, report.saved))
      await printReports(console, [report])
    else await console.print([`Nothing was written. ${session} has nothing that these options omit.`])
  },
})
