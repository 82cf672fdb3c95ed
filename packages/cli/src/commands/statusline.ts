/** `dagline statusline`: a status line for Claude Code. */
import { type AddCommand, defineCommand, INDEX, text } from '../command.js'
import { printStatusLine } from '../statusline.js'

const NOTES = `
Put this into ~/.claude/settings.json:

  "statusLine": { "type": "command", "command": "dagline statusline" }

The line shows the model, how full the context window is, what the session cost with all its subagents and
branches, what was spent today and in the current window of five hours, the git branch, and how many
branches of the session were abandoned. Costs are measured in the background.
`

export const statuslineCommand: AddCommand = defineCommand({
  usage: 'statusline',
  description:
    'Print a status line for Claude Code: context, and the cost of the session, today and in five hours.',
  options: {
    index: INDEX,
    measure: text('--measure <session>', 'measure the costs of a session now, and print nothing'),
  },
  examples: ['dagline statusline < status.json', 'dagline statusline --measure 019c5be1'],
  notes: NOTES,
  isText: true,
  isEverywhere: true,
  run: async (console, _, { measure, index }) => {
    if (measure === null) await printStatusLine()
    else await console.history.measureStatus(measure, { index })
  },
})
