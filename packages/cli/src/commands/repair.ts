/** `dagline repair`: a session that a resume reaches all of. */
import { FAULT_KINDS, planRepair, REPAIR_KINDS, type RepairKind } from '@dagline/core'
import { type Console, Refusal } from '../console.js'
import { changeLines, type EditReport } from '../print/edit.js'
import { count, grouped, shortId } from '../print/figures.js'
import { jsonLines } from '../print/json.js'
import { ask, canAsk } from '../read/ask.js'
import { type EditedSession, openEditedSession } from '../read/edit.js'
import { reachAfter, reachNow } from '../read/edit-reach.js'
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
  refuseMixed(wishes)
  const ready = await prepare(console, word, wishes, only)
  if (ready === null) return
  const isAsked = !wishes.dryRun && !wishes.yes
  if (isAsked && !(await isAgreed(console, ready, wishes))) return console.note('Nothing was written.')
  const report = await carryOut(console, ready, wishes)
  const told = only.length === 0 ? report : { ...report, reach: reachOfSome(console, ready, report) }
  await tell(console, [told], isAsked ? 'changes-were-shown' : 'all')
}

function refuseMixed({ inPlace, out, snapshot }: RepairOptions): void {
  if (inPlace && out !== null)
    throw new Refusal('--in-place mends the session where it is: leave --out away, or leave --in-place away.')
  // Whoever has the file open would go on writing into the one that was replaced, and nobody would ever read that.
  if (inPlace && snapshot)
    throw new Refusal('A session that is in use can be copied, not mended in place: leave --in-place away.')
}

/** Where only some faults were mended the others may still cut the conversation. */
function reachOfSome(console: Console, { edit }: ReadyEdit, report: EditReport): EditReport['reach'] {
  return { ...report.reach, after: reachAfter(console, edit, report) }
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
  const before = reachNow(edited)
  if (plan !== null) return readyEdit(console, { project: edited, plan, file, before }, wishes)
  await nothingToDo(console, edited, before)
  return null
}

function kindOf(text: string): RepairKind {
  const kind = REPAIR_KINDS.find(known => known === text)
  if (kind !== undefined) return kind
  const other = FAULT_KINDS.find(({ id }) => id === text)
  if (other?.fix != null && !other.fix.startsWith('dagline repair'))
    throw new Refusal(`${text} is nothing that repair mends: \`${other.fix}\` is for that.`)
  throw new Refusal(`There is no kind of fault ${text}: give one of ${REPAIR_KINDS.join(', ')}.`)
}

async function nothingToDo(
  console: Console,
  { session, file, source }: EditedSession,
  before: number,
): Promise<void> {
  const live = source.graph.live(file.facts.path).map(node => source.graph.id(node))
  if (!console.options.json) {
    await console.print([`Nothing to do: ${session} has no fault that repair mends.`])
    if (before < live.length)
      console.note(
        `A resume reaches ${grouped(before)} of ${count(live.length, 'message')}, though: \`dagline checkout ${shortId(session)}\` makes a session that has all of them, \`dagline doctor ${shortId(session)}\` says why.`,
      )
    return
  }
  await console.print(
    jsonLines([
      ['dagline', 1],
      ['session', session],
      ['file', file.facts.path],
      ['from', { session, node: null }],
      ['live', live],
      ['changes', []],
      ['reach', { before, after: before }],
      ['resume', `claude --resume ${session}`],
      ['edit', null],
    ]),
  )
}

/** Shows what will be done and asks; without a terminal `--yes` answers. */
async function isAgreed(
  console: Console,
  ready: ReadyEdit,
  { inPlace, only }: RepairOptions,
): Promise<boolean> {
  if (!canAsk(console))
    throw new Refusal('There is nobody to ask: --yes writes it, --dry-run shows what would be done.')
  const { plan } = ready.edit
  await console.print(changeLines(console, plan.changes))
  const after = only.length > 0 ? '' : `, and ${grouped(plan.promise.length)} after this`
  console.note(`A resume reaches ${count(ready.before, 'message')} today${after}.`)
  return inPlace
    ? await ask('Mend the session in place? Its original is kept, `dagline undo` gives it back.', 'no')
    : await ask('Write a repaired copy? The original stays as it is.', 'yes')
}
