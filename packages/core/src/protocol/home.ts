/** The list of sessions: what a page asks for, and what it gets. */
import type { SessionCard, SyncStatus } from './messages.js'

/** What the list can be sorted by. */
export const SORTS = ['latest', 'cost', 'turns', 'size', 'problems'] as const
/** One of `SORTS`. */
export type Sort = (typeof SORTS)[number]

/** How far back the list can go; empty for all of it. */
export const SPANS = ['', 'day', 'week', 'month', 'year'] as const
/** One of `SPANS`. */
export type Span = (typeof SPANS)[number]

/** What the list can be narrowed to. */
export const TRAITS = ['branches', 'agents', 'compactions', 'problems'] as const
/** One of `TRAITS`. */
export type Trait = (typeof TRAITS)[number]

/** Filters, order and grouping of the list, as the address of the page and the query of a request hold them. */
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

/** Reads a view from parameters, which are null where they are missing. Invalid values count as missing. */
export function parseHomeView(get: (name: string) => string | null): HomeView {
  const has = (get('has') ?? '').split(',')
  return {
    text: get('q') ?? '',
    sort: oneOf(SORTS, get('sort')) ?? 'latest',
    project: get('project') ?? '',
    span: oneOf(SPANS, get('time')) ?? '',
    // `?branches=1` is easier to type than `?has=branches`.
    has: TRAITS.filter(trait => has.includes(trait) || (get(trait) ?? '0') !== '0'),
    archivedOnly: get('archived') !== null,
    showIdle: get('idle') !== null,
    byProject: get('group') === 'project',
    flat: get('flat') !== null,
  }
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | null {
  return values.find(one => one === value) ?? null
}

/** How many rows of the list an answer has, unless asked otherwise. */
export const HOME_ROWS = 100

/** The line of a tree beside a row: passing by, branching to the row, ending at the row, or none. */
export type Guide = 'none' | 'pass' | 'fork' | 'end'

/** A row of the list that shows a session. */
export interface SessionItem {
  readonly kind: 'session'
  readonly card: SessionCard
  /** One for each of the last levels of its tree, from the left; empty for a root. */
  readonly guides: readonly Guide[]
  /** Whether its parent is in the list, right above. */
  readonly isChild: boolean
}

/** A row of the list above the sessions of a project. */
export interface ProjectItem {
  readonly kind: 'project'
  readonly project: string
  readonly cwd: string | null
  readonly sessions: number
  readonly cost: number | null
}

/** A row of the list. */
export type HomeItem = SessionItem | ProjectItem

/** The totals of the sessions in the list. */
export interface HomeSums {
  readonly sessions: number
  readonly cost: number | null
  readonly bytes: number
  readonly projects: number
  /** The number of idle sessions that are hidden. */
  readonly idle: number
}

/** A project that the list can be narrowed to, with the number of its sessions without idle ones. */
export interface HomeProject {
  readonly name: string
  readonly cwd: string | null
  readonly sessions: number
}

/** X9: what the first page shows: some rows of the list of sessions, and figures of all of it. */
export interface Home {
  /** Where sessions were looked for, also while the samples are shown. */
  readonly looked: readonly string[]
  /** The bundled samples are shown, because there is nothing else. */
  readonly isSample: boolean
  readonly sync: SyncStatus
  /** Differs where the sessions do: rows of another version do not follow these. */
  readonly version: number
  /** The first of the rows, by its index in the list. */
  readonly from: number
  readonly items: readonly HomeItem[]
  /** How many rows the list has. */
  readonly rows: number
  readonly sums: HomeSums
  /** Sessions without idle ones, whatever the filters. */
  readonly sessions: number
  /** Whether there are sessions at all, and archived ones, whatever the filters. */
  readonly isEmpty: boolean
  readonly hasArchived: boolean
  readonly projects: readonly HomeProject[]
}

/** The sessions among the rows. */
export function cardsIn({ items }: Pick<Home, 'items'>): readonly SessionCard[] {
  return items.flatMap(item => (item.kind === 'session' ? [item.card] : []))
}
