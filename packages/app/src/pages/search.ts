/** Search for the page: as `dagline search`, and while one types. */

import {
  isSearchRole,
  SEARCH_ROLES,
  type SearchHit,
  type SearchPage,
  speakerOf,
  type TextField,
} from '@dagline/core/protocol'
import { type Hit, type SessionFact, search, type TextFilter } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import type { LiveContext } from '../live/context.js'
import { timeOf } from '../text/dates.js'
import { sessionName } from './session-name.js'

/** What to search for, as it was typed. */
export interface SearchPageOptions {
  readonly q: string
  readonly project?: string | undefined
  readonly session?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Several, with commas between them. */
  readonly role?: string | undefined
  readonly tool?: string | undefined
  readonly file?: string | undefined
  /** Empty for any subagent. */
  readonly agent?: string | undefined
  readonly branch?: 'live' | 'abandoned' | 'all' | '' | undefined
  readonly beforeCompaction?: boolean | undefined
  readonly errors?: boolean | undefined
  readonly regex?: string | undefined
  readonly limit: number
  readonly below: number
}

/** `below` counts hits that were given: the newest come first, and further ones are behind them. */
export function searchPage(context: LiveContext, query: SearchPageOptions): SearchPage {
  const start = performance.now()
  const { q, limit, below } = query
  const pattern = patternOf(query.regex)
  const { hits } = search(context.index(), context.ranges, {
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

function filterOf(context: LiveContext, query: SearchPageOptions): TextFilter {
  const { project, session, since, until, role, tool, file, agent, branch } = query
  const from = timeOf(since, false)
  const to = timeOf(until, true)
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
    throw new UserError(`${name} is not a role: give one of ${known}.`)
  })
}

function patternOf(source: string | undefined): RegExp | null {
  if (source === undefined || source === '') return null
  try {
    return new RegExp(source, 'giu')
  } catch {
    throw new UserError(invalidPattern(source))
  }
}

/** The message for a pattern that is not valid. */
export function invalidPattern(source: string): string {
  return `${source} is not a valid pattern: put a backslash before characters like ( and [ to search for them.`
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
