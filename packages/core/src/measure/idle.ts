/** S4, S8: sessions that hold nothing but warm-ups, or nothing at all. Lists and totals leave them out and name their number. */

import type { Graph } from '../graph/graph.js'
import type { Session } from '../graph/sessions.js'
import type { SessionId } from '../model/ids.js'

interface Tally {
  /** Entries of the main conversation. */
  nodes: number
  turns: number
  warmups: number
  agents: number
  warmupAgents: number
}

/** The ids of the sessions of a graph that are idle. A session that is a copy of another is not. Linear in the nodes. */
export function idleSessions(graph: Graph): ReadonlySet<SessionId> {
  const tallies = tallySessions(graph)
  const idle = graph.sessions().filter(session => isIdle(session, tallies.get(session.id) ?? newTally()))
  return new Set(idle.map(({ id }) => id))
}

function newTally(): Tally {
  return { nodes: 0, turns: 0, warmups: 0, agents: 0, warmupAgents: 0 }
}

function tallySessions(graph: Graph): ReadonlyMap<SessionId, Tally> {
  const tallies = new Map<SessionId, Tally>()
  const of = (session: SessionId): Tally => {
    const tally = tallies.get(session) ?? newTally()
    tallies.set(session, tally)
    return tally
  }
  for (const { domain, nodes } of graph.lines()) {
    if (domain.kind !== 'session') continue
    const tally = of(domain.session)
    tally.nodes += nodes.length
    for (const node of nodes) {
      if (!graph.startsTurn(node)) continue
      tally.turns++
      if (graph.node(node).head?.trim() === 'Warmup') tally.warmups++
    }
  }
  for (const { state, domain } of graph.agents()) {
    if (state === 'warmup') of(domain.session).warmupAgents++
    else of(domain.session).agents++
  }
  return tallies
}

function isIdle({ files }: Session, { nodes, turns, warmups, agents, warmupAgents }: Tally): boolean {
  if (nodes > 0) return turns > 0 && turns === warmups
  return (warmupAgents > 0 && agents === 0) || files.every(file => file.nodes.length === 0)
}
