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
    'dagline pick 7e083490 --onto latest',
    'dagline pick 7e083490 a3627c41 --onto 79cad093 --title "both ideas"',
    'dagline pick a2a9607f@7e083490 --onto a2a9607f',
  ],
  notes: `
The id of an entry stands for its whole turn, the id of a branch for all turns of the branch. The
turns are appended in the order in which they are named.
`,
  run: async (console, refs, options) =>
    await printReports(console, [await console.history.edit.pick(refs, options)]),
})
