/** E13, E14: the ways to repair a session, tried one after another until one holds what it promises. */
import { canRepair, examine, planRepair, REPAIR_WAYS, type RepairWay } from '@dagline/core/faults'
import { loadedBy } from '@dagline/core/resume'
import { UnprovedEdit } from '@dagline/store'
import type { Host } from '../host/host.js'
import { inStore } from '../host/user-error.js'
import { attempt, type EditReport, makeSession, type ReadyEdit, readyEdit } from './run.js'
import { type EditedSession, openEditedSession } from './source.js'
import { type EditOptions, refuseBusy } from './target.js'

/** A session that is to be repaired. */
export interface RepairTask {
  readonly host: Host
  /** What names the session. */
  readonly word: string
  /** Kinds of faults to repair; all where it is empty. */
  readonly only: readonly string[]
  readonly inPlace: boolean
  readonly options: EditOptions
  /** Whether the result is written once it holds. */
  readonly what: 'check' | 'write'
  /** Whether a resume may load less of the result than it loads today, where no way does better. */
  readonly mayLose: boolean
}

/** A repair that holds what it promises. */
export interface RepairDone {
  readonly state: 'done'
  readonly ready: ReadyEdit
  readonly report: EditReport
}

/** Every way was tried, and none holds. */
export interface RepairFailed {
  readonly state: 'failed'
  /** Why the best one does not. */
  readonly fault: string
  /** One would, but for what a resume would no longer load. */
  readonly isLess: boolean
}

/** The session has no fault that a repair fixes. */
export interface RepairNeedless {
  readonly state: 'needless'
  readonly session: string
  readonly file: string
  /** What a resume loads today. */
  readonly loaded: readonly string[]
}

/** Repairs in the first way that holds; where `mayLose` allows it, at last in one that a resume loads less of. */
export async function repairSession(task: RepairTask): Promise<RepairDone | RepairFailed | RepairNeedless> {
  const whole = await inStore(() => tryWays(task, false))
  return whole.state === 'failed' && whole.isLess && task.mayLose
    ? await inStore(() => tryWays(task, true))
    : whole
}

async function tryWays(
  task: RepairTask,
  mayLose: boolean,
): Promise<RepairDone | RepairFailed | RepairNeedless> {
  const faults: UnprovedEdit[] = []
  for (let ways = waysOf(task); ; ) {
    const next = await prepare(task, ways, mayLose)
    if ('state' in next) return faults.length === 0 ? next : failedBy(faults)
    const tried = await tryWay(task, next.ready)
    if (!(tried instanceof UnprovedEdit)) return { state: 'done', ready: next.ready, report: tried }
    faults.push(tried)
    ways = next.left
  }
}

/** Ways that leave other branches out need a new file, and all faults repaired. */
function waysOf({ only, inPlace }: RepairTask): readonly RepairWay[] {
  return only.length > 0 || inPlace ? ['once', 'tree'] : REPAIR_WAYS
}

function failedBy(faults: readonly UnprovedEdit[]): RepairFailed {
  const less = faults.find(({ isLess }) => isLess)
  return { state: 'failed', fault: (less ?? faults[0])?.fault ?? '', isLess: less !== undefined }
}

async function tryWay({ host, what }: RepairTask, ready: ReadyEdit): Promise<EditReport | UnprovedEdit> {
  try {
    return await attempt(host, ready, what)
  } catch (error) {
    if (error instanceof UnprovedEdit) return error
    throw error
  }
}

/** A plan in the first of some ways that finds something to repair, and the ways behind it. */
interface Prepared {
  readonly ready: ReadyEdit
  readonly left: readonly RepairWay[]
}

/** Reads and plans. The graph is let go each time: a long session is read again rather than held beside its result. */
async function prepare(
  { host, word, only, inPlace, options }: RepairTask,
  ways: readonly RepairWay[],
  mayLose: boolean,
): Promise<Prepared | RepairNeedless> {
  const edited = openEditedSession(word, host)
  const { loaded, source, file } = edited
  await refuseBusy(loaded, file, options)
  const today = loadedToday(edited)
  const isWanted = only.length > 0 || needsRepair(edited)
  for (const [place, way] of isWanted ? ways.entries() : []) {
    const plan = planRepair(source, file, makeSession(options), { only, inPlace, way, today, mayLose })
    if (plan === null) continue
    const made = { project: edited, plan, file, before: today.length }
    return { ready: readyEdit(host, made, options), left: ways.slice(place + 1) }
  }
  return needlessFor(edited, today)
}

function needlessFor({ session, file, source }: EditedSession, today: readonly number[]): RepairNeedless {
  const loaded = today.map(node => source.graph.id(node))
  return { state: 'needless', session, file: file.facts.path, loaded }
}

/** The nodes that Claude Code loads today when it resumes a session's file. */
function loadedToday({ source, file, survey }: EditedSession): readonly number[] {
  return loadedBy(source.graph, file.facts.path, { survey }).nodes
}

/** Whether a resume loses something, or the doctor finds a fault that a repair fixes: else there is nothing to do. */
function needsRepair({ loaded, source, file, survey }: EditedSession): boolean {
  const { path } = file.facts
  const [health] = examine(source.graph, {
    surveys: new Map([[path, survey]]),
    found: loaded.found,
    only: each => each === path,
  })
  if (health === undefined) return false
  const { reach, faults } = health
  return (
    reach.now < reach.possible || faults.some(({ id, severity }) => severity === 'error' || canRepair(id))
  )
}
