/** What new rows of a session mean: entries, and events such as rewinds, compactions and subagents. */
import {
  type Agent,
  epochLabel,
  type FileRecord,
  type Graph,
  type Line,
  type LineStatus,
  type QueueStep,
} from '@dagline/core'
import { pushTo } from '@dagline/core/model'
import { countMessages, isLandmark, isLaunch } from '@dagline/core/view'
import type { Batch } from './follow.js'

/** Something to tell, in the order it happened. */
export type SessionEvent =
  | { readonly kind: 'entry'; readonly node: number }
  | { readonly kind: 'compaction'; readonly node: number; readonly label: string }
  | { readonly kind: 'agent-start' | 'agent-end'; readonly node: number; readonly agent: Agent }
  | {
      readonly kind: 'rewind' | 'two-writers'
      readonly node: number
      readonly line: Line
      readonly left: readonly AbandonedLine[]
    }
  | {
      readonly kind: 'queued' | 'recalled' | 'lost'
      readonly text: string
      /** Milliseconds since 1970, or null. */
      readonly time: number | null
    }

/** A branch that is left by a rewind. */
export interface AbandonedLine {
  readonly line: Line
  readonly status: LineStatus
  readonly messages: number
}

/** What was reported already: nothing is reported twice. */
export interface ReportedEvents {
  /** The heads of branches. */
  readonly branches: Set<string>
  readonly started: Set<string>
  readonly ended: Set<string>
  /** Queue rows, with the state that was reported last. */
  readonly queue: Map<string, string>
}

/** Everything that exists when following starts counts as reported. */
export function reportedSoFar(graph: Graph): ReportedEvents {
  const reported: ReportedEvents = {
    branches: new Set(branchHeads(graph)),
    started: new Set(graph.agents().map(({ id }) => id)),
    ended: new Set(),
    queue: new Map(queueSteps(graph).map(({ key, became }) => [key, became])),
  }
  const agents = agentBook(graph)
  for (const node of graph.nodes()) {
    for (const { id } of endedAgents(graph, node, agents)) reported.ended.add(id)
  }
  return reported
}

/** The events of a batch; what is reported is remembered. */
export function* sessionEvents({ graph, nodes }: Batch, reported: ReportedEvents): Generator<SessionEvent> {
  const branches = newBranches(graph, nodes, reported)
  const agents = agentBook(graph)
  for (const node of nodes) {
    const line = graph.lineOf(node)
    const branch = line === null ? undefined : branches.get(line.index)
    if (branch !== undefined && line !== null) {
      branches.delete(line.index)
      yield { ...branch, node }
    }
    const agent = line === null ? undefined : agents.byDomain.get(line.domain.index)
    if (agent !== undefined && !reported.started.has(agent.id)) {
      reported.started.add(agent.id)
      yield { kind: 'agent-start', node, agent }
    }
    if (isLandmark(graph, node)) yield { kind: 'compaction', node, label: labelOf(graph, node) }
    else yield { kind: 'entry', node }
    for (const ended of endedAgents(graph, node, agents)) {
      if (reported.ended.has(ended.id)) continue
      reported.ended.add(ended.id)
      yield { kind: 'agent-end', node, agent: ended }
    }
  }
  yield* queueNews(graph, reported)
}

function labelOf(graph: Graph, node: number): string {
  const epoch = graph.epochs().find(({ boundary }) => boundary === node)
  // While a session is followed, the summary may still be written.
  return epoch === undefined ? 'Conversation compacted' : epochLabel({ ...epoch, summary: node })
}

function branchHeads(graph: Graph): readonly string[] {
  return graph.lines().flatMap(line => (isBranch(line) ? [graph.id(line.head)] : []))
}

function isBranch(line: Line): line is Line & { readonly head: number } {
  return line.kind === 'branch' && line.domain.kind === 'session' && line.head !== null
}

type NewBranch = Omit<Extract<SessionEvent, { readonly kind: 'rewind' | 'two-writers' }>, 'node'>

/** Live branches that were not reported yet, by line. */
function newBranches(
  graph: Graph,
  nodes: readonly number[],
  reported: ReportedEvents,
): Map<number, NewBranch> {
  const touched = new Set(nodes.map(node => graph.lineOf(node)?.index))
  const found = new Map<number, NewBranch>()
  for (const line of graph.lines()) {
    if (!isBranch(line) || line.status !== 'live' || !touched.has(line.index)) continue
    if (reported.branches.has(graph.id(line.head))) continue
    const kind = graph.forksAbout(line.head).some(fork => fork.kind === 'two-writers')
      ? 'two-writers'
      : 'rewind'
    found.set(line.index, { kind, line, left: leftBy(graph, line) })
  }
  if (found.size > 0) for (const head of branchHeads(graph)) reported.branches.add(head)
  return found
}

function leftBy(graph: Graph, line: Line): readonly AbandonedLine[] {
  const beside = graph
    .lines()
    .filter(
      other => isBranch(other) && other.at === line.at && other.domain === line.domain && other !== line,
    )
  return beside.map(other => ({
    line: other,
    status: other.status,
    messages: countMessages(graph, other.nodes),
  }))
}

/** Agents by what names them. */
interface AgentBook {
  readonly byDomain: ReadonlyMap<number, Agent>
  /** By their own id and by that of their call; one call may start several. */
  readonly byName: ReadonlyMap<string, readonly Agent[]>
}

function agentBook(graph: Graph): AgentBook {
  const byName = new Map<string, Agent[]>()
  for (const agent of graph.agents()) {
    for (const name of [agent.id, agent.spawnedBy?.call.id ?? '']) {
      pushTo(byName, name, agent)
    }
  }
  return { byDomain: new Map(graph.agents().map(agent => [agent.domain.index, agent])), byName }
}

/** Agents that end with an entry: it has their result or, for those in the background, says that they ended. */
function endedAgents(graph: Graph, node: number, { byName }: AgentBook): readonly Agent[] {
  if (byName.size === 0) return []
  const { type, kind, head } = graph.node(node)
  if (type === 'result') {
    const agents = found(
      byName,
      graph.toolEnds(node).map(({ id }) => id),
    )
    return agents.length === 0 || isLaunch(graph, node) ? [] : agents
  }
  if (type !== 'notification' && kind !== 'attachment') return []
  const named = [...(head ?? '').matchAll(/<(?:task-id|tool-use-id)>([^<]+)</g)].map(match => match[1] ?? '')
  return found(byName, named)
}

function found(agents: AgentBook['byName'], names: readonly string[]): readonly Agent[] {
  const known = names.flatMap(name => agents.get(name) ?? [])
  return [...new Set(known)]
}

interface Queued {
  readonly key: string
  readonly became: string
  readonly step: QueueStep
}

/** Every typed text that was put into a queue, and what is known of it now. */
function queueSteps(graph: Graph): readonly Queued[] {
  return graph.queues().flatMap(({ file, steps }) => {
    const sent = new Set(steps.map(step => step.node))
    return steps
      .filter(({ note }) => note.operation === 'enqueue' && isTyped(note.text?.head ?? ''))
      .map(step => {
        const became = step.became === 'lost' ? fateOf(graph, file, step, sent) : step.became
        return { key: `${file.facts.path} ${step.note.source.row}`, became, step }
      })
  })
}

/** What has not been sent waits, or is lost, or is about to be sent: where Claude is idle, a text passes through the queue at once. */
function fateOf(
  graph: Graph,
  file: FileRecord,
  { note }: QueueStep,
  sent: ReadonlySet<number | null>,
): 'waiting' | 'lost' | 'passing' {
  const { row } = note.source
  if (file.costStates.some(end => end > row)) return 'lost'
  if (file.nodes.some(node => isOtherPrompt(graph, node, row, sent))) return 'lost'
  const last = file.nodes.findLast(node => ['user', 'assistant'].includes(graph.node(node).kind))
  if (last === undefined) return 'passing'
  const isIdle = graph.node(last).kind === 'assistant' && graph.toolEnds(last).length === 0
  return isIdle && graph.node(last).row < row ? 'passing' : 'waiting'
}

/** The queue empties before anything else is sent: a later prompt that was not queued shows that it is empty. */
function isOtherPrompt(graph: Graph, node: number, row: number, sent: ReadonlySet<number | null>): boolean {
  const { type, row: at, agent } = graph.node(node)
  return at > row && type === 'prompt' && agent === null && !sent.has(node)
}

function isTyped(text: string): boolean {
  return text.trim() !== '' && !/^\s*[<{]/.test(text)
}

const QUEUE_NEWS: Readonly<Record<string, 'queued' | 'recalled' | 'lost'>> = {
  waiting: 'queued',
  recalled: 'recalled',
  lost: 'lost',
}

/** A text that was queued and sent between two looks is not an event: it is there as a prompt. */
function* queueNews(graph: Graph, reported: ReportedEvents): Generator<SessionEvent> {
  for (const { key, became, step } of queueSteps(graph)) {
    const before = reported.queue.get(key)
    if (before === became) continue
    reported.queue.set(key, became)
    const kind = QUEUE_NEWS[became]
    if (kind === undefined || (before === undefined && kind === 'recalled')) continue
    yield { kind, text: step.note.text?.head ?? '', time: step.note.time }
  }
}
