/** `dagline checkout`: any point of the graph becomes a session that can be resumed. */
import type { CheckoutOptions } from '@dagline/app'
import type { Command } from 'commander'
import { type Action, command, editOptions, finish, textIn, withEditOptions } from '../command.js'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** Adds `dagline checkout`. */
export function addCheckout(program: Command): void {
  const made = withEditOptions(
    command(
      program,
      'checkout <ref|session>',
      'Turn any point into a session to resume: a branch, a message, before a compaction, a subagent.',
    ),
  ).option('--at <date>', 'the session as it was at this time: 2026-03-01, 2026-03-01T10:00')
  const act: Action = async (console, [ref = ''], options) => {
    await checkout(console, ref, { ...editOptions(options), at: textIn(options, 'at') })
  }
  finish(made, act, [
    'dagline checkout a2a9607f@7e083490',
    'dagline checkout 79cad093',
    'dagline checkout 4539d2d0 --at 2026-03-01T10:00',
    "dagline checkout '4539d2d0#agent-a0fa6aa9'",
    'dagline checkout 79cad093 --json | jq -r .resume',
  ])
}

/** Makes a session of the conversation up to a point. It asks nothing: what is there stays as it is. */
async function checkout(console: Console, ref: string, options: CheckoutOptions): Promise<void> {
  await printReports(console, [await console.history.edit.checkout(ref, options)])
}
