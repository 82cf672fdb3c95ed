/** `dagline undo`: takes an edit back. */

import { jsonLines, UserError } from '@dagline/app'
import { plural } from '@dagline/core/format'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { historyFacts } from '../print/edit.js'

/** Adds `dagline undo`. */
export function addUndo(program: Command): void {
  const made = command(
    program,
    'undo [number]',
    'Undo the last edit, or the one with this number in "dagline history".',
  )
  const act: Action = async (console, [number]) => {
    await undo(console, number)
  }
  finish(made, act, ['dagline undo', 'dagline undo 3'])
}

/** Takes the last edit back, or the one with a number. */
async function undo(console: Console, word: string | undefined): Promise<void> {
  const edit = await console.history.edit.undo(numberOf(word))
  if (console.options.json) {
    await console.print(jsonLines(historyFacts([{ ...edit, state: 'undone' }])))
    return
  }
  const replaced = edit.files.filter(({ backup }) => backup !== null)
  const made = edit.files.length - replaced.length
  const moved = edit.move?.files.length ?? 0
  const what = [
    ...(moved > 0 ? [`${plural(moved, 'file')} back in place, byte for byte`] : []),
    ...(replaced.length > 0 ? [`${plural(replaced.length, 'file')} put back as it was`] : []),
    ...(made > 0 ? [`${plural(made, 'file')} removed`] : []),
  ].join(', ')
  await console.print([
    `Took back edit ${edit.number} (${edit.command} of ${edit.move?.from ?? edit.from}): ${what}.`,
  ])
}

function numberOf(word: string | undefined): number | null {
  if (word === undefined) return null
  if (!/^\d{1,9}$/.test(word))
    throw new UserError(`${word} is not the number of an edit. Run \`dagline history\` to list them.`)
  return Number(word)
}
