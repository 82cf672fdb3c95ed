/** Filters, order and grouping of the list of sessions, as stored in the address. */
import { type HomeView, parseHomeView } from '@dagline/core/protocol'

/** Parses the address. Missing and invalid values get their defaults. */
export function parseAddress(query: URLSearchParams): HomeView {
  return parseHomeView(name => query.get(name))
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
