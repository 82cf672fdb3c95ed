/** The page of usage: tokens and cost by day and by whatever they are grouped, from the messages that the index knows. */
import { isoDay } from '@dagline/core/format'
import {
  addFields,
  PRICES_AS_OF,
  tallyBuckets,
  type UsageBucket,
  type UsageGroup,
  type UsageSum,
  type UsageTally,
} from '@dagline/core/measure'
import type { UsageCell, UsageDay, UsageGroupCell, UsagePage } from '@dagline/core/protocol'
import { isAbandoned } from '@dagline/core/view'
import type { SessionFact } from '@dagline/store'
import { currentPrices } from '../host/prices.js'
import type { LiveContext } from '../live/context.js'
import { timeOf } from '../text/dates.js'
import { projectsOf, sessionName } from './projects.js'

/** Which messages, and what they are grouped by. */
export interface UsagePageOptions {
  readonly by: 'project' | 'model' | 'agent' | 'session' | 'branch'
  readonly since: string
  readonly until: string
  readonly project?: string | undefined
}

/** Makes pages of usage; each is kept until the index changes. */
export function createUsagePage(context: LiveContext): (options: UsagePageOptions) => UsagePage {
  const pages = new WeakMap<readonly UsageBucket[], Map<string, UsagePage>>()
  return options => {
    const rows = context.usage()
    const known = pages.get(rows) ?? new Map<string, UsagePage>()
    pages.set(rows, known)
    const key = JSON.stringify(options)
    const page = known.get(key) ?? pageOf(rows, namesFor(context, options), options)
    known.set(key, page)
    return page
  }
}

/** Sessions and branches are many: those that cost least are only counted. */
const MOST_GROUPS = 250

/** What groups are called by. */
interface Names {
  readonly sessions: readonly SessionFact[]
  /** The first words of abandoned branches, by line. */
  readonly branches: ReadonlyMap<string, string | null>
}

function namesFor(context: LiveContext, { by }: UsagePageOptions): Names {
  const branches = by === 'branch' ? context.index().branches(context.rootIds()) : []
  return {
    sessions: context.sessions(),
    branches: new Map(branches.map(({ line, prompt }) => [line, prompt])),
  }
}

function pageOf(all: readonly UsageBucket[], names: Names, options: UsagePageOptions): UsagePage {
  const { sessions } = names
  const rows = chosen(all, options)
  const left = rows.filter(isAbandoned)
  const byModel = tallyBuckets(rows, 'model', isoDay, currentPrices())
  const tallyBy = (by: UsagePageOptions['by']): UsageTally => {
    if (by === 'model') return byModel
    // Abandoned branches are listed one by one; what is live is the rest.
    return by === 'branch' ? tallyBuckets(left, 'line', isoDay) : tallyBuckets(rows, by, isoDay)
  }
  const groups = tallyBy(options.by)
  const { totals, unpriced, undercounted } = byModel
  const models = byModel.groups.map(({ key }) => key)
  const describe = describer(rows, names, options.by)
  return {
    totals: cellOf('', totals),
    days: daysOf(rows, models),
    models,
    groups: groups.groups.slice(0, MOST_GROUPS).map(describe),
    groupCount: groups.groups.length,
    by: options.by,
    abandoned: cellOf('', tallyBuckets(left, 'branch', isoDay).totals),
    abandonedBranches: new Set(left.map(({ line }) => line)).size,
    unknownModels: unpriced.map(({ key }) => key),
    undercounted: { messages: undercounted.messages, missing: undercounted.missing },
    pricesAsOf: PRICES_AS_OF,
    projects: projectsOf(
      all.map(({ project }) => project),
      sessions,
    ),
  }
}

/** Messages without a time are on no day. */
function chosen(
  rows: readonly UsageBucket[],
  { since, until, project }: UsagePageOptions,
): readonly UsageBucket[] {
  const [from, to] = [timeOf(since, false), timeOf(until, true)]
  const isTimed = from !== null || to !== null
  return rows.filter(row => {
    if (project !== undefined && row.project !== project) return false
    const { first } = row
    return !isTimed || (first !== null && first >= (from ?? first) && first < (to ?? Infinity))
  })
}

function cellOf(key: string, sum: UsageSum): UsageCell {
  const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, cost } = sum
  return { key, messages, input, output, cacheRead, cacheWrite: cacheWrite5m + cacheWrite1h, cost }
}

function tokensOf({ input, output, cacheRead, cacheWrite }: UsageCell): number {
  return input + output + cacheRead + cacheWrite
}

/** Days with the share of each model: the messages of one model are added up after the other. */
function daysOf(rows: readonly UsageBucket[], models: readonly string[]): readonly UsageDay[] {
  const own = new Map<string, UsageBucket[]>(models.map(model => [model, []]))
  for (const row of rows) own.get(row.model)?.push(row)
  const days = new Map<string, UsageDay>()
  for (const [index, model] of models.entries()) {
    for (const group of tallyBuckets(own.get(model) ?? [], 'day', isoDay).groups) {
      const cell = cellOf(group.key, group)
      days.set(group.key, addModel(days.get(group.key), index, cell))
    }
  }
  return [...days.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

function addModel(day: UsageDay | undefined, index: number, cell: UsageCell): UsageDay {
  const part = [index, cell.cost, tokensOf(cell)] as const
  if (day === undefined) return { ...cell, models: [part] }
  const cost = day.cost === null && cell.cost === null ? null : (day.cost ?? 0) + (cell.cost ?? 0)
  return { ...addFields<UsageCell>(day, cell), cost, models: [...day.models, part] }
}

type Describe = (group: UsageGroup) => UsageGroupCell

/** Sessions and branches say little by their ids: title, project and what became of them stand beside. */
function describer(
  rows: readonly UsageBucket[],
  { sessions, branches }: Names,
  by: UsagePageOptions['by'],
): Describe {
  const nothing = { title: null, session: null, project: null, status: null }
  if (by !== 'session' && by !== 'branch') return group => ({ ...cellOf(group.key, group), ...nothing })
  const titles = new Map(sessions.map(fact => [fact.session, sessionName(fact)]))
  const known = new Map(rows.map(row => [by === 'session' ? row.session : row.line, row]))
  return group => {
    const row = known.get(group.key)
    return {
      ...cellOf(group.key, group),
      title: branches.get(group.key) ?? titles.get(row?.session ?? '') ?? null,
      session: row?.session ?? null,
      project: row?.project ?? null,
      status: by === 'branch' ? (row?.status ?? null) : null,
    }
  }
}
