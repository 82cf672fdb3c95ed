/** Writing a plan and telling what came of it: what all editing commands end with. */

import { randomUUID } from 'node:crypto'
import { type FileRecord, sessionId } from '@dagline/core'
import type { EditPlan, NewSession, Saved } from '@dagline/core/edit'
import type { RepairCoverage } from '@dagline/core/faults'
import { bytes } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import {
  type Edit,
  type EditRecord,
  type EditTrial,
  listEdits,
  tryEdit,
  UnprovedEdit,
  undoEdit,
  writeEdit,
} from '@dagline/store'
import { refuseUnread } from '../graphs/unread.js'
import type { Host } from '../host/host.js'
import { inStore, UserError } from '../host/user-error.js'
import { prove } from './prove.js'
import type { EditedProject } from './source.js'
import { below, type EditOptions, editOf, resumeCommand, targetOf } from './target.js'

/** An edit that was written, or would be. */
export interface EditReport {
  readonly plan: EditPlan
  /** Its number in the journal; null where nothing was written. */
  readonly number: number | null
  /** Below the root it is in. */
  readonly file: string
  readonly path: string
  /** What a resume reached of the source, and reaches of the result. */
  readonly reach: { readonly before: number; readonly after: number }
  /** D23: the same in the numbers of `doctor`; null where not everything is repaired, and of other edits. */
  readonly coverage: RepairCoverage | null
  readonly resume: string
  readonly saved: Saved
  /** The uuids of what is live in the result. */
  readonly live: readonly string[]
  /** Of what a resume loads of the source, what it does not load of the result: uuids of the source. */
  readonly gone: readonly string[]
}

/** An id for a new session, and the time. */
export function makeSession({ title }: Pick<EditOptions, 'title'>): NewSession {
  return { session: sessionId(randomUUID()), now: Date.now(), title }
}

/** The plan. Throws `UserError` where the core returned a reason instead of one. */
export function planned<T>(plan: T | string): T {
  if (typeof plan === 'string') throw new UserError(plan)
  return plan
}

/** A plan, and what it was made from. */
interface PlannedEdit {
  readonly project: EditedProject
  readonly plan: EditPlan
  readonly file: FileRecord
  /** What a resume of the source reaches. */
  readonly before: number
  /** How much of the conversation is in what a resume loads of the result. */
  readonly coverageOf?: CoverageOf | null
}

/** Measures what a resume loads once the given entries are live. */
export type CoverageOf = (live: readonly string[]) => RepairCoverage

/** An edit that is ready to be written. It holds no graph: those of large sessions are let go before the rows are read. */
export interface ReadyEdit {
  readonly edit: Edit
  readonly before: number
  readonly coverageOf: CoverageOf | null
  /** Below the root that it will be in. */
  readonly file: string
  readonly resume: string
}

/** Says where a plan goes, and what comes along. */
export function readyEdit(host: Host, made: PlannedEdit, { out }: EditOptions): ReadyEdit {
  const { project, plan, file, before, coverageOf = null } = made
  refuseUnread(host, project.loaded)
  const target = targetOf(project.loaded, file, plan.session, { out, host })
  const resume = resumeCommand(plan.session, target, file)
  const edit = editOf(plan, project.loaded, target, file)
  return { edit, before, coverageOf, file: below(target), resume }
}

/** Writes an edit, or with `--dry-run` only checks it, and says what came of it. */
export function carryOut(
  host: Host,
  ready: ReadyEdit,
  { dryRun }: Pick<EditOptions, 'dryRun'>,
): Promise<EditReport> {
  return inStore(() => attempt(host, ready, dryRun ? 'check' : 'write'))
}

/** Writes an edit or only checks it. Throws `StoreError`: `UnprovedEdit` where the result is not what was promised. */
export async function attempt(
  host: Host,
  { edit, before, coverageOf, file, resume }: ReadyEdit,
  what: 'check' | 'write',
): Promise<EditReport> {
  const { plan, target: path } = edit
  const size = plan.rows.length.reduce((sum, length) => sum + length, 0)
  if (size > LONG) host.progress(`${what === 'check' ? 'checking' : 'writing and checking'} ${bytes(size)}`)
  try {
    const written = what === 'check' ? { ...tried(edit), number: null } : await writeEdit(edit, prove)
    const { saved, live, gone, number } = written
    const reach = { before, after: live.length }
    const coverage = coverageOf?.(live) ?? null
    return { plan, file, path, resume, saved, live, gone, reach, coverage, number }
  } finally {
    if (size > LONG) host.progress(null)
  }
}

/** Bytes that take longer than a moment. */
const LONG = 10_000_000

function tried(edit: Edit): EditTrial {
  const result = tryEdit(edit)
  if (result.fault !== null) throw new UnprovedEdit(edit.plan, result.fault, result.isLess)
  return result
}

/** Takes back the last edit, or the one of a number. */
export function undoNumber(number: number | null): Promise<EditRecord> {
  return inStore(() => undoEdit(number, Date.now()))
}

/** What was edited, the oldest first. E10: what one command wrote is one edit, with the number that takes all of it back. */
export function editList(): Promise<readonly EditRecord[]> {
  return inStore(() => {
    const commands = groupBy(listEdits(), edit => edit.with ?? edit.number)
    return [...commands.values()].flatMap(([first, ...others]) =>
      first === undefined ? [] : { ...first, files: [first, ...others].flatMap(({ files }) => files) },
    )
  })
}
