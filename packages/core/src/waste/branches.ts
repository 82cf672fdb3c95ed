/** X42: branches that rewinds and retries left behind, and subagents that never reported. */

import { plural } from '../format/index.js'
import type { Agent } from '../graph/agents.js'
import type { Graph } from '../graph/graph.js'
import type { Line, LineStatus } from '../graph/lines.js'
import { isAnswer, knownTimeOf, messageIdOf, messageOf, none } from '../graph/nodes.js'
import { agentLines, gatherAgents } from '../measure/paths.js'
import { callsIn } from '../measure/tools.js'
import { branchOf } from '../measure/usage-messages.js'
import { groupBy } from '../model/group.js'
import { type Found, headOf } from './found.js'

/** The branches that are not live, less those that another session goes on from. */
export function findAbandoned(graph: Graph): readonly Found[] {
  const lines = graph.lines()
  const branches = lines.map(line => branchOf(graph, line).index)
  const live = messagesOn(
    graph,
    lines
      .filter(({ index }) => lines[branches[index] ?? none]?.status === 'live')
      .flatMap(({ nodes }) => nodes),
  )
  const continued = new Set(graph.junctions().map(({ at }) => branches[graph.lineOf(at)?.index ?? none]))
  return [...groupBy(lines, ({ index }) => branches[index] ?? none)].flatMap(([start, parts]) => {
    const branch = lines[start]
    if (branch === undefined || branch.status === 'live' || branch.status === 'copy' || continued.has(start))
      return []
    const nodes = parts.flatMap(line => line.nodes)
    const messages = [...messagesOn(graph, nodes)].filter(message => !live.has(message))
    return messages.length === 0 ? [] : [abandonedBranch(graph, branch, nodes, messages)]
  })
}

function abandonedBranch(
  graph: Graph,
  branch: Line,
  nodes: readonly number[],
  messages: readonly string[],
): Found {
  return {
    kind: 'rewind',
    session: branch.domain.session,
    what: headOf(
      graph,
      nodes.find(node => graph.startsTurn(node)),
    ),
    why: `${plural(messages.length, 'request')} on a branch that ${ABANDONED_BY[branch.status]}.`,
    refs: [branch.id],
    time: firstTime(graph, nodes),
    claims: messages.map(message => ({ take: 'all', message })),
  }
}

const ABANDONED_BY: Readonly<Record<LineStatus, string>> = {
  abandoned: 'a rewind abandoned',
  'taken-back': 'ended when its prompt was taken back',
  retry: 'ended in a failed request and was tried again',
  live: 'is live',
  copy: 'is a copy',
}

/** Subagents whose call failed, or was given up: what they had found out reached nobody. */
export function findGivenUpAgents(graph: Graph): readonly Found[] {
  const calls = agentLines(graph)
  const byDomain = groupBy(graph.lines(), ({ domain }) => domain.index)
  return graph.agents().flatMap(agent => {
    const end = agent.state === 'incomplete' ? endOf(graph, agent) : null
    const lines = byDomain.get(agent.domain.index) ?? []
    const own = lines.flatMap(line => line.nodes)
    const messages = [...messagesOn(graph, gatherAgents(own, calls).nodes)]
    const line = lines.find(({ kind }) => kind === 'agent')
    if (end === null || line === undefined || messages.length === 0) return []
    const found: Found = {
      kind: 'subagent',
      session: agent.domain.session,
      what: `${agent.name}: ${agent.meta?.description ?? headOf(graph, own[0])}`,
      why: `${plural(messages.length, 'request')} of a subagent ${end}.`,
      refs: [...(agent.spawnedBy === null ? [] : [graph.id(agent.spawnedBy.node)]), line.id],
      time: firstTime(graph, own),
      claims: messages.map(message => ({ take: 'all', message })),
    }
    return [found]
  })
}

/** How a subagent without a last answer ended; null where it may still be at work, or nothing tells. */
function endOf(graph: Graph, { spawnedBy }: Agent): string | null {
  const node = spawnedBy === null ? none : graph.originalOf(spawnedBy.node)
  const call = node === none ? undefined : callsIn(graph, node).find(({ id }) => id === spawnedBy?.call.id)
  if (call === undefined) return null
  if (call.ending === 'interrupted' || call.ending === 'denied') return 'that you stopped'
  if (call.ending === 'error') return 'whose call failed'
  return call.ending === null && hasLaterTurn(graph, node) ? 'that never reported' : null
}

function hasLaterTurn(graph: Graph, node: number): boolean {
  const nodes = graph.lineOf(node)?.nodes ?? []
  return nodes.slice(nodes.indexOf(node) + 1).some(later => graph.startsTurn(later))
}

function messagesOn(graph: Graph, nodes: readonly number[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const node of nodes) {
    const message = isAnswer(graph, node) ? messageOf(graph, node) : none
    if (message !== none) found.add(messageIdOf(graph, message))
  }
  return found
}

function firstTime(graph: Graph, nodes: readonly number[]): number | null {
  for (const node of nodes) {
    const time = knownTimeOf(graph, node)
    if (time !== null) return time
  }
  return null
}
