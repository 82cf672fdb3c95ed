/** E13, E14: the strategies to repair a session, tried one after another until one holds what it promises. */
import {
  canRepair,
  type Examination,
  examineFile,
  planRepair,
  REPAIR_STRATEGIES,
  type RepairStrategy,
  repairCoverage,
} from '@dagline/core/faults'
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
  /** Whether a resume may load less of the result than it loads today, where no strategy does better. */
  readonly mayLose: boolean
}

/** A repair that holds what it promises. */
export interface RepairDone {
  readonly state: 'done'
  readonly ready: ReadyEdit
  readonly report: EditReport
}

/** Every strategy was tried, and none holds. */
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
  /** D24: kinds that were not asked for, without which those that were cannot be repaired; none where there is no fault. */
  readonly together: readonly string[]
}

/** Repairs by the first strategy that holds; where `mayLose` allows it, at last by one that a resume loads less of. */
export async function repairSession(task: RepairTask): Promise<RepairDone | RepairFailed | RepairNeedless> {
  const whole = await inStore(() => tryStrategies(task, false))
  return whole.state === 'failed' && whole.isLess && task.mayLose
    ? await inStore(() => tryStrategies(task, true))
    : whole
}

async function tryStrategies(
  task: RepairTask,
  mayLose: boolean,
): Promise<RepairDone | RepairFailed | RepairNeedless> {
  const faults: UnprovedEdit[] = []
  for (let strategies = strategiesOf(task); ; ) {
    const next = await prepare(task, strategies, mayLose)
    if ('state' in next) return faults.length === 0 ? next : failedBy(faults)
    const tried = await tryStrategy(task, next.ready)
    if (!(tried instanceof UnprovedEdit)) return { state: 'done', ready: next.ready, report: tried }
    faults.push(tried)
    strategies = next.left
  }
}

/** Strategies that leave other branches out need a new file, and all faults repaired. */
function strategiesOf({ only, inPlace }: RepairTask): readonly RepairStrategy[] {
  return only.length > 0 || inPlace ? ['once', 'tree'] : REPAIR_STRATEGIES
}

function failedBy(faults: readonly UnprovedEdit[]): RepairFailed {
  const less = faults.find(({ isLess }) => isLess)
  return { state: 'failed', fault: (less ?? faults[0])?.fault ?? '', isLess: less !== undefined }
}

async function tryStrategy({ host, what }: RepairTask, ready: ReadyEdit): Promise<EditReport | UnprovedEdit> {
  try {
    return await attempt(host, ready, what)
  } catch (error) {
    if (error instanceof UnprovedEdit) return error
    throw error
  }
}

/** A plan by the first strategy that finds something to repair, and the strategies behind it. */
interface Prepared {
  readonly ready: ReadyEdit
  readonly left: readonly RepairStrategy[]
}

/** Reads and plans. The graph is let go each time: a long session is read again rather than held beside its result. */
async function prepare(
  { host, word, only, inPlace, options }: RepairTask,
  strategies: readonly RepairStrategy[],
  mayLose: boolean,
): Promise<Prepared | RepairNeedless> {
  const edited = openEditedSession(word, host)
  const { loaded, source, file } = edited
  await refuseBusy(loaded, file, options)
  const examination = examineFile(source.graph, file, { surveys: source.surveys, found: loaded.found })
  const before = examination.context.loaded.nodes.length
  const isWanted = only.length > 0 || needsRepair(examination)
  for (const [index, strategy] of isWanted ? strategies.entries() : []) {
    const repair = { only, inPlace, strategy, examination, mayLose }
    const plan = planRepair(source, file, makeSession(options), repair)
    if (plan === null) continue
    const coverageOf = only.length === 0 ? repairCoverage(examination, plan) : null
    const made = { project: edited, plan, file, before, coverageOf }
    return { ready: readyEdit(host, made, options), left: strategies.slice(index + 1) }
  }
  return { ...needlessFor(edited, examination), together: togetherWith(edited, examination, only) }
}

/** D24: the kinds that the wanted ones follow from, where these have faults and nothing of their own to repair. */
function togetherWith(
  { source, file }: EditedSession,
  examination: Examination,
  only: readonly string[],
): readonly string[] {
  const kindsOf = (wanted: 'error' | 'warning'): readonly string[] => [
    ...new Set(
      examination.faults.filter(({ severity, fix }) => severity === wanted && fix).map(({ id }) => id),
    ),
  ]
  const errors = kindsOf('error')
  if (!only.some(kind => errors.includes(kind))) return []
  const hasPlan = (kind: string): boolean =>
    planRepair(source, file, makeSession({ title: null }), { only: [kind], inPlace: true, examination }) !==
    null
  const isOther = (kind: string): boolean => canRepair(kind) && !only.includes(kind) && hasPlan(kind)
  const causes = errors.filter(isOther)
  return causes.length > 0 ? causes : kindsOf('warning').filter(isOther)
}

/** Whether a resume loses something, or there is a fault that a repair fixes: else there is nothing to do. */
function needsRepair({ coverage, faults }: Examination): boolean {
  return (
    coverage.now < coverage.possible ||
    faults.some(({ id, severity }) => severity === 'error' || canRepair(id))
  )
}

function needlessFor(
  { session, file, source }: EditedSession,
  { context }: Examination,
): Omit<RepairNeedless, 'together'> {
  const loaded = context.loaded.nodes.map(node => source.graph.id(node))
  return { state: 'needless', session, file: file.facts.path, loaded }
}
