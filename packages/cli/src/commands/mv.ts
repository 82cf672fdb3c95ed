/** `dagline mv`: moves the sessions of a project that was moved or renamed. */
import { UserError } from '@dagline/app'
import { plural } from '@dagline/core/format'
import { type AddCommand, DRY_RUN, defineCommand, flag, YES } from '../command.js'
import type { Console } from '../console.js'
import { ask } from '../output.js'
import { planFacts, planLines } from '../print/move.js'
import { canAsk } from '../terminal.js'

export const mvCommand: AddCommand = defineCommand({
  usage: 'mv <old> <new>',
  description: 'Move the sessions of a project that was moved or renamed, so that Claude Code finds them.',
  options: {
    deep: flag('--deep', 'also change paths in tool calls, tool results and summaries'),
    config: flag(
      '--config',
      'also change the project in .claude.json (trust, allowed tools); exit Claude Code first',
    ),
    dryRun: DRY_RUN,
    yes: YES,
  },
  examples: [
    'dagline mv /home/dev/shop /home/dev/store --dry-run',
    'dagline mv /home/dev/shop /home/dev/store',
    'dagline mv /home/dev /home/ada --yes --config',
  ],
  notes: `
Renames the folder in projects/, and those of all folders below it. In rows it changes the fields
that hold paths: working directories, worktrees, files that a rewind restores, and the history of
prompts. /a/b does not match /a/bc. Texts of the conversation stay as they were sent unless --deep is
given. If it is interrupted, run the same command again; \`dagline undo\` restores every byte.
`,
  run: async (console, [old = '', next = ''], { yes, ...options }) => {
    const { edit } = console.history
    const planned = await edit.planMove(old, next, options)
    const { from, to, roots } = planned
    if (!console.options.json) for (const plan of roots) await console.print(planLines(console, plan))
    const isMade = !options.dryRun && (yes || (await isConfirmed(console)))
    if (isMade) {
      const { moved, rows } = await edit.move(planned)
      console.note(
        `Moved ${plural(moved, 'file')} and changed ${plural(rows, 'row')}. Run \`dagline undo\` to undo it.`,
      )
    }
    if (console.options.json)
      await console.printJson('mv', { from, to, made: isMade, roots: { list: roots.map(planFacts) } })
  },
})

async function isConfirmed(console: Console): Promise<boolean> {
  if (!canAsk(console))
    throw new UserError(
      'Nothing was changed: there is no terminal to ask on. Use --yes to make the move, or --dry-run to preview it.',
    )
  const isAgreed = await ask('Make this move? A backup is kept for `dagline undo`.', 'no')
  if (!isAgreed) console.note('Nothing was changed.')
  return isAgreed
}
