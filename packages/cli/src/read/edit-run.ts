/** Writing a plan and telling what came of it: what all editing commands end with. */
import { randomUUID } from 'node:crypto'
import type { EditMake, EditPlan, FileRecord } from '@dagline/core'
import { type Edit, type Rendered, refusal, StoreFailure, tryEdit, writeEdit } from '@dagline/store'
import { type Console, Refusal } from '../console.js'
import { type EditReport, editFacts, editLines } from '../print/edit.js'
import { jsonLines } from '../print/json.js'
import type { EditedProject } from './edit.js'
import { below, type EditWishes, editOf, resumeCommand, targetOf } from './edit-target.js'

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
  const target = targetOf(project.loaded, file, plan.session, { out, console })
  const resume = resumeCommand(plan.session, target, file)
  return { edit: editOf(plan, project.loaded, target, file), before, file: below(target), resume }
}

/** Writes an edit, or with `--dry-run` only checks it, and says what came of it. */
export function carryOut({ edit, before, file, resume }: ReadyEdit, { dryRun }: EditWishes): EditReport {
  const { plan, target: path } = edit
  return inStore(() => {
    const { saved, live, number } = dryRun ? { ...tried(edit), number: null } : writeEdit(edit)
    return { plan, file, path, resume, saved, live, reach: { before, after: live.length }, number }
  })
}

function tried(edit: Edit): Rendered {
  const rendered = tryEdit(edit)
  if (rendered.fault !== null) throw new Refusal(refusal(edit.plan, rendered.fault))
  return rendered
}

/** Does something with the store; what the world refuses is a sentence. */
export function inStore<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof StoreFailure ? new Refusal(error.message) : error
  }
}

/** Prints what was done. */
export async function tell(console: Console, reports: readonly EditReport[]): Promise<void> {
  const isJson = console.options.json
  await console.print(isJson ? jsonLines(editFacts(reports)) : editLines(console, reports))
}
