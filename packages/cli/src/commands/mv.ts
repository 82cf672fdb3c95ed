/** `dagline mv`: a project was moved or renamed, and its sessions go along. */

import {
  adviceFor,
  inStore,
  jsonLines,
  type MovePlan,
  type MovePlanOptions,
  makeMove,
  plainPath,
  plansFor,
  refuseOdd,
  refuseRunning,
  StoreError,
  sumMoves,
  UserError,
  undoEdit,
} from '@dagline/app'
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

interface MvOptions {
  readonly deep: boolean
  readonly config: boolean
  readonly yes: boolean
  readonly dryRun: boolean
}

/** Shows what a move would change, asks, and makes it. */
async function mv(console: Console, words: readonly string[], options: MvOptions): Promise<void> {
  const [old, next, more] = words
  if (old === undefined || next === undefined || more !== undefined)
    throw new UserError('Say from where to where: dagline mv OLD NEW.')
  const wishes: MovePlanOptions = {
    from: plainPath(old),
    to: plainPath(next),
    deep: options.deep,
    config: options.config,
  }
  refuseOdd(wishes)
  const plans = await inStore(() => plansFor(wishes, console))
  if (plans.every(({ files, clashes }) => files.length + clashes.length === 0))
    return nothingThere(plans, wishes)
  for (const plan of plans) mindBusy(console, plan, options)
  const advice = adviceFor(wishes)
  if (advice !== null) console.note(advice)
  if (!console.options.json) for (const plan of plans) await console.print(planLines(console, plan))
  const isMade = !options.dryRun && (options.yes || (await agreed(console)))
  if (isMade) makeAll(console, plans)
  if (console.options.json)
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['from', wishes.from],
        ['to', wishes.to],
        ['made', isMade],
        ['roots', { list: plans.map(planFacts) }],
      ]),
    )
}

/** What stands in the way is refused; where the move is only shown it is said beside. */
function mindBusy(console: Console, plan: MovePlan, { dryRun }: MvOptions): void {
  try {
    refuseRunning(plan, Date.now())
  } catch (error) {
    if (!dryRun || !(error instanceof UserError)) throw error
    console.note(error.message)
  }
}

function nothingThere(plans: readonly MovePlan[], { from }: MovePlanOptions): never {
  const isInConfig = plans.some(({ left }) => left.some(({ why }) => why === 'config'))
  throw new UserError(
    isInConfig
      ? `Only .claude.json knows ${from}: --config moves its entry.`
      : `Nothing that Claude Code keeps holds ${from}: \`dagline ls\` lists the projects with their paths.`,
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

/** Makes the move in all roots; one `undo` takes it back in all of them. */
function makeAll(console: Console, plans: readonly MovePlan[]): void {
  let first: number | null = null
  for (const plan of plans) {
    const number = makeOrUndo(console, plan, first)
    first ??= number
  }
  const { moved, rows } = sumMoves(plans.flatMap(({ files }) => files))
  console.note(
    `Done: ${plural(moved, 'file')} moved, ${plural(rows, 'row')} changed. \`dagline undo\` takes it back.`,
  )
}

/** Where the move cannot be made in one root, it is taken back in those before. */
function makeOrUndo(console: Console, plan: MovePlan, first: number | null): number {
  try {
    return make(console, plan, first)
  } catch (error) {
    if (first !== null) undoEdit(first, Date.now())
    throw error
  }
}

function make(console: Console, plan: MovePlan, first: number | null): number {
  let done = 0
  const tell = (): void => {
    done++
    console.progress(`moving: ${done} of ${plural(plan.files.length, 'file')}`)
  }
  try {
    return makeMove(plan, Date.now(), first === null ? { tell } : { tell, with: first })
  } catch (error) {
    throw error instanceof StoreError ? new UserError(error.message) : error
  } finally {
    console.progress(null)
  }
}
