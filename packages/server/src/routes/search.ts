/** `/api/search`: as `dagline search`, and while one types. */
import {
  isSearchRole,
  SEARCH_ROLES,
  type SearchHit,
  type SearchPage,
  speakerOf,
  type TextField,
} from '@dagline/core'
import { type Hit, type SessionFact, search, type TextFilter } from '@dagline/store'
import type { Hono } from 'hono'
import * as z from 'zod'
import type { ServerContext } from '../context.js'
import { timeOf } from '../dates.js'
import { Refused } from '../refused.js'
import { asked, reply } from '../reply.js'
import { sessionName } from './names.js'

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
    if (isSearchRole(name)) return SEARCH_ROLES[name]
    const known = Object.keys(SEARCH_ROLES).join(', ')
    throw new Refused(400, 'bad-request', `${name} is no role: give one of ${known}.`)
  })
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
    actor: speakerOf(hit.field, hit.line?.agentName ?? null),
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
