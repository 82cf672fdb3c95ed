/** Query and filters of the search, as stored in the address. */
import { isSearchRole, SEARCH_SORTS, type SearchRole, type SearchSort } from '@dagline/core/protocol'
import { pathWith } from '../app/api.js'

export type Role = SearchRole | ''

const BRANCHES = ['', 'live', 'abandoned'] as const
export type Branch = (typeof BRANCHES)[number]

/** Filters that are not set are empty or false. */
export type SearchView = {
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
  /** Only what the model saw when it gave this answer. */
  readonly seenAt: string
  readonly errors: boolean
  readonly sort: SearchSort | ''
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
    seenAt: text('seenAt'),
    errors: query.has('errors'),
    sort: SEARCH_SORTS.find(sort => sort === text('sort')) ?? '',
  }
}

const { q: _, regex: __, sort: ___, ...none } = parseSearchView(new URLSearchParams())

/** All filters, none of them set. */
export const NO_FILTERS: Omit<SearchView, 'q' | 'regex' | 'sort'> = none

function roleOf(word: string): Role {
  return isSearchRole(word) ? word : ''
}

/** The path of the request; null where nothing is asked. H13: filters alone are a query. */
export function searchPath(view: SearchView): string | null {
  if (view.q.trim() === '' && !isNarrowed(view)) return null
  const { q, regex, agents, ...filters } = view
  const path = pathWith('/api/search', { ...(regex ? { regex: q } : { q }), ...filters })
  // An empty value stands for any subagent.
  if (!agents || view.agent !== '') return path
  return `${path}${path.includes('?') ? '&' : '?'}agent=`
}

/** Whether a filter is set. */
export function isNarrowed(view: SearchView): boolean {
  const { q: _, regex: __, sort: ___, ...filters } = view
  return Object.values(filters).some(value => value !== '' && value !== false)
}
