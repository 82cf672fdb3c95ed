/** The page of agents: agents by type, who delegates to whom, and all runs in parts. */

import {
  type AgentStats,
  joinAgents,
  joinDelegation,
  quantileOf,
  type SessionAgents,
} from '@dagline/core/measure'
import { AGENT_RUNS, type AgentKind, type AgentsPage } from '@dagline/core/protocol'
import type { SessionFact } from '@dagline/store'
import type { LiveContext } from '../live/context.js'
import type { Look } from '../live/survey.js'
import { projectsOf, sessionName } from './projects.js'

/** Which agents: of one project or session; and which of their runs are listed. */
export interface AgentsOptions extends RunsOptions {
  readonly project?: string | undefined
  readonly session?: string | undefined
}

/** V20: filters of the list of runs. They change no other figure of the page. */
interface RunsOptions {
  readonly type?: string | undefined
  readonly state?: string | undefined
  /** Words in the type, the task or the title of the session. */
  readonly q?: string | undefined
  /** How many runs to list. */
  readonly count?: number | undefined
}

/** The page of agents, from what is known so far. */
export function agentsPage(context: LiveContext, look: Look, options: AgentsOptions): AgentsPage {
  const { survey, groups } = look()
  const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
  const sessions = groups.flatMap(({ agents }) => agents).filter(each => isChosen(each, facts, options))
  return {
    survey,
    kinds: joinAgents(sessions.flatMap(({ agents }) => agents)).map(kindOf),
    delegation: joinDelegation(sessions.flatMap(each => each.delegation)).map(
      ({ from, to, calls, parallel }) => ({ from, to, calls, parallel }),
    ),
    ...listRuns(sessions, facts, options),
    projects: projectsOf(
      context.sessions().map(({ project }) => project),
      context.sessions(),
    ),
  }
}

function isChosen(
  { session }: SessionAgents,
  facts: ReadonlyMap<string, SessionFact>,
  options: AgentsOptions,
): boolean {
  if (options.session !== undefined && session !== options.session) return false
  return options.project === undefined || facts.get(session)?.project === options.project
}

function kindOf({ agent, invocations, states, ...row }: AgentStats): AgentKind {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD } = row.spent
  return {
    name: agent,
    runs: invocations,
    unfinished: states.incomplete + states.empty,
    orphaned: states.orphaned,
    missing: states.missing,
    depth: row.depths.length,
    tools: row.toolCalls,
    errors: row.errors,
    tokens: input + output + cacheRead + cacheWrite5m + cacheWrite1h,
    cost: costUSD,
    duration: quantileOf(row.durations, 0.5),
  }
}

type Run = AgentsPage['runs'][number]

/** The newest runs that the filters let through, and how many there are. */
function listRuns(
  sessions: readonly SessionAgents[],
  facts: ReadonlyMap<string, SessionFact>,
  options: RunsOptions,
): Pick<AgentsPage, 'runs' | 'found'> {
  const found = sessions
    .flatMap(({ session, runs }) => {
      const title = sessionName(facts.get(session))
      return runs.map(run => ({ ...run, session, title }))
    })
    .filter(run => isListed(run, options))
    .sort((a, b) => (b.time ?? 0) - (a.time ?? 0))
  return { runs: found.slice(0, options.count ?? AGENT_RUNS), found: found.length }
}

function isListed(run: Run, { type = '', state = '', q = '' }: RunsOptions): boolean {
  if (type !== '' && run.name !== type) return false
  if (state !== '' && run.state !== state) return false
  const text = [run.name, run.words ?? '', run.title ?? ''].join('\n').toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}
