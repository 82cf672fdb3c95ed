/** Query and filters of the search, as stored in the address. */
import { isSearchRole, type SearchRole } from '@dagline/core/protocol'
import { pathWith } from '../app/api.js'

export type Role = SearchRole | ''

const BRANCHES = ['', 'live', 'abandoned'] as const
export type Branch = (typeof BRANCHES)[number]

/** Filters that are not set are empty or false. */
export interface SearchView {
  readonly q: string
  readonly regex: boolean
  readonly project: string
  readonly session: string
  readonly since: string
  readonly until: string
  readonly role: Role
  readonly tool: string
  readonly file: string
  /** Only messages of subagents; and only of subagents of a type. */
  readonly agents: boolean
  readonly agent: string
  readonly branch: Branch
  readonly beforeCompaction: boolean
  readonly errors: boolean
}

/** Parses the address. */
export function parseSearchView(query: URLSearchParams): SearchView {
  const text = (name: string): string => query.get(name) ?? ''
  return {
    q: text('q'),
    regex: query.has('regex'),
    project: text('project'),
    session: text('session'),
    since: text('since'),
    until: text('until'),
    role: roleOf(text('role')),
    tool: text('tool'),
    file: text('file'),
    agents: query.has('agents'),
    agent: text('agent'),
    branch: BRANCHES.find(branch => branch === text('branch')) ?? '',
    beforeCompaction: query.has('beforeCompaction'),
    errors: query.has('errors'),
  }
}

function roleOf(word: string): Role {
  return isSearchRole(word) ? word : ''
}

/** The path of the request; null for an empty query. */
export function searchPath(view: SearchView): string | null {
  if (view.q.trim() === '') return null
  const { q, regex, agents, agent, ...rest } = view
  const flags = { beforeCompaction: flag(view.beforeCompaction), errors: flag(view.errors) }
  const words = regex ? { regex: q } : { q }
  const path = pathWith('/api/search', { ...rest, ...flags, ...words, agent })
  // An empty value stands for any subagent.
  return agents && agent === '' ? `${path}&agent=` : path
}

/** The parameters of the address, for `pathWith`. */
export function searchQuery(view: SearchView): Record<string, string> {
  const { regex, agents, beforeCompaction, errors } = view
  return {
    ...view,
    regex: flag(regex),
    agents: flag(agents),
    beforeCompaction: flag(beforeCompaction),
    errors: flag(errors),
  }
}

/** Whether a filter is set. */
export function isNarrowed(view: SearchView): boolean {
  return Object.entries(view).some(
    ([name, value]) => name !== 'q' && name !== 'regex' && value !== '' && value !== false,
  )
}

function flag(value: boolean): string {
  return value ? '1' : ''
}
