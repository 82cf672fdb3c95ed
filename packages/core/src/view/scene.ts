/** Where lines leave and come home: everything a walk looks up, found once for a session. */

import type { Agent } from '../graph/agents.js'
import type { Graph, SessionJunction } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import {
  domainOf,
  entryOf,
  findTool,
  none,
  ownerOf,
  placedNode,
  resultsOf,
  taskNotifications,
} from '../graph/nodes.js'
import { groupBy, lazily } from '../model/group.js'
import type { SessionId } from '../model/ids.js'
import { countMessages } from './order.js'

export interface Scene {
  /** All lines of the session, agents included. */
  readonly lines: readonly Line[]
  readonly trunk: Line | null
  /** Branches that leave no node of the session: other beginnings. */
  readonly beginnings: readonly Line[]
  readonly branchesAt: ReadonlyMap<number, readonly Line[]>
  readonly agentsAt: ReadonlyMap<number, readonly Line[]>
  /** Agents by the node that has their result or says that they ended. */
  readonly agentsHome: ReadonlyMap<number, readonly Line[]>
  /** That node, by agent line. */
  readonly homeOf: ReadonlyMap<number, number>
  /** Agents that hang on nothing that is known. */
  readonly strays: readonly Line[]
  readonly agentOf: ReadonlyMap<number, Agent>
  readonly junctions: ReadonlyMap<number, readonly SessionJunction[]>
  /** Messages of a line and of all lines that leave it, by line. */
  readonly sizes: () => ReadonlyMap<number, number>
}

/** Finds the scene of a session, by its id. */
export function sceneOf(graph: Graph, session: SessionId): Scene {
  const agents = agentLines(graph, session)
  const lines = graph.lines().filter(line => line.domain.session === session)
  const branches = lines.filter(line => line.kind === 'branch')
  const scene = {
    trunk: lines.find(line => line.kind === 'trunk') ?? null,
    beginnings: branches.filter(line => line.domain.kind === 'session' && leavesElsewhere(graph, line)),
    lines,
    branchesAt: groupBy(
      graph.lines().filter(line => line.kind === 'branch' && !leavesElsewhere(graph, line)),
      line => line.at ?? none,
    ),
    agentsAt: groupBy(agents.spawned, line => spawnNode(graph, agents.of.get(line.index))),
    ...homes(graph, agents),
    strays: agents.strays,
    agentOf: agents.of,
    junctions: junctions(graph),
  }
  // Only folded lines show their sizes.
  return { ...scene, sizes: lazily(() => sizesOf(graph, scene)) }
}

/** A branch whose fork is between roots, or stands in another session. */
function leavesElsewhere(graph: Graph, line: Line): boolean {
  return line.at === null || domainOf(graph, line.at).index !== line.domain.index
}

/** The node that an agent hangs on, or its original where that is a copy. */
function spawnNode(graph: Graph, agent: Agent | undefined): number {
  return placedNode(graph, agent?.at ?? none)
}

interface AgentLines {
  readonly of: Map<number, Agent>
  readonly spawned: Line[]
  readonly strays: Line[]
}

function agentLines(graph: Graph, session: SessionId): AgentLines {
  const byDomain = new Map(graph.agents().map(agent => [agent.domain.index, agent]))
  const found: AgentLines = { of: new Map(), spawned: [], strays: [] }
  for (const line of graph.lines()) {
    const agent = line.kind === 'agent' ? byDomain.get(line.domain.index) : undefined
    if (agent === undefined) continue
    found.of.set(line.index, agent)
    if (agent.at !== null) found.spawned.push(line)
    else if (line.domain.session === session) found.strays.push(line)
  }
  return found
}

function homes(graph: Graph, agents: AgentLines): Pick<Scene, 'agentsHome' | 'homeOf'> {
  const ends = taskNotifications(graph)
  const homeOf = new Map<number, number>()
  for (const line of agents.spawned) {
    const agent = agents.of.get(line.index)
    const home = agent === undefined ? none : homeFor(graph, agent, ends)
    if (home !== none) homeOf.set(line.index, home)
  }
  const came = agents.spawned.filter(line => homeOf.has(line.index))
  return { homeOf, agentsHome: groupBy(came, line => homeOf.get(line.index) ?? none) }
}

/** The result of the agent's call; for one in the background the notification of its end, if it came. */
function homeFor(graph: Graph, agent: Agent, ends: ReadonlyMap<string, number>): number {
  const call = agent.spawnedBy?.call.id ?? ''
  const results = resultsOf(graph, findTool(graph, call))
  const result = results.find(node => ownerOf(graph, node) === node) ?? none
  return result === none || isLaunch(graph, result) ? (ends.get(agent.id) ?? ends.get(call) ?? none) : result
}

/** Whether a result says only that a subagent was started in the background: the call has not ended with it. */
export function isLaunch(graph: Graph, result: number): boolean {
  const entry = entryOf(graph, result)
  return entry?.kind === 'user' && (entry.spawn?.async === true || entry.spawn?.mate === true)
}

/** S2: sessions by the node they attach to. */
function junctions(graph: Graph): ReadonlyMap<number, readonly SessionJunction[]> {
  return groupBy(graph.junctions(), junction => junction.at)
}

type Leaving = Pick<Scene, 'branchesAt' | 'agentsAt'>

/** Sizes from the leaves up: every line is met after those that leave it. */
function sizesOf(graph: Graph, scene: Leaving): ReadonlyMap<number, number> {
  const { lineOf } = graph.layout()
  const sizes = new Map<number, number>()
  const parents = new Map<number, number>()
  const order: number[] = []
  for (const [node, lines] of [...scene.branchesAt, ...scene.agentsAt])
    for (const line of lines) parents.set(line.index, lineOf[node] ?? none)
  const waiting = new Map<number, number>()
  for (const parent of parents.values()) waiting.set(parent, (waiting.get(parent) ?? 0) + 1)
  for (const line of graph.lines()) {
    sizes.set(line.index, countMessages(graph, line.nodes))
    if (!waiting.has(line.index)) order.push(line.index)
  }
  for (let i = 0; i < order.length; i++) {
    const line = order[i] ?? none
    const parent = parents.get(line)
    if (parent === undefined || parent === none) continue
    sizes.set(parent, (sizes.get(parent) ?? 0) + (sizes.get(line) ?? 0))
    const left = (waiting.get(parent) ?? 0) - 1
    waiting.set(parent, left)
    if (left === 0) order.push(parent)
  }
  return sizes
}
