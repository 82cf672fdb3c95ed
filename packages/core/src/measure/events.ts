/** What happened to conversations: compactions, abandoned branches, queued input, and the hours people typed in. */
import type { LineStatus } from '../graph/lines.js'
import { isQueuedPrompt, timeOf } from '../graph/nodes.js'
import type { Fate } from '../graph/queue.js'
import { compareText } from '../model/group.js'
import type { FileId } from '../model/ids.js'
import { addFields, joinRows } from './rows.js'
import type { MeasureScope } from './scope.js'
import { addSpent, type Spent, spentOn } from './spent.js'

/** Compactions with one trigger. */
export interface CompactionStats {
  /** `auto`, `manual`; null where the file does not say. */
  readonly trigger: string | null
  readonly count: number
  /** In conversations of agents. */
  readonly inAgents: number
  /** Without a summary: the compaction was not finished. */
  readonly unfinished: number
  /** Tokens before, of those that say it, and how many those are. */
  readonly tokensBefore: number
  readonly saidBefore: number
  readonly tokensAfter: number
  readonly saidAfter: number
}

/** Counts compactions by trigger. */
export function countCompactions({ graph, domains }: MeasureScope): readonly CompactionStats[] {
  const rows = graph.epochs().flatMap(({ boundary, trigger, preTokens, postTokens, summary }) => {
    const domain = graph.lineOf(boundary)?.domain
    if (domain === undefined || !domains.has(domain.index)) return []
    const row: CompactionStats = {
      trigger,
      count: 1,
      inAgents: domain.kind === 'agent' ? 1 : 0,
      unfinished: summary === null ? 1 : 0,
      tokensBefore: preTokens ?? 0,
      saidBefore: preTokens === null ? 0 : 1,
      tokensAfter: postTokens ?? 0,
      saidAfter: postTokens === null ? 0 : 1,
    }
    return [row]
  })
  return joinCompactions(rows)
}

/** Adds up rows of the same trigger. */
export function joinCompactions(rows: Iterable<CompactionStats>): readonly CompactionStats[] {
  return joinRows(rows, ['trigger'], 'count')
}

/** Lines of one status that is not `live`: branches, and the subagents that were called on them. */
export interface LeftStats {
  readonly status: Exclude<LineStatus, 'live'>
  readonly branches: number
  readonly agents: number
  readonly entries: number
  readonly spent: Spent
}

/** F11, F12: how many rewinds there are, and what they abandoned. */
export interface RewindStats {
  readonly rewinds: number
  readonly twoWriters: number
  readonly left: readonly LeftStats[]
}

/** Counts rewinds and what they abandoned. */
export function countRewinds(scope: MeasureScope): RewindStats {
  const { graph, domains, lines } = scope
  const forks = graph.forks().filter(fork => domains.has(fork.domain))
  const seen = new Set<number>()
  const rows = lines.flatMap((line): LeftStats[] => {
    const { status, kind, nodes } = line
    if (status === 'live' || kind === 'trunk') return []
    const isStart = kind === 'branch' && line.domain.kind === 'session' && graph.branchStart(line) === line
    const [branches, agents] = [isStart ? 1 : 0, kind === 'agent' ? 1 : 0]
    return [{ status, branches, agents, entries: nodes.length, spent: spentOn(scope, nodes, seen) }]
  })
  return {
    rewinds: forks.filter(({ kind }) => kind === 'rewind').length,
    twoWriters: forks.filter(({ kind }) => kind === 'two-writers').length,
    left: joinLeft(rows),
  }
}

/** Both together. */
export function addRewinds(a: RewindStats, b: RewindStats): RewindStats {
  return { ...addFields(a, b), left: joinLeft([...a.left, ...b.left]) }
}

function joinLeft(rows: Iterable<LeftStats>): readonly LeftStats[] {
  const add = (a: LeftStats, b: LeftStats): LeftStats => ({
    ...addFields(a, b),
    spent: addSpent(a.spent, b.spent),
  })
  return joinRows(rows, ['status'], 'entries', add)
}

/** Typed text that was queued and never delivered. */
export interface LostPrompt {
  readonly file: FileId
  readonly row: number
  /** Milliseconds since 1970, or null. */
  readonly time: number | null
  /** Its beginning. */
  readonly text: string
}

/** Q1, Q3: what became of queued input. */
export interface QueueStats {
  readonly fates: readonly { readonly became: Fate; readonly count: number }[]
  readonly lost: readonly LostPrompt[]
}

/** Counts what was put into queues, by what became of it. */
export function countQueue({ graph, options: { sessions } }: MeasureScope): QueueStats {
  const queues = graph
    .queues()
    .filter(({ file: { facts } }) => sessions === undefined || sessions.has(facts.session ?? ''))
  const queued = queues.flatMap(({ file, steps }) =>
    steps.filter(({ note }) => note.operation === 'enqueue').map(step => ({ file, step })),
  )
  const lost = queued.filter(({ step }) => step.became === 'lost')
  return joinQueues([
    {
      fates: queued.map(({ step }) => ({ became: step.became, count: 1 })),
      lost: lost.map(({ file, step: { note } }) => ({
        file: file.facts.path,
        row: note.source.row,
        time: note.time,
        text: note.text?.head ?? '',
      })),
    },
  ])
}

/** All together. */
export function joinQueues(all: readonly QueueStats[]): QueueStats {
  const fates = all.flatMap(queue => queue.fates)
  const lost = all.flatMap(queue => queue.lost)
  return {
    fates: joinRows(fates, ['became'], 'count'),
    lost: lost.sort((a, b) => compareText(a.file, b.file) || a.row - b.row),
  }
}

/** Prompts that people typed, by the hour of the day: 24 counts. */
export function countHours({ graph, lines, options }: MeasureScope): readonly number[] {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { nodes, domain } of lines) {
    if (domain.kind !== 'session') continue
    for (const node of nodes) {
      const isTyped = graph.startsTurn(node) || isQueuedPrompt(graph, node)
      const time = isTyped ? timeOf(graph, node) : Number.NaN
      if (Number.isNaN(time)) continue
      const hour = options.hourOf(time)
      hours[hour] = (hours[hour] ?? 0) + 1
    }
  }
  return hours
}
