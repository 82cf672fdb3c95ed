/** `dagline repair`: a session that a resume reaches all of. */
import { type EditPlan, planRepair, REPAIR_KINDS, type RepairKind } from '@dagline/core'
import { type Console, Refusal } from '../console.js'
import { changeLines } from '../print/edit.js'
import { jsonLines } from '../print/json.js'
import { type EditedSession, openEditedSession } from '../read/edit.js'
import { reachNow } from '../read/edit-reach.js'
import { carryOut, makeSession, type ReadyEdit, readyEdit, tell } from '../read/edit-run.js'
import { type EditWishes, refuseBusy } from '../read/edit-target.js'

/** What the command was told. */
export interface RepairOptions extends EditWishes {
  readonly only: readonly string[]
  readonly inPlace: boolean
  readonly yes: boolean
}

/** Mends a session: a new one beside it, or with `--in-place` the session itself. */
export async function repair(console: Console, word: string, wishes: RepairOptions): Promise<void> {
  const only = wishes.only.map(kindOf)
  if (wishes.inPlace && wishes.out !== null)
    throw new Refusal('--in-place mends the session where it is: leave --out away, or leave --in-place away.')
  const ready = await prepare(console, word, wishes, only)
  if (ready === null) return
  if (!wishes.dryRun && !(await isAgreed(console, ready.edit.plan, wishes)))
    return console.note('Nothing was written.')
  await tell(console, [await carryOut(ready, wishes)])
}

/** Reads the session and plans; null where there is nothing to mend, which is said. */
async function prepare(
  console: Console,
  word: string,
  wishes: RepairOptions,
  only: readonly RepairKind[],
): Promise<ReadyEdit | null> {
  const edited = openEditedSession(word, console)
  const { loaded, source, file } = edited
  await refuseBusy(loaded, file, wishes)
  const plan = planRepair(source, file, makeSession(wishes), { only, inPlace: wishes.inPlace })
  const before = reachNow(source, file)
  if (plan !== null) return readyEdit(console, { project: edited, plan, file, before }, wishes)
  await nothingToDo(console, edited, before)
  return null
}

function kindOf(text: string): RepairKind {
  const kind = REPAIR_KINDS.find(known => known === text)
  if (kind === undefined)
    throw new Refusal(`There is no kind of fault ${text}: give one of ${REPAIR_KINDS.join(', ')}.`)
  return kind
}

async function nothingToDo(
  console: Console,
  { session, file, source }: EditedSession,
  before: number,
): Promise<void> {
  const live = source.graph.live(file.facts.path).map(node => source.graph.id(node))
  if (!console.options.json)
    return await console.print([`Nothing to do: ${session} has no fault that repair mends.`])
  await console.print(
    jsonLines([
      ['dagline', 1],
      ['session', session],
      ['file', file.facts.path],
      ['from', { session, node: null }],
      ['live', live],
      ['changes', []],
      ['reach', { before, after: live.length }],
      ['resume', `claude --resume ${session}`],
      ['edit', null],
    ]),
  )
}

/** Shows what will be done and asks; without a terminal `--yes` answers. */
async function isAgreed(console: Console, plan: EditPlan, { yes, inPlace }: RepairOptions): Promise<boolean> {
  if (yes) return true
  if (!console.isTerminal || process.stdin.isTTY !== true)
    throw new Refusal('There is nobody to ask: --yes writes it, --dry-run shows what would be done.')
  await console.print(changeLines(console, plan.changes))
  const { confirm } = await import('@clack/prompts')
  const message = inPlace
    ? 'Mend the session in place? Its original is kept, `dagline undo` gives it back.'
    : 'Write a repaired copy? The original stays as it is.'
  return (await confirm({ message })) === true
}
