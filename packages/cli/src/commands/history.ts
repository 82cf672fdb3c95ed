/** `dagline history`: the edits, and which of them can be undone. */
import { type AddCommand, defineCommand } from '../command.js'
import { historyFacts, historyLines } from '../print/edit.js'

export const historyCommand: AddCommand = defineCommand({
  usage: 'history',
  description: 'List edits, and which of them can be undone.',
  examples: ['dagline history', "dagline history --json | jq '.edits[-1]'"],
  run: async console => {
    const edits = await console.history.edit.list()
    if (console.options.json) await console.printJson('history', historyFacts(edits))
    else if (edits.length === 0) await console.print(['There are no edits yet.'])
    else await console.print(historyLines(console, edits))
  },
})
