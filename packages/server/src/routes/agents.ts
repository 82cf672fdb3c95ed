/** `/api/agents`: agents by type, who delegates to whom, and the latest of them. */
import {
  type AgentKind,
  type AgentStats,
  type AgentsPage,
  type DelegationStats,
  joinAgents,
  joinDelegation,
  quantileOf,
  type SessionAgents,
} from '@dagline/core'
import type { SessionFact } from '@dagline/store'
import type { Hono } from 'hono'
import * as z from 'zod'
import type { ServerContext } from '../context.js'
import { asked, reply } from '../reply.js'
import { surveyOf } from '../survey.js'
import { sessionName } from './names.js'
import { projectsOf } from './projects.js'

const AGENTS_ASK = z.object({ project: z.string().optional(), session: z.string().optional() })

type AgentsAsk = z.infer<typeof AGENTS_ASK>

/** Adds the page of agents. */
export function agentsRoutes(app: Hono, context: ServerContext): void {
  const look = surveyOf(context)
  app.get('/api/agents', c => {
    const ask = asked(c, AGENTS_ASK)
    const { survey, families } = look()
    const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
    const sessions = families.flatMap(({ agents }) => agents).filter(each => isChosen(each, facts, ask))
    const page: AgentsPage = {
      survey,
      kinds: joinAgents(sessions.flatMap(({ agents }) => agents)).flatMap(kindOf),
      delegation: joinDelegation(sessions.flatMap(({ delegation }) => delegation)).map(delegationOf),
      runs: latestRuns(sessions, facts),
      projects: projectsOf(
        context.sessions().map(({ project }) => project),
        context.sessions(),
      ),
    }
    return reply(c, page)
  })
}

function isChosen(
  { session }: SessionAgents,
  facts: ReadonlyMap<string, SessionFact>,
  ask: AgentsAsk,
): boolean {
  if (ask.session !== undefined && session !== ask.session) return false
  return ask.project === undefined || facts.get(session)?.project === ask.project
}

/** Those that only warmed up are no runs, and a type of which there is nothing else is left out. */
function kindOf({ agent, invocations, states, ...row }: AgentStats): readonly AgentKind[] {
  const runs = invocations - states.warmup
  if (runs === 0) return []
  const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD } = row.spent
  return [
    {
      name: agent,
      runs,
      complete: states.complete,
      unfinished: states.incomplete + states.empty,
      missing: states.missing,
      depth: row.depths.length,
      messages,
      tools: row.toolCalls,
      errors: row.errors,
      tokens: input + output + cacheRead + cacheWrite5m + cacheWrite1h,
      cost: costUSD,
      duration: quantileOf(row.durations, 0.5),
    },
  ]
}

function delegationOf({ from, to, calls, parallel }: DelegationStats): AgentsPage['delegation'][number] {
  return { from, to, calls, parallel }
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
