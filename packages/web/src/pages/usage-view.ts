/** Filters and options of the usage page, as stored in the address. */
import { pathWith } from '../app/api.js'

export const GROUPINGS = ['project', 'model', 'agent', 'session', 'branch'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Sessions and branches are named by what was said in them. */
export const TEAM_GROUPINGS: readonly Grouping[] = ['project', 'model', 'agent']

export const STEPS = ['day', 'week', 'month'] as const
export type Step = (typeof STEPS)[number]

export const MEASURES = ['cost', 'tokens'] as const
export type Measure = (typeof MEASURES)[number]

export interface UsageView {
  readonly since: string
  readonly until: string
  readonly project: string
  readonly by: Grouping
  readonly measure: Measure
  /** Null chooses it by the length of time. */
  readonly step: Step | null
  /** HU66: the sums of all persons of a hub. */
  readonly isTeam: boolean
  /** Shows a table instead of the chart. */
  readonly isTable: boolean
}

/** Parses the address. */
export function parseUsageView(query: URLSearchParams): UsageView {
  const text = (name: string): string => query.get(name) ?? ''
  return {
    since: dayOrNothing(text('since')),
    until: dayOrNothing(text('until')),
    project: text('project'),
    by: GROUPINGS.find(each => each === text('by')) ?? 'project',
    measure: MEASURES.find(each => each === text('measure')) ?? 'cost',
    step: STEPS.find(each => each === text('step')) ?? null,
    isTeam: query.has('team'),
    isTable: query.has('table'),
  }
}

/** The address of a view. */
export function usageAddress({ by, measure, isTeam, isTable, ...rest }: UsageView): string {
  return pathWith('/usage', {
    ...rest,
    by: by === 'project' ? null : by,
    measure: measure === 'cost' ? null : measure,
    team: isTeam,
    table: isTable,
  })
}

/** The path of the request. HU66: of a whole team there are sums by some groupings only. */
export function usagePath({ since, until, project, by, isTeam }: UsageView): string {
  if (!isTeam) return pathWith('/api/usage', { since, until, project, by })
  return pathWith('/api/hub/figures', { since, until, by: TEAM_GROUPINGS.find(each => each === by) })
}

function dayOrNothing(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : ''
}
