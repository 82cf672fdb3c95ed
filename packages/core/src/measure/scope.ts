/** What all tables are counted on: the lines in scope, cut into turns, and the agents with the calls that made them. */
import type { Agent } from '../graph/agents.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { entryOf, isPlaced, messageOf, none, spawnCalls } from '../graph/nodes.js'
import type { Usage } from '../model/entry.js'
import type { MessageId, SessionId } from '../model/ids.js'
import { type Call, callsIn } from './tools.js'

/** What measuring needs to be told. */
export interface MeasureOptions {
  /** The sessions to count, by id; all unless given. */
  readonly sessions?: ReadonlySet<string>
  /** `2026-01-31`, in the reader's time zone. */
  readonly dayOf: (time: number) => string
  /** 0 to 23, in the reader's time zone. */
  readonly hourOf: (time: number) => number
  /** The price of a message in dollars, by its `message.id`: the graph keeps no models. Null where it is not known. */
  readonly costOf?: (message: MessageId) => number | null
  /** The words of an answer: the graph does not keep them. */
  readonly wordsOf?: (node: number) => string | null
}

/** S6: what begins a turn, and everything on its line up to the next turn, without local commands. */
export interface Turn {
  readonly line: Line
  readonly prompt: number
  /** The prompt first. */
  readonly nodes: readonly number[]
}

/** An agent that was called, or a call whose agent left no conversation. */
export interface Invocation {
  /** Null where nothing of the agent is there: it never started, or its file is gone. */
  readonly agent: Agent | null
  readonly name: string
  /** The call; null where it is not known. */
  readonly call: Call | null
  /** The line the call stands on. */
  readonly from: Line | null
  /** The prompt of the turn in which the call was made. */
  readonly prompt: number
  readonly depth: number
  /** The message that has the call; calls of one message run side by side. */
  readonly batch: string | null
  /** How many agents the same message called, this one included. */
  readonly abreast: number
}

/** Everything that is looked up, for one scope of a graph. */
export interface MeasureScope {
  readonly graph: Graph
  readonly options: MeasureOptions
  readonly lines: readonly Line[]
  /** The conversations in scope. */
  readonly domains: ReadonlySet<number>
  readonly agents: readonly Agent[]
  readonly agentOf: ReadonlyMap<number, Agent>
  readonly turns: readonly Turn[]
  readonly invocations: readonly Invocation[]
  readonly usage: ReadonlyMap<string, Usage>
}

/** Prepares the tables. Linear in the nodes in scope. */
export function openScope(graph: Graph, options: MeasureOptions): MeasureScope {
  const inScope = ({ domain }: Line | Agent): boolean => options.sessions?.has(domain.session) ?? true
  const lines = graph.lines().filter(inScope)
  const agents = graph.agents().filter(inScope)
  const turns = lines.flatMap(line => turnsOf(graph, line))
  const agentOf = new Map(graph.agents().map(agent => [agent.domain.index, agent]))
  return {
    graph,
    options,
    lines,
    domains: new Set(lines.map(line => line.domain.index)),
    agents,
    agentOf,
    turns,
    invocations: listInvocations(graph, { lines, agents, agentOf, turns }),
    usage: new Map([...graph.usage()].map(({ message, usage }) => [message, usage])),
  }
}

/** The turns of a line. */
export function turnsOf(graph: Graph, line: Line): readonly Turn[] {
  const starts = line.nodes.flatMap((node, index) => (graph.startsTurn(node) ? [index] : []))
  return starts.map((start, nth) => ({
    line,
    prompt: line.nodes[start] ?? none,
    nodes: line.nodes.slice(start, starts[nth + 1]).filter(node => !graph.isLocal(node)),
  }))
}

/** Calls for an agent of which nothing was kept, by the session that called. */
export function countLostCalls(graph: Graph): ReadonlyMap<SessionId, number> {
  const agentOf = new Map(graph.agents().map(agent => [agent.domain.index, agent]))
  const counts = new Map<SessionId, number>()
  for (const { call } of lostCalls(graph, { lines: graph.lines(), agentOf })) {
    const session = call === null ? undefined : graph.lineOf(call.node)?.domain.session
    if (session !== undefined) counts.set(session, (counts.get(session) ?? 0) + 1)
  }
  return counts
}

type Known = Pick<MeasureScope, 'lines' | 'agents' | 'agentOf' | 'turns'>

/** Every agent in scope with its call, and every call that has no agent. */
export function listInvocations(graph: Graph, known: Known): readonly Invocation[] {
  const made = [...agentCalls(graph, known), ...lostCalls(graph, known)]
  const abreast = new Map<string, number>()
  for (const { call } of made) if (call !== null) count(abreast, batchOf(graph, call.node))
  const prompts = promptsOf(made, known)
  return made.map(({ agent, name, call }): Invocation => {
    const from = call === null ? null : graph.lineOf(call.node)
    const batch = call === null ? null : batchOf(graph, call.node)
    return {
      agent,
      name,
      call,
      from,
      prompt: call === null ? none : (prompts.get(call.node) ?? none),
      depth: agent?.depth ?? depthBelow(known, from),
      batch,
      abreast: batch === null ? 1 : (abreast.get(batch) ?? 1),
    }
  })
}

type Made = Pick<Invocation, 'agent' | 'name' | 'call'>

function agentCalls(graph: Graph, { agents }: Known): readonly Made[] {
  return agents.map(agent => {
    const { spawnedBy } = agent
    const node = spawnedBy === null ? none : graph.originalOf(spawnedBy.node)
    const call = node === none ? undefined : callsIn(graph, node).find(({ id }) => id === spawnedBy?.call.id)
    return { agent, name: agent.name, call: call ?? null }
  })
}

/** Calls with a prompt for an agent that started none. A call that wakes a known agent does not count. */
function lostCalls(graph: Graph, { lines, agentOf }: Pick<Known, 'lines' | 'agentOf'>): readonly Made[] {
  const inScope = new Set(lines.map(line => line.index))
  const agents = [...agentOf.values()]
  const claimed = new Set(agents.map(({ spawnedBy }) => spawnedBy?.call.id))
  const names = new Set<string>(agents.map(({ id }) => id))
  const isWaking = ({ result }: Call): boolean => {
    const entry = entryOf(graph, result)
    return entry?.kind === 'user' && names.has(entry.spawn?.agent ?? '')
  }
  const callsAt = new Map<number, ReadonlyMap<string, Call>>()
  const callOf = (node: number, id: string): Call | undefined => {
    const calls = callsAt.get(node) ?? firstById(callsIn(graph, node))
    callsAt.set(node, calls)
    return calls.get(id)
  }
  return spawnCalls(graph).flatMap(({ node, call }) => {
    if (call.prompt === null || claimed.has(call.id) || !isPlaced(graph, node)) return []
    if (!inScope.has(graph.lineOf(node)?.index ?? none)) return []
    const made = callOf(node, call.id)
    if (made === undefined || isWaking(made)) return []
    return [{ agent: null, name: call.agentType ?? 'unknown', call: made }]
  })
}

/** Calls by their ids; of those with the same id the first. */
function firstById(calls: readonly Call[]): ReadonlyMap<string, Call> {
  return new Map(calls.map(call => [call.id, call] as const).reverse())
}

/** What tells apart the messages that call. */
function batchOf(graph: Graph, node: number): string {
  const message = messageOf(graph, node)
  return message === none ? `node ${node}` : `message ${message}`
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The prompts of the turns in which calls stand, by the node of the call. */
function promptsOf(made: readonly Made[], { turns }: Known): ReadonlyMap<number, number> {
  const calls = new Set(made.map(({ call }) => call?.node ?? none))
  const prompts = new Map<number, number>()
  for (const { prompt, nodes } of turns)
    for (const node of nodes) if (calls.has(node)) prompts.set(node, prompt)
  return prompts
}

function depthBelow({ agentOf }: Known, from: Line | null): number {
  return 1 + (from === null ? 0 : (agentOf.get(from.domain.index)?.depth ?? 0))
}

/** Who speaks on a line: `Claude`, or the agent's name. */
export function speakerOn({ agentOf }: Pick<MeasureScope, 'agentOf'>, line: Line): string {
  return line.domain.kind === 'session' ? 'Claude' : (agentOf.get(line.domain.index)?.name ?? 'unknown')
}
