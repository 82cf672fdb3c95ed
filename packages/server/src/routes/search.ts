/** `/api/search`: as `dagline search`, and while one types. */
import type { SearchHit, SearchPage, TextField } from '@dagline/core'
import { type Hit, type SessionFact, search, type TextFilter } from '@dagline/store'
import type { Hono } from 'hono'
import * as z from 'zod'
import type { ServerContext } from '../context.js'
import { timeOf } from '../dates.js'
import { Refused } from '../refused.js'
import { asked, reply } from '../reply.js'
import { sessionName } from './names.js'

/** What `role` may be, and the fields that each role has written. */
const ROLES = {
  human: ['prompt', 'queued'],
  claude: ['answer'],
  thinking: ['thinking'],
  tool: ['input', 'output'],
  system: ['note'],
  queued: ['queued'],
} as const satisfies Record<string, readonly TextField[]>

type Role = keyof typeof ROLES

const text = z.string().max(1000).optional()
const flag = z.enum(['', '1', 'true']).optional()

const SearchQuery = z.object({
  q: z.string().max(1000).default(''),
  project: text,
  session: text,
  since: text,
  until: text,
  /** Several, with commas between them. */
  role: text,
  tool: text,
  file: text,
  /** Without a value any agent. */
  agent: text,
  branch: z.enum(['live', 'abandoned', 'all', '']).optional(),
  beforeCompaction: flag,
  errors: flag,
  regex: text,
  limit: z.coerce.number().int().min(1).max(200).default(30),
  below: z.coerce.number().int().min(0).max(5000).default(0),
})

type Query = z.infer<typeof SearchQuery>

/** Adds search. */
export function searchRoutes(app: Hono, context: ServerContext): void {
  app.get('/api/search', c => reply(c, searchPage(context, asked(c, SearchQuery))))
}

/** `below` counts hits that were given: the newest come first, and further ones are behind them. */
function searchPage(context: ServerContext, query: Query): SearchPage {
  const start = performance.now()
  const { q, limit, below } = query
  const pattern = patternOf(query.regex)
  const { hits } = search(context.index(), context.spans, {
    text: q,
    isUnfinished: true,
    filter: filterOf(context, query),
    limit: below + limit + 1,
    ...(pattern === null ? {} : { pattern }),
  })
  const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
  return {
    query: q,
    hits: hits.slice(below, below + limit).map(hit => shownHit(hit, facts.get(hit.session ?? ''))),
    below: hits.length > below + limit ? below + limit : null,
    took: performance.now() - start,
  }
}

function filterOf(context: ServerContext, query: Query): TextFilter {
  const { project, session, since, until, role, tool, file, agent, branch } = query
  const from = timeOf(since ?? '', false)
  const to = timeOf(until ?? '', true)
  const fields = fieldsOf(role)
  return {
    roots: context.rootIds(),
    ...(project ? { project } : {}),
    ...(session ? { session } : {}),
    ...(from === null ? {} : { since: from }),
    ...(to === null ? {} : { until: to }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(tool ? { tool } : {}),
    ...(file ? { touched: file } : {}),
    ...(agent === undefined ? {} : { agent }),
    ...(branch === 'live' || branch === 'abandoned' ? { branch } : {}),
    ...(query.beforeCompaction ? { beforeCompaction: true } : {}),
    ...(query.errors ? { failed: true } : {}),
  }
}

function fieldsOf(role: string | undefined): readonly TextField[] {
  const roles = (role ?? '').split(',').filter(part => part !== '')
  return roles.flatMap(name => {
    if (isRole(name)) return ROLES[name]
    const known = Object.keys(ROLES).join(', ')
    throw new Refused(400, 'bad-request', `${name} is no role: give one of ${known}.`)
  })
}

function isRole(name: string): name is Role {
  return Object.hasOwn(ROLES, name)
}

function patternOf(source: string | undefined): RegExp | null {
  if (source === undefined || source === '') return null
  try {
    return new RegExp(source, 'giu')
  } catch {
    const sentence = `${source} is no pattern: signs like ( and [ need a backslash to mean themselves.`
    throw new Refused(400, 'bad-request', sentence)
  }
}

function shownHit(hit: Hit, fact: SessionFact | undefined): SearchHit {
  const { node, session, project, time, tool, line } = hit
  return {
    node,
    session,
    title: sessionName(fact),
    project,
    cwd: fact?.cwd ?? null,
    time,
    actor: actorOf(hit),
    tool,
    snippet: piecesOf(hit),
    label: {
      live: hit.live,
      branch: line?.kind === 'branch' ? line.name : null,
      status: line?.branchStatus ?? null,
      agent: line?.agentName ?? line?.agent ?? null,
      compacted: hit.compacted,
      queue: hit.became,
      archived: hit.isArchived,
    },
  }
}

function actorOf({ field, line }: Hit): string {
  const agent = line?.agentName ?? null
  if (field === 'prompt' || field === 'queued') return agent === null ? 'Human' : 'Claude'
  if (field === 'output') return 'Tool'
  if (field === 'note') return 'System'
  return agent === null ? 'Claude' : `SubAgent(${agent})`
}

/** The text between marks and the marks themselves, in turns. */
function piecesOf({ snippet, marks }: Hit): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of marks) {
    pieces.push(snippet.slice(at, start), snippet.slice(start, end))
    at = end
  }
  return [...pieces, snippet.slice(at)]
}
