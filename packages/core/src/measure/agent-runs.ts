/** Agents session by session: what a page about all of them is made of, and can be narrowed to some. */
import type { AgentState } from '../graph/agents.js'
import type { Graph } from '../graph/graph.js'
import { none, spawnCalls, timeOf } from '../graph/nodes.js'
import { groupBy } from '../model/group.js'
import { type EntryId, type SessionId, sessionId } from '../model/ids.js'
import { type AgentStats, countAgents } from './agents.js'
import { countDelegation, type DelegationStats } from './delegation.js'
import { type Invocation, type MeasureOptions, type MeasureScope, openScope } from './scope.js'

/** The agents of one session. */
export interface SessionAgents {
  readonly session: SessionId
  readonly agents: readonly AgentStats[]
  /** S8: those that only warm the cache, which are not counted as agents. */
  readonly warmups: readonly AgentStats[]
  readonly delegation: readonly DelegationStats[]
  /** The newest first. */
  readonly runs: readonly AgentRun[]
}

/** An agent at work. */
export interface AgentRun {
  readonly name: string
  readonly state: AgentState | 'missing'
  readonly depth: number
  /** When it was called, or began. */
  readonly time: number | null
  /** Its first entry, or its call where it left none. */
  readonly node: EntryId | null
  /** What it was for, as far as that is kept. */
  readonly words: string | null
}

/** Measures the agents of a graph by the sessions that called them; sessions without any are left out. */
export function measureAgents(graph: Graph, options: MeasureOptions): readonly SessionAgents[] {
  const scope = openScope(graph, options)
  const known: Known = { graph, heads: headsOf(scope), prompts: promptsOf(graph) }
  return splitScope(scope).map(([session, part]) => {
    const invocations = part.invocations.filter(each => !isWarmup(each))
    return {
      session,
      agents: countAgents({ ...part, invocations }),
      warmups: countAgents({ ...part, invocations: part.invocations.filter(isWarmup) }),
      delegation: countDelegation(part),
      runs: invocations
        .map(invocation => runOf(known, invocation))
        .sort((a, b) => (b.time ?? 0) - (a.time ?? 0)),
    }
  })
}

function isWarmup({ agent }: Invocation): boolean {
  return agent?.state === 'warmup'
}

/** What is looked up for every run. */
interface Known {
  readonly graph: Graph
  /** The first node of each agent, by its conversation. */
  readonly heads: ReadonlyMap<number, number | null>
  /** What calls ask for, by their ids. */
  readonly prompts: ReadonlyMap<string, string>
}

function promptsOf(graph: Graph): ReadonlyMap<string, string> {
  return new Map(spawnCalls(graph).map(({ call }) => [call.id, call.prompt?.head ?? '']))
}

function headsOf({ lines }: MeasureScope): ReadonlyMap<number, number | null> {
  return new Map(lines.filter(({ kind }) => kind === 'agent').map(({ domain, head }) => [domain.index, head]))
}

/** The scope of each session that called agents. */
function splitScope(scope: MeasureScope): readonly (readonly [SessionId, MeasureScope])[] {
  const { lines, turns, invocations } = scope
  const linesOf = groupBy(lines, ({ domain }) => domain.session)
  const turnsOf = groupBy(turns, ({ line }) => line.domain.session)
  return [...groupBy(invocations, sessionOf)].map(([session, own]) => {
    const part = { lines: linesOf.get(session) ?? [], turns: turnsOf.get(session) ?? [], invocations: own }
    return [session, { ...scope, ...part }]
  })
}

function sessionOf({ agent, from }: Invocation): SessionId {
  return agent?.domain.session ?? from?.domain.session ?? sessionId('')
}

function runOf({ graph, heads, prompts }: Known, { agent, name, call, depth }: Invocation): AgentRun {
  const head = agent === null ? none : (heads.get(agent.domain.index) ?? none)
  const node = head === none ? (call?.node ?? none) : head
  const time = [timeOf(graph, call?.node ?? none), timeOf(graph, head)].find(known => !Number.isNaN(known))
  const asked = head === none ? null : graph.node(head).head
  return {
    name,
    state: agent?.state ?? 'missing',
    depth,
    time: time ?? null,
    node: node === none ? null : graph.id(node),
    words: agent?.meta?.description ?? asked ?? prompts.get(call?.id ?? '') ?? null,
  }
}
