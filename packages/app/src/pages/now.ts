/** J1 to J3: the sessions that are running, and what each of them is doing. */

import { type Agent, type FileRecord, type Graph, plainHead } from '@dagline/core'
import { cleanLine, summarize } from '@dagline/core/content'
import { isoDay } from '@dagline/core/format'
import { type Activity, activityOf, promptTokens, queuedIn, tallyBuckets } from '@dagline/core/measure'
import {
  type NowPage,
  RUNNING_STATES,
  type RunningAgent,
  type RunningSession,
  type RunningState,
} from '@dagline/core/protocol'
import { type ClaudeProcess, listProcesses, type SessionFact } from '@dagline/store'
import type { Host } from '../host/host.js'
import { askIndex, type IndexOptions } from '../index/open.js'
import type { LiveContext, OpenSession } from '../live/context.js'
import { openContext } from '../live/open.js'

/** J1: without a record of its process, a session counts as running for so long after its last entry, in milliseconds. */
const RECENT = 10 * 60 * 1000

/** What a page of running sessions is made from. */
type NowSource = Pick<
  LiveContext,
  'roots' | 'isPushed' | 'now' | 'sessions' | 'usage' | 'graphOf' | 'reading'
>

/** A session that is running, before anything is read of it. */
interface Running {
  readonly record: ClaudeProcess | null
  /** Null where it has no transcript yet. */
  readonly fact: SessionFact | null
}

/** The sessions that are running now. */
export function nowPage(source: NowSource): NowPage {
  const at = source.now()
  const costs = createCosts(source, at)
  const sessions = findRunning(source).map(running => describe(source, running, costs))
  return { sessions: sessions.toSorted(compareRunning), at }
}

/** The same for a single question. */
export async function nowIn(host: Host, options: IndexOptions): Promise<NowPage> {
  return await askIndex(host, options, ({ path, found }) => {
    const roots = found.map(({ root }) => root)
    const { context, close } = openContext({ index: path, roots, isSample: false }, () => {})
    try {
      return nowPage(context)
    } finally {
      close()
    }
  })
}

const ORDER: readonly string[] = Object.keys(RUNNING_STATES)

function compareRunning(a: RunningSession, b: RunningSession): number {
  const byState = ORDER.indexOf(a.state) - ORDER.indexOf(b.state)
  return byState === 0 ? (b.since ?? 0) - (a.since ?? 0) : byState
}

/** J1: the sessions of running processes; those with recent entries where processes leave no records. */
function findRunning(source: NowSource): readonly Running[] {
  const facts = new Map(source.sessions().map(fact => [fact.session, fact]))
  const known = source.roots.map(source.isPushed ? () => null : listProcesses)
  const byRecord = known.flatMap(processes => processes ?? [])
  const recorded = lastOfEach(byRecord).map(record => ({
    record,
    fact: facts.get(record.session) ?? null,
  }))
  if (known.every(processes => processes !== null)) return recorded
  const named = new Set(byRecord.map(({ session }) => session))
  const isRecent = ({ session, last, archivedOnly }: SessionFact): boolean =>
    !named.has(session) && !archivedOnly && last !== null && source.now() - last < RECENT
  return [
    ...recorded,
    ...source
      .sessions()
      .filter(isRecent)
      .map(fact => ({ record: null, fact })),
  ]
}

/** Two processes may have the same session open; the one that changed last is the one at work. */
function lastOfEach(processes: readonly ClaudeProcess[]): readonly ClaudeProcess[] {
  const sorted = processes.toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0))
  return [...new Map(sorted.map(record => [record.session, record])).values()]
}

interface Costs {
  readonly today: ReadonlyMap<string, number | null>
  readonly all: ReadonlyMap<string, number | null>
}

function createCosts({ usage }: NowSource, at: number): Costs {
  const buckets = usage()
  const bySession = (some: typeof buckets): ReadonlyMap<string, number | null> =>
    new Map(tallyBuckets(some, 'session', isoDay).groups.map(({ key, cost }) => [key, cost]))
  const today = isoDay(at)
  return {
    all: bySession(buckets),
    today: bySession(buckets.filter(({ first }) => first !== null && isoDay(first) === today)),
  }
}

function describe(source: NowSource, { record, fact }: Running, costs: Costs): RunningSession {
  const session = record?.session ?? fact?.session ?? ''
  const read = fact?.file == null ? null : readSession(source, session)
  const activity = read?.activity ?? null
  const state = stateOf(record, activity)
  return {
    session,
    title: fact?.title ?? fact?.prompt ?? null,
    project: fact?.project ?? '',
    cwd: record?.cwd ?? fact?.cwd ?? null,
    state,
    doing: read === null ? 'no prompt yet' : doingText(source, read, { state, record }),
    evidence: record?.status == null ? 'transcript' : 'process',
    since: record?.since ?? activity?.since ?? null,
    pid: record?.pid ?? null,
    contextTokens: read === null ? null : contextOf(read),
    costToday: costs.today.get(session) ?? (costs.all.has(session) ? 0 : null),
    cost: costs.all.get(session) ?? null,
    agents: read === null ? [] : agentsAtWork(source, read, source.now()),
    queued:
      read === null
        ? []
        : queuedIn(read.open.graph, read.file.facts.path).map(({ note }) =>
            cleanLine(plainHead(note.text?.head ?? '')),
          ),
  }
}

/** A session that was read. */
interface ReadSession {
  readonly open: OpenSession
  readonly file: FileRecord
  readonly activity: Activity
}

function readSession(source: NowSource, session: string): ReadSession | null {
  const open = source.graphOf(session)
  const file = open.graph.files().find(({ facts: { path } }) => path === open.fact.file)
  const activity = file === undefined ? null : activityOf(open.graph, file.facts.path)
  return file === undefined || activity === null ? null : { open, file, activity }
}

/** J2: what the process says comes first; that its last request failed stands in the transcript only. */
function stateOf(record: ClaudeProcess | null, activity: Activity | null): RunningState {
  if (record?.status === 'waiting') return 'waiting'
  if (record?.status === 'busy') return 'working'
  if (activity?.doing === 'failed') return 'failed'
  if (record?.status === 'idle' || activity === null) return 'idle'
  return BY_TRANSCRIPT[activity.doing]
}

const BY_TRANSCRIPT: Readonly<Record<Activity['doing'], RunningState>> = {
  working: 'working',
  calling: 'working',
  asking: 'waiting',
  failed: 'failed',
  idle: 'idle',
  interrupted: 'idle',
}

interface Doing {
  readonly state: RunningState
  readonly record: ClaudeProcess | null
}

function doingText(source: NowSource, read: ReadSession, { state, record }: Doing): string {
  const { calls, doing, node } = read.activity
  const called = calls[0] === undefined ? null : textOf(source, read.open, calls[0].node)
  switch (state) {
    case 'waiting':
      return waitingText(called, read.activity, record?.waitingFor ?? null)
    case 'failed':
      return node === null ? 'the last request failed' : textOf(source, read.open, node)
    case 'working':
      return workingText(called, calls.length, record !== null)
    case 'idle':
      return doing === 'interrupted' ? 'interrupted' : 'ready for the next prompt'
  }
}

function waitingText(called: string | null, { doing }: Activity, waitingFor: string | null): string {
  if (called === null) return cleanLine(`waiting: ${waitingFor ?? 'an answer'}`)
  return doing === 'asking' ? `asks: ${called}` : `needs a permission: ${called}`
}

function workingText(called: string | null, calls: number, isRecorded: boolean): string {
  if (called === null) return 'writing an answer'
  const more = calls > 1 ? ` and ${calls - 1} more` : ''
  // A transcript alone does not tell whether a call runs, or waits for a permission.
  return isRecorded ? `${called}${more}` : `${called}${more}, or waiting for a permission`
}

/** An entry in one line. */
function textOf({ reading }: NowSource, open: OpenSession, node: number): string {
  const json = reading.record(open, node)
  return json === null ? '(no longer in the file)' : summarize(json).text
}

/** What the last request carried, and what was answered. */
function contextOf({ open: { graph }, file }: ReadSession): number | null {
  const usages = new Map([...graph.usage()].map(({ message, usage }) => [message, usage]))
  for (const node of graph.live(file.facts.path).toReversed()) {
    const { message } = graph.node(node)
    const usage = message === null ? undefined : usages.get(message)
    if (usage === undefined) continue
    return promptTokens(usage) + usage.output
  }
  return null
}

/** J3: subagents that have not ended, and whose call is open or whose last entry is recent. */
function agentsAtWork(source: NowSource, read: ReadSession, now: number): readonly RunningAgent[] {
  const { open, activity } = read
  const { graph } = open
  const calling = new Set(activity.calls.map(({ node }) => node))
  return graph.agents().flatMap(agent => {
    if (agent.state !== 'incomplete' || agent.domain.session !== open.fact.session) return []
    const file = fileOf(graph, agent)
    const doing = file === undefined ? null : activityOf(graph, file.facts.path)
    const isRecent = doing !== null && doing.since !== null && now - doing.since < RECENT
    if (!isRecent && !(agent.spawnedBy !== null && calling.has(agent.spawnedBy.node))) return []
    const call = doing?.calls[0]
    return {
      agent: agent.id,
      name: cleanLine(agent.name),
      description: agent.meta?.description ?? null,
      doing: call === undefined ? 'writing an answer' : textOf(source, open, call.node),
    }
  })
}

function fileOf(graph: Graph, { id }: Agent): FileRecord | undefined {
  return graph.files().find(({ facts }) => facts.kind === 'agent' && facts.agent === id)
}
