/**
 * Sessions as small pictures: how long the conversation is, and what leaves it where.
 *
 *   -----o------|-----o----      the conversation, from left to right
 *        \__ b    c    \__ a     an abandoned branch, a compaction, a subagent
 */

import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { isApiError, nodeCount, none } from '../graph/nodes.js'
import { pushTo } from '../model/group.js'
import type { SessionId } from '../model/ids.js'
import type { SessionShape } from '../protocol/messages.js'

type Mark = SessionShape['marks'][number]

/** More marks than this cannot be told apart in a picture. */
const MOST_MARKS = 80

/** A small picture of each session of a graph, by its id: its length, and where branches, subagents and compactions are. */
export function shapeSessions(graph: Graph): ReadonlyMap<SessionId, SessionShape> {
  const positions = positionsOf(graph)
  const lengths = lengthsOf(graph, positions)
  const marks = new Map<SessionId, Mark[]>()
  for (const { session, kind, at, size } of eventsOf(graph, positions)) {
    const rows = lengths.get(session) ?? 0
    if (rows === 0) continue
    pushTo(marks, session, [kind, share(at, rows), share(size, rows)])
  }
  return new Map(
    [...lengths].map(([session, rows]) => [session, { rows, marks: thinned(marks.get(session) ?? []) }]),
  )
}

function share(part: number, whole: number): number {
  return Math.min(1000, Math.round((part / whole) * 1000))
}

/** Where lines begin on the conversation from left to right, and where nodes are on their line. */
interface Positions {
  /** By line; abandoned branches and subagents begin where they leave. */
  readonly begin: Float64Array
  /** By sighting. */
  readonly nth: Int32Array
}

function positionsOf(graph: Graph): Positions {
  const begin = new Float64Array(graph.lines().length).fill(Number.NaN)
  const nth = new Int32Array(nodeCount(graph))
  for (const { nodes } of graph.lines()) for (const [index, node] of nodes.entries()) nth[node] = index
  for (const line of graph.lines()) setBegin(graph, line, { begin, nth })
  return { begin, nth }
}

/** The lines above first. A line that leads to itself, or to another session, begins at the left. */
function setBegin(graph: Graph, line: Line, { begin, nth }: Positions): void {
  const chain: Line[] = []
  let above: Line | null = line
  while (above !== null && Number.isNaN(begin[above.index])) {
    begin[above.index] = 0
    chain.push(above)
    above = aboveOf(graph, above)
  }
  for (const next of chain.reverse()) {
    const parent = aboveOf(graph, next)
    begin[next.index] = parent === null ? 0 : (begin[parent.index] ?? 0) + (nth[next.at ?? none] ?? 0) + 1
  }
}

/** The line that a line leaves, in the same session. */
function aboveOf(graph: Graph, line: Line): Line | null {
  const above = line.at === null ? null : graph.lineOf(line.at)
  return above !== null && above.domain.session === line.domain.session ? above : null
}

/** How long the conversation of each session is: where its live lines end. */
function lengthsOf(graph: Graph, { begin }: Positions): ReadonlyMap<SessionId, number> {
  const lengths = new Map<SessionId, number>()
  for (const { domain, status, nodes, index } of graph.lines()) {
    if (domain.kind !== 'session' || status !== 'live') continue
    const end = (begin[index] ?? 0) + nodes.length
    lengths.set(domain.session, Math.max(lengths.get(domain.session) ?? 0, end))
  }
  return lengths
}

interface Event {
  readonly session: SessionId
  readonly kind: Mark[0]
  readonly at: number
  readonly size: number
}

function* eventsOf(graph: Graph, positions: Positions): Generator<Event> {
  const { begin, nth } = positions
  for (const line of graph.lines()) {
    const { domain, nodes, index } = line
    const at = begin[index] ?? 0
    if (line.kind === 'agent' && nodes.length > 0) yield event(line, 'a', at)
    else if (line.kind === 'branch' && line.status !== 'live' && domain.kind === 'session')
      yield event(line, 'b', at)
    if (domain.kind === 'session' && line.status === 'live') yield* errorsOn(graph, line, at)
  }
  for (const { boundary } of graph.epochs()) {
    const line = graph.lineOf(boundary)
    if (line === null || line.domain.kind !== 'session') continue
    const at = (begin[line.index] ?? 0) + (nth[boundary] ?? 0)
    yield { session: line.domain.session, kind: 'c', at, size: 0 }
  }
}

function event({ domain, nodes }: Line, kind: Mark[0], at: number): Event {
  return { session: domain.session, kind, at, size: nodes.length }
}

/** Failed requests. Failed calls are too frequent to be marked. */
function* errorsOn(graph: Graph, { domain, nodes }: Line, begin: number): Generator<Event> {
  for (const [index, node] of nodes.entries()) {
    if (isApiError(graph, node)) yield { session: domain.session, kind: 'e', at: begin + index, size: 0 }
  }
}

/** By position; of too many, every second, third, ... one. */
function thinned(marks: readonly Mark[]): readonly Mark[] {
  const sorted = [...marks].sort((a, b) => a[1] - b[1])
  const step = Math.ceil(sorted.length / MOST_MARKS)
  return step <= 1 ? sorted : sorted.filter((_, at) => at % step === 0)
}
