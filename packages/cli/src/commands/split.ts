/** `dagline split`: a conversation as two sessions. */
import type { SplitOptions } from '@dagline/app'
import type { Command } from 'commander'
import { type Action, command, editOptions, finish, textIn, withEditOptions } from '../command.js'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** Adds `dagline split`. */
export function addSplit(program: Command): void {
  const made = withEditOptions(
    command(program, 'split <session>', 'Split a session in two before the turn of an entry.'),
  ).requiredOption('--at <ref>', 'start the second session with the prompt of this entry')
  const act: Action = async (console, [session = ''], options) => {
    await split(console, session, { ...editOptions(options), at: textIn(options, 'at') ?? '' })
  }
  finish(made, act, [
    'dagline split latest --at 79cad093',
    'dagline split 4539d2d0 --at 79ca --json | jq .parts',
  ])
}

/** Makes two sessions of one, cut before the turn of an entry. */
async function split(console: Console, session: string, options: SplitOptions): Promise<void> {
  await printReports(console, await console.history.edit.split(session, options))
}
