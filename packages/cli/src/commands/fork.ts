/** `dagline fork`: a session with all its branches that goes on from an earlier point. */
import type { EditOptions } from '@dagline/app'
import type { Command } from 'commander'
import { type Action, command, editOptions, finish, withEditOptions } from '../command.js'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** Adds `dagline fork`. */
export function addFork(program: Command): void {
  const made = withEditOptions(
    command(
      program,
      'fork <ref|session>',
      'Copy a session up to a point, with all branches, to continue from there.',
    ),
  )
  const act: Action = async (console, [ref = ''], options) => {
    await fork(console, ref, editOptions(options))
  }
  finish(made, act, ['dagline fork 79cad093', 'dagline fork latest --title "second try"'])
}

/** Copies a session up to a point, its branches included. */
async function fork(console: Console, ref: string, options: EditOptions): Promise<void> {
  await printReports(console, [await console.history.edit.fork(ref, options)])
}
