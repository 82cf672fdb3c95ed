/** The page of health: problems, sessions that will be deleted soon, and unknown types. */

import { diagnosticTitle, type Severity } from '@dagline/core'
import {
  FAULT_KINDS,
  type FaultKind,
  hasResumeProblem,
  pushedFix,
  type ResumeCoverage,
} from '@dagline/core/faults'
import type { HealthKind, HealthPage, SweptCard, WorkProgress } from '@dagline/core/protocol'
import { archivePath, type KnownFile, type SessionFact, StoreError, sweepDays } from '@dagline/store'
import type { Examination, HealthResult } from '../health/examiner.js'
import { openArchiveIfAny } from '../index/archive.js'
import type { LiveContext } from '../live/context.js'
import type { GroupFacts, Look, UnknownType } from '../live/survey.js'
import { sessionName } from './projects.js'

/** What depends on the index alone, and is kept until it changes. */
interface IndexHealth {
  readonly from: readonly SessionFact[]
  readonly unread: HealthPage['unread']
  readonly files: readonly (KnownFile & { readonly root: string })[]
}

/** What the page of health is made from. */
interface HealthSources {
  readonly look: Look
  readonly examined: () => Examination
  /** The archive's file. */
  readonly archive?: string
}

/** Makes the page of health, again and again: what depends on the index alone is kept until it changes. */
export function createHealthPage(
  context: LiveContext,
  { look, examined, archive = archivePath() }: HealthSources,
): () => HealthPage {
  let known: IndexHealth | null = null
  return () => {
    const sessions = context.sessions()
    if (known === null || known.from !== sessions) known = readIndex(context, sessions)
    const { survey, groups } = look()
    const examination = examined()
    return {
      ...healthOf(examination, sessions, context.isPushed),
      unread: [...known.unread, ...foldersUnread(context, known.unread)],
      ...sweptOf(context, known.files, archive),
      unknownTypes: unknownIn(groups),
      survey: joined(survey, examination.progress),
    }
  }
}

function joined(a: WorkProgress, b: WorkProgress = { done: 0, of: 0 }): WorkProgress {
  return { done: a.done + b.done, of: a.of + b.of }
}

const MOST_UNREAD = 50

function readIndex(context: LiveContext, sessions: readonly SessionFact[]): IndexHealth {
  const index = context.index()
  const files = context.roots.flatMap(root => {
    const id = index.findRoot(root)
    return id === null ? [] : index.files(id).map(file => ({ ...file, root }))
  })
  const unread = index
    .diagnostics(context.rootIds())
    .filter(({ rule, severity }) => rule.startsWith('store/') && severity !== 'info')
    .slice(0, MOST_UNREAD)
    .map(({ rule, file, message }) => ({ file, title: diagnosticTitle(rule), message }))
  return { from: sessions, unread, files }
}

/** What the index knows nothing of, because it could not even be listed. */
function foldersUnread(context: LiveContext, known: HealthPage['unread']): HealthPage['unread'] {
  const title = diagnosticTitle('store/unreadable')
  return context.events
    .status()
    .unread.filter(({ path }) => !known.some(({ file }) => path.endsWith(file)))
    .map(({ path, message }) => ({ file: path, title, message }))
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']
const MOST_SAMPLES = 20

type Found = Pick<HealthPage, 'kinds' | 'sessions' | 'isExamining' | 'failure' | 'troubled' | 'reach'>

function healthOf(
  { sessions, isRunning, failure }: Examination,
  facts: readonly SessionFact[],
  isPushed: boolean,
): Found {
  const all = sessions ?? []
  const sum = (pick: (coverage: ResumeCoverage) => number): number =>
    all.reduce((total, { coverage }) => total + pick(coverage), 0)
  return {
    kinds: kindsOf(all, facts).map(kind => (isPushed ? { ...kind, fix: pushedFixOf(kind) } : kind)),
    // S8: those that were examined, as the doctor counts them; until then those that are listed.
    sessions: sessions?.length ?? facts.filter(({ isIdle }) => !isIdle).length,
    isExamining: isRunning,
    failure,
    troubled: sessions === null ? null : all.filter(hasResumeProblem).length,
    reach: { now: sum(({ now }) => now), possible: sum(({ possible }) => possible) },
  }
}

function kindsOf(all: readonly HealthResult[], facts: readonly SessionFact[]): readonly HealthKind[] {
  const ages = new Map(facts.map(({ session }, index) => [session, index]))
  const names = new Map(facts.map(fact => [fact.session, sessionName(fact)]))
  const order = [...all].sort((a, b) => (ages.get(a.session) ?? 0) - (ages.get(b.session) ?? 0))
  return FAULT_KINDS.filter(({ id }) => id !== SWEPT)
    .map(kind => kindOf(kind, order, names))
    .filter(({ count }) => count > 0)
    .sort((a, b) => rankOf(a) - rankOf(b))
}

/** HU56: the command for a kind on a hub, where one works for some of its sessions. */
function pushedFixOf({ fix, samples }: HealthKind): string | null {
  return samples.some(sample => sample.fix !== null) ? pushedFix(fix) : null
}

/** What will be deleted has a part of its own, which knows the archive. */
const SWEPT = 'swept-soon'

function rankOf({ severity }: { readonly severity: Severity }): number {
  return SEVERITIES.indexOf(severity)
}

function kindOf(
  { id, title, meaning, cost, fix }: FaultKind,
  all: readonly HealthResult[],
  names: ReadonlyMap<string, string | null>,
): HealthKind {
  const found = all.flatMap(({ session, faults }) =>
    faults.filter(fault => fault.id === id).map(fault => ({ session, fault })),
  )
  const gravest = found.sort((a, b) => rankOf(a.fault) - rankOf(b.fault))
  return {
    ...{ id, title, meaning, cost, fix },
    severity: gravest[0]?.fault.severity ?? 'info',
    count: found.reduce((sum, { fault }) => sum + fault.count, 0),
    sessions: new Set(found.map(({ session }) => session)).size,
    samples: gravest.slice(0, MOST_SAMPLES).map(({ session, fault }) => ({
      session,
      title: names.get(session) ?? null,
      node: fault.node,
      row: fault.row,
      message: fault.message,
      fix: fault.fix,
    })),
  }
}

const DAY = 24 * 60 * 60 * 1000
const AHEAD = 7
const MOST_SWEPT = 100

type Swept = Pick<HealthPage, 'swept' | 'sweptCount' | 'sweptKept' | 'sweepDays' | 'sweepAhead'>

/** K9: by the times that files had when they were read last. */
function sweptOf(context: LiveContext, files: IndexHealth['files'], archive: string): Swept {
  const isSwept = !context.isSample && !context.isPushed
  const periods = new Map(isSwept ? context.roots.map(root => [root, sweepDays(root)]) : [])
  const due = ({ root, state }: IndexHealth['files'][number]): number =>
    (state?.mtime ?? Number.POSITIVE_INFINITY) + (periods.get(root) ?? Number.POSITIVE_INFINITY) * DAY
  const swept = files
    .filter(file => file.facts.kind === 'session' && !file.isArchived)
    .filter(file => due(file) <= context.now() + AHEAD * DAY)
    .sort((a, b) => due(a) - due(b))
  const kept = swept.length === 0 ? null : keptIn(archive)
  const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
  const cards = swept.map((file): SweptCard => {
    const fact = facts.get(file.facts.session ?? '')
    return {
      session: file.facts.session ?? '',
      title: sessionName(fact),
      project: file.project,
      due: due(file),
      isArchived: kept?.has(keyOf(file.facts.session, file.state?.size, file.state?.mtime)) ?? false,
    }
  })
  return {
    swept: cards.slice(0, MOST_SWEPT),
    sweptCount: cards.length,
    sweptKept: kept === null ? null : cards.filter(({ isArchived }) => isArchived).length,
    sweepDays: [...periods.values()].find(days => days !== null) ?? null,
    sweepAhead: AHEAD,
  }
}

/** What the archive has, as it was when it was read; null where there is none that can be read. */
function keptIn(path: string): ReadonlySet<string> | null {
  const archive = openArchiveIfAny(path)
  if (archive === null) return null
  try {
    return new Set(archive.list().map(({ session, bytes, mtime }) => keyOf(session, bytes, mtime)))
  } catch (error) {
    if (error instanceof StoreError) return null
    throw error
  } finally {
    archive.close()
  }
}

function keyOf(session: string | null, bytes: number | undefined, mtime: number | undefined): string {
  return `${session} ${bytes} ${mtime}`
}

function unknownIn(groups: readonly GroupFacts[]): HealthPage['unknownTypes'] {
  const types = new Map<string, UnknownType>()
  for (const each of groups.flatMap(({ unknown }) => unknown)) {
    const before = types.get(each.type)
    types.set(each.type, before === undefined ? each : { ...before, count: before.count + each.count })
  }
  return [...types.values()].sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
}
