/** What the page of subagents shows, as its address says. */
import { AGENT_RUNS } from '@dagline/core/protocol'
import { pathWith } from '../app/api.js'

/** Filters. Empty texts stand for no filter. */
export interface AgentsView {
  readonly project: string
  readonly session: string
  /** Of the list of runs only. */
  readonly type: string
  readonly state: string
  readonly text: string
  readonly count: number
}

/** Reads the query of an address. */
export function parseAgentsView(query: URLSearchParams): AgentsView {
  const read = (name: string): string => query.get(name) ?? ''
  return {
    project: read('project'),
    session: read('session'),
    type: read('type'),
    state: read('state'),
    text: read('q'),
    count: Math.max(AGENT_RUNS, Number(read('count')) || 0),
  }
}

/** The address of a view. */
export function agentsAddress(view: AgentsView): string {
  return addressAt('/agents', view)
}

/** The path of the API that answers it. */
export function agentsPath(view: AgentsView): string {
  return addressAt('/api/agents', view)
}

function addressAt(path: string, { text, count, ...view }: AgentsView): string {
  return pathWith(path, { ...view, q: text, count: count === AGENT_RUNS ? null : count })
}
