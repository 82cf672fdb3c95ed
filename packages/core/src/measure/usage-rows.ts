/** X4: the messages of a project with whose they are: session, agent, branch, and what became of it. */

import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import type { MessageUsage, UsageRow } from '../model/billing.js'
import { entryId } from '../model/ids.js'
import { mergeRows } from './usage-messages.js'

/** What one assistant record says of its message, and where it stands. */
export interface UsagePart {
  readonly usage: MessageUsage
  /** The record's uuid; null for the rare one without. */
  readonly entry: string | null
  readonly session: string | null
  readonly version: string | null
}

/** The name of the project that a session belongs to. */
export type ProjectOf = (session: string) => string

/** Joins the parts of each message and says whose it is; linear in the parts. A repeated part changes nothing. */
export function placeUsage(
  graph: Graph,
  parts: Iterable<UsagePart>,
  projectOf: ProjectOf,
): readonly UsageRow[] {
  const placeOf = placeReader(graph)
  const messages = new Map<string, UsageRow>()
  for (const { usage, entry, session, version } of parts) {
    const place = placeOf(entry) ?? {
      session: session ?? '',
      agent: null,
      line: session ?? '',
      status: 'live',
    }
    const row: UsageRow = { ...usage, ...place, project: projectOf(place.session), version }
    const known = messages.get(usage.message)
    messages.set(usage.message, known === undefined ? row : mergeRows(known, row))
  }
  return [...messages.values()]
}

type Place = Pick<UsageRow, 'session' | 'agent' | 'line' | 'status'>

/** Asks for the place of an entry; what is the same for a whole line is found once. */
function placeReader(graph: Graph): (entry: string | null) => Place | null {
  const agents = new Map(graph.agents().map(({ domain, name }) => [domain.index, name]))
  const known = new Map<number, Place>()
  return entry => {
    const node = entry === null ? null : graph.index(entryId(entry))
    const line = node === null ? null : graph.lineOf(node)
    if (node === null || line === null) return null
    let place = known.get(line.index)
    if (place === undefined) {
      const { id, status } = branchOf(graph, line)
      place = { session: line.domain.session, agent: agents.get(line.domain.index) ?? null, line: id, status }
      known.set(line.index, place)
    }
    return place
  }
}

/** Agents within agents are few; more steps than this are a circle. */
const MOST_STEPS = 100

/** The branch of the session that an agent was spawned on; an abandoned attempt of the agent itself stays its own. */
export function branchOf(graph: Graph, line: Line): Line {
  let branch = line
  for (let step = 0; step < MOST_STEPS && branch.domain.kind === 'agent'; step++) {
    if (branch.kind === 'branch' && branch.status !== 'live') return branch
    const above = branch.at === null ? null : graph.lineOf(branch.at)
    if (above === null) return branch
    branch = above
  }
  return branch
}
