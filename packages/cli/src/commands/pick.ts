/** `dagline pick`: turns of one branch at the end of another. */
import type { PickOptions } from '@dagline/app'
import type { Command } from 'commander'
import { type Action, command, editOptions, finish, textIn, withEditOptions } from '../command.js'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** Adds `dagline pick`. */
export function addPick(program: Command): void {
  const made = withEditOptions(
    command(
      program,
      'pick <ref...>',
      'Append turns of one branch to the end of another, with all their tool calls.',
    ),
  ).requiredOption('--onto <ref>', 'where to append the turns: an entry, a branch or a session')
  const act: Action = async (console, refs, options) => {
    await pick(console, refs, { ...editOptions(options), onto: textIn(options, 'onto') ?? '' })
  }
  finish(
    made,
    act,
    [
      'dagline pick 7e083490 --onto latest',
      'dagline pick 7e083490 a3627c41 --onto 79cad093 --title "both ideas"',
      'dagline pick a2a9607f@7e083490 --onto a2a9607f',
    ],
    PICK_WORDS,
  )
}

const PICK_WORDS = `
The id of an entry means its whole turn, that of a branch all turns of it. They stand behind the point
in the order in which they are named.
`

/** Makes a session of the conversation at a point and the turns that were picked. */
async function pick(console: Console, refs: readonly string[], options: PickOptions): Promise<void> {
  await printReports(console, [await console.history.edit.pick(refs, options)])
}
