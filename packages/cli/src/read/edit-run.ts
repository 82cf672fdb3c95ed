/** Writing a plan and telling what came of it: what all editing commands end with. */
import { randomUUID } from 'node:crypto'
import type { EditMake, EditPlan, FileRecord } from '@dagline/core'
import { refusal, StoreFailure, tryEdit, writeEdit } from '@dagline/store'
import { type Console, Refusal } from '../console.js'
import { type EditReport, editFacts, editLines } from '../print/edit.js'
import { jsonLines } from '../print/json.js'
import type { EditedProject } from './edit.js'
import { below, type EditTarget, type EditWishes, editOf, resumeCommand, targetOf } from './edit-target.js'

/** An id for a new session, and the time. */
export function makeSession({ title }: EditWishes): EditMake {
  return { session: randomUUID(), now: Date.now(), title }
}

/** A plan, or the refusal that the core gave instead of one. */
export function planned<T>(plan: T | string): T {
  if (typeof plan === 'string') throw new Refusal(plan)
  return plan
}

/** An edit that is ready: what it will write, and where. */
export interface ReadyEdit {
  readonly project: EditedProject
  readonly plan: EditPlan
  readonly file: FileRecord
  /** What a resume of the source reaches. */
  readonly before: number
}

/** Writes a plan, or with `--dry-run` only checks it, and says what came of it. */
export function carryOut(console: Console, ready: ReadyEdit, wishes: EditWishes): EditReport {
  const { project, plan, file, before } = ready
  const target = targetOf(project.loaded, file, plan.session, { out: wishes.out, console })
  const edit = editOf(plan, project.loaded, target, file)
  const report = reportOf(ready, target)
  return inStore(() => {
    if (wishes.dryRun) {
      const { fault, saved, live } = tryEdit(edit)
      if (fault !== null) throw new Refusal(refusal(plan, fault))
      return { ...report, saved, live, reach: { before, after: live.length }, number: null }
    }
    const { saved, number, live } = writeEdit(edit)
    return { ...report, saved, live, reach: { before, after: live.length }, number }
  })
}

function reportOf(
  { plan, file }: ReadyEdit,
  target: EditTarget,
): Pick<EditReport, 'plan' | 'file' | 'path' | 'resume'> {
  return {
    plan,
    file: below(target),
    path: target.path,
    resume: resumeCommand(plan.session, target, file),
  }
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
