/** `dagline mv`: a project was moved or renamed, and its sessions go along. */
import { createInterface } from 'node:readline/promises'
import { type MovePlan, type MoveWishes, makeMove, StoreFailure } from '@dagline/store'
import { type Console, Refusal } from '../console.js'
import { count } from '../print/figures.js'
import { jsonLines } from '../print/json.js'
import { planFacts, planLines } from '../print/move.js'
import { adviceFor, plainPath, plansFor, refuseBusy, refuseOdd, sumMoves } from '../read/moving.js'

export interface MvOptions {
  readonly deep: boolean
  readonly config: boolean
  readonly yes: boolean
  readonly dryRun: boolean
}

/** Shows what a move would change, asks, and makes it. */
export async function mv(console: Console, words: readonly string[], options: MvOptions): Promise<void> {
  const [old, next, more] = words
  if (old === undefined || next === undefined || more !== undefined)
    throw new Refusal('Say from where to where: dagline mv OLD NEW.')
  const wishes: MoveWishes = {
    from: plainPath(old),
    to: plainPath(next),
    deep: options.deep,
    config: options.config,
  }
  refuseOdd(wishes)
  const plans = plansFor(wishes, console)
  if (plans.every(({ files, clashes }) => files.length + clashes.length === 0))
    return nothingThere(plans, wishes)
  for (const plan of plans) refuseBusy(plan, Date.now())
  const advice = adviceFor(wishes)
  if (advice !== null) console.note(advice)
  if (!console.options.json) for (const plan of plans) await console.print(planLines(console, plan))
  const isMade = !options.dryRun && (options.yes || (await agreed(console)))
  if (isMade) for (const plan of plans) make(console, plan)
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

function nothingThere(plans: readonly MovePlan[], { from }: MoveWishes): never {
  const isInConfig = plans.some(({ left }) => left.some(({ why }) => why === 'config'))
  throw new Refusal(
    isInConfig
      ? `Only .claude.json knows ${from}: --config moves its entry.`
      : `Nothing that Claude Code keeps holds ${from}: \`dagline ls\` lists the projects with their paths.`,
  )
}

/** Asks on a terminal; elsewhere the word must have been given. */
async function agreed(console: Console): Promise<boolean> {
  if (!console.isTerminal || process.stdin.isTTY !== true || console.options.json)
    throw new Refusal('Nothing was changed: --yes makes the move, --dry-run only shows it.')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const word = await lines.question('Make this move? A backup is kept for `dagline undo`. [y/N] ')
    return /^y(es)?$/i.test(word.trim())
  } finally {
    lines.close()
  }
}

function make(console: Console, plan: MovePlan): void {
  let done = 0
  try {
    makeMove(plan, Date.now(), () => {
      done++
      console.progress(`moving: ${done} of ${count(plan.files.length, 'file')}`)
    })
  } catch (error) {
    throw error instanceof StoreFailure ? new Refusal(error.message) : error
  } finally {
    console.progress(null)
  }
  const { moved, rows } = sumMoves(plan.files)
  console.note(
    `Done: ${count(moved, 'file')} moved, ${count(rows, 'row')} changed. \`dagline undo\` takes it back.`,
  )
}
