/** `dagline undo`: restores what was there before an edit. */
import { type EditRecord, UserError } from '@dagline/app'
import { plural } from '@dagline/core/format'
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

function undone({ number, command, from, files, move }: EditRecord): string {
  const restored = files.filter(({ backup }) => backup !== null).length
  const removed = files.length - restored
  const moved = move?.files.length ?? 0
  const parts = [
    ...(moved > 0 ? [`${plural(moved, 'file')} moved back, byte for byte`] : []),
    ...(restored > 0 ? [`${plural(restored, 'file')} restored`] : []),
    ...(removed > 0 ? [`${plural(removed, 'file')} removed`] : []),
  ]
  return `Undid edit ${number} (${command} of ${move?.from ?? from}): ${parts.join(', ')}.`
}
