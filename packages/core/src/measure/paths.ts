/**
 * Paths through a graph: from the beginning of a conversation through a node to where it ended. At a fork after the node
 * a path goes on as the conversation did: by the live branch, or else by the branch that was written last.
 *
 *     u1 a1 ─┬─ u2 a2              the path through u2:  u1 a1 u2 a2
 *            └─ u3 a3 ─┬─ u4 a4    the path through u3:  u1 a1 u3 a3 u5 a5
 *                      └─ u5 a5    (live)
 */

import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { none } from '../graph/nodes.js'
import { groupBy } from '../model/group.js'
import { entryId, sessionId } from '../model/ids.js'

/** All nodes of the path through a node, in the order of lines; empty where the node is on no line. */
export function pathThrough(graph: Graph, node: number): readonly number[] {
  const placed = graph.originalOf(node)
  const nodes = pathTo(graph, placed)
  addRest(graph, placed, nodes)
  return nodes
}

/** L12: the nodes of a branch, from a node on it to where it ended. */
export function pathFrom(graph: Graph, node: number): readonly number[] {
  const nodes = [graph.originalOf(node)]
  addRest(graph, nodes[0] ?? node, nodes)
  return nodes
}

/** The node that a name means: a uuid, a line (`session@1f00ab34cd56`), or a session (its last live node). */
export function nodeNamed(graph: Graph, word: string): number | null {
  const node = graph.index(entryId(word))
  if (node !== null) return node
  const file = graph.currentFile(sessionId(word))
  const leaf = file === null ? undefined : graph.live(file.facts.path).at(-1)
  if (leaf !== undefined) return graph.index(graph.id(leaf))
  return graph.lines().find(line => line.id === word && line.head !== null)?.head ?? null
}

/** The lines of agents, by the node with the call that started them. */
export type AgentLines = ReadonlyMap<number, readonly Line[]>

/** Where agents hang. Linear in the lines. */
export function agentLines(graph: Graph): AgentLines {
  const inAgents = graph.lines().filter(line => line.domain.kind === 'agent')
  const domains = groupBy(inAgents, line => line.domain.index)
  const called = inAgents.filter(line => line.kind === 'agent' && line.at !== null)
  const calls = groupBy(called, line => graph.originalOf(line.at ?? none))
  const all = [...calls].map(([call, lines]) => {
    return [call, lines.flatMap(line => domains.get(line.domain.index) ?? [])] as const
  })
  return new Map(all)
}

/** Some nodes with those of all subagents below them. */
interface GatheredNodes {
  /** The nodes themselves first, each once. */
  readonly nodes: readonly number[]
  /** Agents below them. */
  readonly agents: number
}

/** Gathers nodes with those of the agents that were started there, and of the agents that these started. */
export function gatherAgents(nodes: readonly number[], agents: AgentLines): GatheredNodes {
  const all = [...nodes]
  const lines = new Set<Line>()
  for (let index = 0; index < all.length; index++) {
    for (const line of agents.get(all[index] ?? none) ?? []) {
      if (lines.has(line)) continue
      lines.add(line)
      for (const node of line.nodes) all.push(node)
    }
  }
  return { nodes: all, agents: [...lines].filter(({ kind }) => kind === 'agent').length }
}

/** From the beginning to the node. */
export function pathTo(graph: Graph, node: number): number[] {
  const pieces: (readonly number[])[] = []
  const seen = new Set<number>()
  for (let at: number | null = node; at !== null; ) {
    const line: Line | null = graph.lineOf(at)
    if (line === null || seen.has(line.index)) break
    seen.add(line.index)
    pieces.push(line.nodes.slice(0, line.nodes.indexOf(at) + 1))
    at = line.at === null ? null : graph.originalOf(line.at)
  }
  return pieces.reverse().flat()
}

/** From behind the node to the end. */
function addRest(graph: Graph, node: number, nodes: number[]): void {
  let line = graph.lineOf(node)
  let start = (line?.nodes.indexOf(node) ?? 0) + 1
  while (line !== null) {
    const next = nextBranch(graph, line, start)
    const end = next === null ? line.nodes.length : line.nodes.indexOf(next.at ?? none) + 1
    for (let index = start; index < end; index++) nodes.push(line.nodes[index] ?? none)
    line = next
    start = 0
  }
}

/** L12: the branch by which a path that has come to `start` leaves the line; null where it stays on the line. */
function nextBranch(graph: Graph, line: Line, start: number): Line | null {
  const next = line.next === null ? null : (graph.lines()[line.next] ?? null)
  return next !== null && line.nodes.indexOf(next.at ?? none) >= start - 1 ? next : null
}
