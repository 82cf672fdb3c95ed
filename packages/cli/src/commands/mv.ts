/** `dagline mv`: a project was moved or renamed, and its sessions go along. */

import { jsonLines, type MoveOptions, UserError } from '@dagline/app'
import { plural } from '@dagline/core/format'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { planFacts, planLines } from '../print/move.js'
import { ask, canAsk } from '../terminal/ask.js'

/** Adds `dagline mv`. */
export function addMv(program: Command): void {
  const made = command(
    program,
    'mv <old> <new>',
    'Move the sessions of a project that was moved or renamed, so that Claude Code finds them.',
  )
    .option('--deep', 'also change paths in tool calls, tool results and summaries')
    .option(
      '--config',
      'also change the project in .claude.json (trust, allowed tools); exit Claude Code first',
    )
    .option('-n, --dry-run', 'show what would change, but write nothing')
    .option('-y, --yes', 'do not ask for confirmation')
  const act: Action = async (console, words, options) => {
    await mv(console, words, {
      deep: options['deep'] === true,
      config: options['config'] === true,
      yes: options['yes'] === true,
      dryRun: options['dryRun'] === true,
    })
  }
  finish(
    made,
    act,
    [
      'dagline mv ~/code/shop ~/projects/shop --dry-run',
      'dagline mv ~/code/shop ~/projects/shop',
      'dagline mv /home/ann /home/anna --yes --config',
    ],
    MV_WORDS,
  )
}

const MV_WORDS = `
Renames the folder in projects/, and those of all folders below it. In rows it changes the fields
that hold paths: working directories, worktrees, files that a rewind restores, and the history of
prompts. /a/b does not match /a/bc. Texts of the conversation stay as they were sent unless --deep is
given. If it is interrupted, run the same command again; \`dagline undo\` restores every byte.
`

interface MvOptions extends MoveOptions {
  readonly yes: boolean
}

/** Shows what a move would change, asks, and makes it. */
async function mv(console: Console, words: readonly string[], options: MvOptions): Promise<void> {
  const [old, next, more] = words
  if (old === undefined || next === undefined || more !== undefined)
    throw new UserError('Say from where to where: dagline mv OLD NEW.')
  const { edit } = console.history
  const planned = await edit.planMove(old, next, options)
  const { from, to, roots } = planned
  if (!console.options.json) for (const plan of roots) await console.print(planLines(console, plan))
  const isMade = !options.dryRun && (options.yes || (await agreed(console)))
  if (isMade) {
    const { moved, rows } = await edit.move(planned)
    console.note(
      `Done: ${plural(moved, 'file')} moved, ${plural(rows, 'row')} changed. \`dagline undo\` takes it back.`,
    )
  }
  if (console.options.json)
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['from', from],
        ['to', to],
        ['made', isMade],
        ['roots', { list: roots.map(planFacts) }],
      ]),
    )
}

/** Asks on a terminal; elsewhere the word must have been given. */
async function agreed(console: Console): Promise<boolean> {
  if (!canAsk(console))
    throw new UserError('Nothing was changed: --yes makes the move, --dry-run only shows it.')
  const isAgreed = await ask('Make this move? A backup is kept for `dagline undo`.', 'no')
  if (!isAgreed) console.note('Nothing was changed.')
  return isAgreed
}
