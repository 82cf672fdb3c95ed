/** X13: every subagent with its own figures, less what its messages cost, which the graph does not know. */
import type { AgentState } from '../graph/agents.js'
import type { Graph } from '../graph/graph.js'
import { none, spawnCalls, timeOf } from '../graph/nodes.js'
import { addTime, emptyRange } from '../graph/order.js'
import { nodesByDomain, timesOf, turnsByDomain, workOf } from './agents.js'
import { type Invocation, listInvocations, type Turn, turnsOf } from './scope.js'

/** A subagent. */
export interface ListedAgent {
  readonly session: string
  /** Its id; null where the call left no conversation. */
  readonly agent: string | null
  /** The id of its line, which is a REF; null where the call left no conversation. */
  readonly line: string | null
  /** Its first entry, or its call where it left none. */
  readonly node: string | null
  /** Its type, such as `Explore`. */
  readonly name: string
  /** What it was for, as far as that is kept. */
  readonly description: string | null
  readonly state: AgentState | 'missing'
  readonly depth: number
  /** When it was called or began, and its last entry; null where no entry is dated. */
  readonly first: number | null
  readonly last: number | null
  readonly turns: number
  readonly tools: number
  readonly errors: number
  /** From each prompt to the last entry before the next, added up, in milliseconds; null without a prompt. */
  readonly duration: number | null
}

/** The subagents of a graph, and the calls that left none. */
export function listAgents(graph: Graph): readonly ListedAgent[] {
  if (graph.agents().length === 0 && spawnCalls(graph).length === 0) return []
  const lines = graph.lines()
  const agentOf = new Map(graph.agents().map(agent => [agent.domain.index, agent]))
  const turns = lines.filter(({ domain }) => domain.kind === 'agent').flatMap(line => turnsOf(graph, line))
  const known: Known = {
    graph,
    nodes: nodesByDomain({ lines }),
    turns: turnsByDomain({ turns }),
    lines: new Map(lines.flatMap(({ kind, domain, id }) => (kind === 'agent' ? [[domain.index, id]] : []))),
    prompts: new Map(spawnCalls(graph).map(({ call }) => [call.id, call.prompt?.head ?? ''])),
  }
  return listInvocations(graph, { lines, agents: graph.agents(), agentOf, turns }).map(invocation =>
    describe(known, invocation),
  )
}

/** What is looked up for every agent. */
interface Known {
  readonly graph: Graph
  /** By conversation. */
  readonly nodes: ReadonlyMap<number, readonly number[]>
  readonly turns: ReadonlyMap<number, readonly Turn[]>
  readonly lines: ReadonlyMap<number, string>
  /** What calls ask for, by their ids. */
  readonly prompts: ReadonlyMap<string, string>
}

function describe({ graph, nodes, turns, lines, prompts }: Known, invocation: Invocation): ListedAgent {
  const { agent, name, call, from, depth } = invocation
  const domain = agent?.domain.index ?? none
  const own = nodes.get(domain) ?? []
  const range = emptyRange()
  for (const node of [call?.node ?? none, ...own]) addTime(range, timeOf(graph, node))
  const { prompts: count, durations } = timesOf({ graph }, turns.get(domain) ?? [])
  const { toolCalls, errors } = workOf({ graph }, own)
  const first = own[0] ?? call?.node ?? none
  return {
    session: agent?.domain.session ?? from?.domain.session ?? '',
    agent: agent?.id ?? null,
    line: lines.get(domain) ?? null,
    node: first === none ? null : graph.id(first),
    name,
    description: descriptionOf(graph, invocation, own[0] ?? none) ?? prompts.get(call?.id ?? '') ?? null,
    state: agent?.state ?? 'missing',
    depth,
    first: range.first,
    last: range.last,
    turns: count,
    tools: toolCalls,
    errors,
    duration: count === 0 ? null : durations.total,
  }
}

function descriptionOf(graph: Graph, { agent }: Invocation, head: number): string | null {
  return agent?.meta?.description ?? (head === none ? null : graph.node(head).head)
}
