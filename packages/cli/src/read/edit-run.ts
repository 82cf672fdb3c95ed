/** Writing a plan and telling what came of it: what all editing commands end with. */
import { randomUUID } from 'node:crypto'
import type { EditMake, EditPlan, FileRecord } from '@dagline/core'
import { type Edit, type Tried, tryEdit, UnprovedEdit, writeEdit } from '@dagline/store'
import { type Console, Refusal } from '../console.js'
import { type EditReport, editFacts, editLines, type Told } from '../print/edit.js'
import { bytes } from '../print/figures.js'
import { jsonLines } from '../print/json.js'
import type { EditedProject } from './edit.js'
import { below, type EditWishes, editOf, resumeCommand, targetOf } from './edit-target.js'
import { inStore } from './in-store.js'
import { prove } from './prover.js'
import { refuseUnread } from './unreadable.js'

/** An id for a new session, and the time. */
export function makeSession({ title }: EditWishes): EditMake {
  return { session: randomUUID(), now: Date.now(), title }
}

/** A plan, or the refusal that the core gave instead of one. */
export function planned<T>(plan: T | string): T {
  if (typeof plan === 'string') throw new Refusal(plan)
  return plan
}

/** A plan, and what it was made from. */
export interface PlannedEdit {
  readonly project: EditedProject
  readonly plan: EditPlan
  readonly file: FileRecord
  /** What a resume of the source reaches. */
  readonly before: number
}

/** An edit that is ready to be written. It holds no graph: those of large sessions are let go before the rows are read. */
export interface ReadyEdit {
  readonly edit: Edit
  readonly before: number
  /** Below the root that it will be in. */
  readonly file: string
  readonly resume: string
}

/** Says where a plan goes, and what comes along. */
export function readyEdit(console: Console, made: PlannedEdit, { out }: EditWishes): ReadyEdit {
  const { project, plan, file, before } = made
  refuseUnread(console, project.loaded)
  const target = targetOf(project.loaded, file, plan.session, { out, console })
  const resume = resumeCommand(plan.session, target, file)
  return { edit: editOf(plan, project.loaded, target, file), before, file: below(target), resume }
}

/** Writes an edit, or with `--dry-run` only checks it, and says what came of it. */
export function carryOut(console: Console, ready: ReadyEdit, { dryRun }: EditWishes): Promise<EditReport> {
  return inStore(() => attempt(console, ready, dryRun ? 'check' : 'write'))
}

/** Writes an edit or only checks it. Throws `StoreFailure`: `UnprovedEdit` where the result is not what was promised. */
export async function attempt(
  console: Console,
  { edit, before, file, resume }: ReadyEdit,
  what: 'check' | 'write',
): Promise<EditReport> {
  const { plan, target: path } = edit
  const size = plan.rows.length.reduce((sum, length) => sum + length, 0)
  if (size > LONG)
    console.progress(`${what === 'check' ? 'checking' : 'writing and checking'} ${bytes(size)}`)
  try {
    const written = what === 'check' ? { ...tried(edit), number: null } : await writeEdit(edit, prove)
    const { saved, live, gone, number } = written
    return { plan, file, path, resume, saved, live, gone, reach: { before, after: live.length }, number }
  } finally {
    if (size > LONG) console.progress(null)
  }
}

/** Bytes that take longer than a moment. */
const LONG = 10_000_000

function tried(edit: Edit): Tried {
  const result = tryEdit(edit)
  if (result.fault !== null) throw new UnprovedEdit(edit.plan, result.fault, result.isLess)
  return result
}

/** Prints what was done; what was changed only where it was not shown before the question. */
export async function tell(
  console: Console,
  reports: readonly EditReport[],
  what: Told = 'all',
): Promise<void> {
  const isJson = console.options.json
  await console.print(isJson ? jsonLines(editFacts(reports)) : editLines(console, reports, what))
}
