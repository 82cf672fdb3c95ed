/** Filters, order and grouping of the list of sessions, as stored in the address. */

export const SORTS = ['latest', 'cost', 'turns', 'size', 'problems'] as const
export type Sort = (typeof SORTS)[number]

export const SPANS = ['', 'day', 'week', 'month', 'year'] as const
export type Span = (typeof SPANS)[number]

export const TRAITS = ['branches', 'agents', 'compactions', 'problems'] as const
export type Trait = (typeof TRAITS)[number]

export interface HomeView {
  readonly text: string
  readonly sort: Sort
  /** Empty for all. */
  readonly project: string
  readonly span: Span
  readonly has: readonly Trait[]
  readonly archivedOnly: boolean
  readonly showIdle: boolean
  readonly byProject: boolean
  /** Without trees. */
  readonly flat: boolean
}

/** Parses the address. Missing and invalid values get their defaults. */
export function parseHomeView(query: URLSearchParams): HomeView {
  const has = (query.get('has') ?? '').split(',')
  return {
    text: query.get('q') ?? '',
    sort: oneOf(SORTS, query.get('sort')) ?? 'latest',
    project: query.get('project') ?? '',
    span: oneOf(SPANS, query.get('time')) ?? '',
    // `?branches=1` is easier to type than `?has=branches`.
    has: TRAITS.filter(trait => has.includes(trait) || (query.get(trait) ?? '0') !== '0'),
    archivedOnly: query.has('archived'),
    showIdle: query.has('idle'),
    byProject: query.get('group') === 'project',
    flat: query.has('flat'),
  }
}

/** The parameters of the address, for `pathWith`. Defaults are omitted. */
export function homeQuery(view: HomeView): Record<string, string | boolean | null> {
  return {
    q: view.text,
    sort: view.sort === 'latest' ? null : view.sort,
    project: view.project,
    time: view.span,
    has: view.has.join(','),
    archived: view.archivedOnly,
    idle: view.showIdle,
    group: view.byProject ? 'project' : null,
    flat: view.flat,
  }
}

/** Whether a filter is set. */
export function isFiltered(view: HomeView): boolean {
  return (
    view.text.trim() !== '' ||
    view.project !== '' ||
    view.span !== '' ||
    view.has.length > 0 ||
    view.archivedOnly
  )
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | null {
  return values.find(one => one === value) ?? null
}
