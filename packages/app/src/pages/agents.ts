/** The page of agents: agents by type, who delegates to whom, and the latest of them. */

import {
  type AgentStats,
  joinAgents,
  joinDelegation,
  quantileOf,
  type SessionAgents,
} from '@dagline/core/measure'
import type { AgentKind, AgentsPage } from '@dagline/core/protocol'
import type { SessionFact } from '@dagline/store'
import type { LiveContext } from '../live/context.js'
import type { Look } from '../live/survey.js'
import { projectsOf, sessionName } from './projects.js'

/** Which agents: of one project or session. */
export interface AgentsOptions {
  readonly project?: string | undefined
  readonly session?: string | undefined
}

/** The page of agents, from what is known so far. */
export function agentsPage(context: LiveContext, look: Look, options: AgentsOptions): AgentsPage {
  const { survey, groups } = look()
  const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
  const sessions = groups.flatMap(({ agents }) => agents).filter(each => isChosen(each, facts, options))
  return {
    survey,
    kinds: joinAgents(sessions.flatMap(({ agents }) => agents)).flatMap(kindOf),
    delegation: joinDelegation(sessions.flatMap(each => each.delegation)).map(
      ({ from, to, calls, parallel }) => ({ from, to, calls, parallel }),
    ),
    runs: latestRuns(sessions, facts),
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

/** Warm-ups are not counted as runs, and a type that has nothing else is left out. */
function kindOf({ agent, invocations, states, ...row }: AgentStats): readonly AgentKind[] {
  const runs = invocations - states.warmup
  if (runs === 0) return []
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD } = row.spent
  return [
    {
      name: agent,
      runs,
      unfinished: states.incomplete + states.empty,
      missing: states.missing,
      depth: row.depths.length,
      tools: row.toolCalls,
      errors: row.errors,
      tokens: input + output + cacheRead + cacheWrite5m + cacheWrite1h,
      cost: costUSD,
      duration: quantileOf(row.durations, 0.5),
    },
  ]
}

const MOST_RUNS = 50

function latestRuns(
  sessions: readonly SessionAgents[],
  facts: ReadonlyMap<string, SessionFact>,
): AgentsPage['runs'] {
  return sessions
    .flatMap(({ session, runs }) => runs.slice(0, MOST_RUNS).map(run => ({ ...run, session })))
    .sort((a, b) => (b.time ?? 0) - (a.time ?? 0))
    .slice(0, MOST_RUNS)
    .map(run => ({ ...run, title: sessionName(facts.get(run.session)) }))
}
