/** Usage as JSON: the fields of dagline, and beside them the lists and names that users of ccusage know. */
import type { ReportKey, UsageReport } from '@dagline/app'
import {
  PRICES_AS_OF,
  tokensIn,
  type UsageBlock,
  type UsageGroup,
  type UsageSum,
} from '@dagline/core/measure'
import type { JsonFields } from '../json/fields.js'
import type { UsageRowJson, UsageTotalsJson } from '../json/history.js'
import type { UsageJson } from '../json/shared.js'
import { UNDERCOUNT_REASON } from './usage.js'

/** The reports of ccusage by name, and what their rows stand for. */
export const REPORTS: Readonly<Record<string, ReportKey>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  session: 'session',
  blocks: 'block',
}

/** A report as JSON. `name` is the report of ccusage that was asked for: its list and its sums are added. */
export function usageFacts(report: UsageReport, name: string | null): JsonFields<'usage'> {
  const { by, tally, whole, blocks, titles } = report
  const rowFacts = (group: UsageGroup): UsageRowJson =>
    titles.size === 0 ? groupFacts(group) : { ...groupFacts(group), title: titles.get(group.key) ?? null }
  const { messages, output, missing } = tally.undercounted
  return {
    by: by === 'line' ? 'branch' : by,
    totals: { ...sumFacts(tally.totals), ...(name === null ? {} : knownSums(tally.totals)) },
    ...(whole === null ? {} : { whole: sumFacts(whole) }),
    rows: { list: by === 'block' ? blocks.map(blockFacts) : tally.groups.map(rowFacts) },
    ...(name === null ? {} : { [LISTS[name] ?? name]: { list: knownRows(report) } }),
    unknownModels: tally.unpriced.map(({ key }) => key),
    unpriced: { list: tally.unpriced.map(groupFacts) },
    undercounted: { messages, why: UNDERCOUNT_REASON, output, missingOutput: missing },
    pricesAsOf: PRICES_AS_OF,
  }
}

/** An item of a list of ccusage. */
type KnownItem = Readonly<Record<string, unknown>>

/** The names of ccusage for sums. */
type KnownSums = Omit<UsageTotalsJson, keyof UsageJson | 'webSearches'>

/** Lists that are not named as their report. */
const LISTS: Readonly<Record<string, string>> = { session: 'sessions' }

function groupFacts(group: UsageGroup): UsageRowJson {
  return { key: group.key, ...sumFacts(group), models: group.models }
}

function blockFacts(block: UsageBlock): UsageRowJson {
  const { start, end, first, last, isActive } = block
  return { ...groupFacts(block), start, end, first, last, isActive }
}

function sumFacts(sum: UsageSum): UsageTotalsJson {
  const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, webSearches, cost } = sum
  return { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD: cost, webSearches }
}

function knownSums(sum: UsageSum): KnownSums {
  return {
    inputTokens: sum.input,
    outputTokens: sum.output,
    cacheCreationTokens: sum.cacheWrite5m + sum.cacheWrite1h,
    cacheReadTokens: sum.cacheRead,
    totalTokens: tokensIn(sum),
    totalCost: sum.cost,
  }
}

function knownRows({ by, tally, blocks, projects }: UsageReport): readonly KnownItem[] {
  if (by === 'block')
    return blocks.flatMap((block, at) => [...gapFacts(blocks[at - 1], block), knownBlock(block)])
  return tally.groups.map(group => {
    const sums = { ...knownSums(group), modelsUsed: group.models }
    if (by === 'session')
      return { sessionId: group.key, projectPath: projects.get(group.key) ?? null, ...sums }
    return { [by === 'day' ? 'date' : by]: by === 'week' ? mondayOf(group.key) : group.key, ...sums }
  })
}

function knownBlock(block: UsageBlock): KnownItem {
  const { key, start, end, last, isActive, messages, models, cost } = block
  return {
    ...{ id: key, startTime: timeText(start), endTime: timeText(end), actualEndTime: timeText(last) },
    ...{ isActive, isGap: false, entries: messages, models, costUSD: cost, totalTokens: tokensIn(block) },
    tokenCounts: {
      inputTokens: block.input,
      outputTokens: block.output,
      cacheCreationInputTokens: block.cacheWrite5m + block.cacheWrite1h,
      cacheReadInputTokens: block.cacheRead,
    },
  }
}

/** More than a window without a message: from five hours after the last one up to the next one. */
function gapFacts(before: UsageBlock | undefined, { first }: UsageBlock): readonly KnownItem[] {
  const start = before === undefined ? first : before.last + before.end - before.start
  if (start >= first) return []
  const startTime = timeText(start)
  return [
    { id: `gap-${startTime}`, startTime, endTime: timeText(first), isActive: false, isGap: true, entries: 0 },
  ]
}

function timeText(time: number): string {
  return new Date(time).toISOString()
}

const DAY = 24 * 60 * 60 * 1000

/** The Monday that a week of ISO 8601 (`2026-W01`) begins with. */
function mondayOf(week: string): string {
  const [, year = '', number = ''] = /^(\d+)-W(\d\d)$/.exec(week) ?? []
  if (number === '') return week
  // The fourth of January is always in the first week.
  const fourth = Date.UTC(Number(year), 0, 4)
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY
  return timeText(monday + (Number(number) - 1) * 7 * DAY).slice(0, 10)
}
