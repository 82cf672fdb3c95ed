/** `dagline pick`: turns of one branch at the end of another. */
import { type AddCommand, defineCommand, EDIT_OPTIONS, requiredText } from '../command.js'
import { printReports } from '../print/edit.js'

export const pickCommand: AddCommand = defineCommand({
  usage: 'pick <ref...>',
  description: 'Append turns of one branch to the end of another, with all their tool calls.',
  options: {
    ...EDIT_OPTIONS,
    onto: requiredText('--onto <ref>', 'where to append the turns: an entry, a branch or a session'),
  },
  examples: [
    'dagline pick 07e8e1e4 --onto latest',
    'dagline pick 07e8e1e4 469ecd56 --onto cf76f1da --title "both ideas"',
    'dagline pick 019c5be1@07e8e1e4 --onto 019c5be1',
  ],
  notes: `
The id of an entry stands for its whole turn, the id of a branch for all turns of the branch. The
turns are appended in the order in which they are named.
`,
  run: async (console, refs, options) =>
    await printReports(console, [await console.history.edit.pick(refs, options)]),
})
