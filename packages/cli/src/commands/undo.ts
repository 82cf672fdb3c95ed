/** `dagline undo`: restores what was there before an edit. */
import { type EditRecord, editName, UserError, undoneText } from '@dagline/app'
import { type AddCommand, defineCommand } from '../command.js'
import { historyFacts } from '../print/edit.js'

export const undoCommand: AddCommand = defineCommand({
  usage: 'undo [number]',
  description: 'Undo the last edit, or the one with this number in "dagline history".',
  examples: ['dagline undo', 'dagline undo 3'],
  run: async (console, [number]) => {
    const edit = await console.history.edit.undo(number === undefined ? null : numberOf(number))
    if (console.options.json) await console.printJson('undo', historyFacts([{ ...edit, state: 'undone' }]))
    else await console.print([undone(edit)])
  },
})

function numberOf(word: string): number {
  if (/^\d{1,9}$/.test(word)) return Number(word)
  throw new UserError(`${word} is not the number of an edit. Run \`dagline history\` to list them.`)
}

function undone(edit: EditRecord): string {
  return `Undid ${editName(edit)}: ${undoneText(edit)}.`
}
