/** X4, T3: messages counted once, and added up by day, project, model, agent or branch. */
import type { Undercount, UsageBucket, UsageRow } from '../model/billing.js'
import type { Usage } from '../model/entry.js'
import { compareText } from '../model/group.js'
import { unpricedName } from './cost.js'
import { LIST_PRICES, type Prices } from './prices.js'
import { gatherUsage, PARTS_OF_A_DOLLAR, QUARTER } from './usage-buckets.js'

/** What usage can be grouped by. */
export const USAGE_KEYS = ['day', 'week', 'month', 'project', 'session', 'model', 'agent', 'branch'] as const
/** What usage can be grouped by; `line` tells branches apart. */
export type UsageKey = (typeof USAGE_KEYS)[number] | 'line'

/** Sums over messages. */
export interface UsageSum extends Usage {
  readonly messages: number
  readonly webSearches: number
  /** In USD, of the messages with a known price; null where none of them has one. */
  readonly cost: number | null
}

/** The sums of one day, project, model and so on. */
export interface UsageGroup extends UsageSum {
  readonly key: string
  /** The models of its messages, those with the most messages first. */
  readonly models: readonly string[]
  /** Messages without a known price, which `cost` leaves out. */
  readonly unpriced: number
}

/** Usage, added up. */
export interface UsageTally {
  readonly totals: UsageSum
  /** By key; ordered by `compareGroups`. */
  readonly groups: readonly UsageGroup[]
  /** What has no known price, by name. */
  readonly unpriced: readonly UsageGroup[]
  readonly undercounted: Undercount
}

/** Gives the day (`2026-01-31`) of a time, in whatever zone the reader wants. */
export type DayOf = (time: number) => string

/** Adds rows up, each message once, in whatever order and however often they come. */
export function tallyUsage(
  rows: Iterable<UsageRow>,
  by: UsageKey,
  dayOf: DayOf,
  prices: Prices = LIST_PRICES,
): UsageTally {
  return tallyBuckets(gatherUsage(rows, prices), by, dayOf, prices)
}

/** The same for messages that are gathered already. `prices` are those that they were gathered with. */
export function tallyBuckets(
  buckets: Iterable<UsageBucket>,
  by: UsageKey,
  dayOf: DayOf,
  prices: Prices = LIST_PRICES,
): UsageTally {
  const keyOf = keyReader(by, dayOf)
  const whole = newSum('')
  const groups = new Map<string, Sum>()
  const unpriced = new Map<string, Sum>()
  const undercounted = { messages: 0, output: 0, missing: 0 }
  for (const bucket of buckets) {
    add(whole, bucket)
    add(sumAt(groups, keyOf(bucket)), bucket)
    if (bucket.money === null) add(sumAt(unpriced, unpricedName(bucket, prices)), bucket)
    addUndercount(undercounted, bucket.undercounted)
  }
  return {
    totals: sumOf(whole),
    groups: [...groups.values()].map(groupOf).sort(compareGroups(by)),
    unpriced: [...unpriced.values()].map(groupOf).sort(compareGroups('model')),
    undercounted,
  }
}

function addUndercount(sum: { -readonly [K in keyof Undercount]: number }, more: Undercount): void {
  sum.messages += more.messages
  sum.output += more.output
  sum.missing += more.missing
}

/** A sum that grows. */
interface Sum extends Record<keyof Usage | 'webSearches', number> {
  readonly key: string
  messages: number
  money: number
  unpriced: number
  readonly models: Map<string, number>
}

function newSum(key: string): Sum {
  const figures = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, webSearches: 0 }
  return { key, messages: 0, ...figures, money: 0, unpriced: 0, models: new Map() }
}

function sumAt(sums: Map<string, Sum>, key: string): Sum {
  const sum = sums.get(key) ?? newSum(key)
  sums.set(key, sum)
  return sum
}

function add(sum: Sum, bucket: UsageBucket): void {
  sum.messages += bucket.messages
  sum.input += bucket.input
  sum.output += bucket.output
  sum.cacheRead += bucket.cacheRead
  sum.cacheWrite5m += bucket.cacheWrite5m
  sum.cacheWrite1h += bucket.cacheWrite1h
  sum.webSearches += bucket.webSearches
  if (bucket.money === null) sum.unpriced += bucket.messages
  else sum.money += bucket.money
  sum.models.set(bucket.model, (sum.models.get(bucket.model) ?? 0) + bucket.messages)
}

function sumOf({ key: _, models: __, money, unpriced, ...sum }: Sum): UsageSum {
  const cost = unpriced === sum.messages && unpriced > 0 ? null : money / PARTS_OF_A_DOLLAR
  return { ...sum, cost }
}

function groupOf(sum: Sum): UsageGroup {
  const models = [...sum.models].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]))
  return { key: sum.key, ...sumOf(sum), models: models.map(([name]) => name), unpriced: sum.unpriced }
}

/** Times in their order, everything else by cost, then by tokens. */
function compareGroups(by: UsageKey): (a: UsageGroup, b: UsageGroup) => number {
  if (by === 'day' || by === 'week' || by === 'month') return (a, b) => compareText(a.key, b.key)
  return (a, b) => (b.cost ?? -1) - (a.cost ?? -1) || tokensIn(b) - tokensIn(a) || compareText(a.key, b.key)
}

/** All tokens together, cached or not. */
export function tokensIn({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number {
  return input + output + cacheRead + cacheWrite5m + cacheWrite1h
}

/** The key of messages that have no time. */
const UNDATED = 'undated'
/** The key of the main conversation among agents. */
const MAIN = 'main'

function keyReader(by: UsageKey, dayOf: DayOf): (bucket: UsageBucket) => string {
  switch (by) {
    case 'day':
    case 'week':
    case 'month':
      return timeReader(by, dayOf)
    case 'agent':
      return bucket => bucket.agent ?? MAIN
    case 'branch':
      return bucket => bucket.status
    default:
      return bucket => bucket[by]
  }
}

function timeReader(by: 'day' | 'week' | 'month', dayOf: DayOf): (bucket: UsageBucket) => string {
  const known = new Map<number, string>()
  const shorten = { day: (day: string) => day, week: weekOf, month: monthOf }[by]
  return ({ first }) => {
    if (first === null) return UNDATED
    const quarter = Math.floor(first / QUARTER)
    const key = known.get(quarter) ?? shorten(dayOf(first))
    known.set(quarter, key)
    return key
  }
}

const DAY = 24 * 60 * 60 * 1000

/** Years, also those of six digits, begin a day. */
function monthOf(day: string): string {
  return day.slice(0, -'-DD'.length)
}

/** Years after which the calendar repeats, with the days of the week. */
const CYCLE = 400

/** `2026-W01`: the week of ISO 8601, from Monday, of the year that has its Thursday. */
export function weekOf(day: string): string {
  const [, years = '', months, days] = /^(-?\d+)-(\d\d)-(\d\d)$/.exec(day) ?? []
  // The same day of a near year: the first and the last weeks that a date can hold have days that none can.
  const near = 2000 + (((Number(years) % CYCLE) + CYCLE) % CYCLE)
  const midnight = Date.UTC(near, Number(months) - 1, Number(days))
  const weekday = (new Date(midnight).getUTCDay() + 6) % 7
  const thursday = new Date(midnight + (3 - weekday) * DAY)
  const week = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * DAY)) + 1
  const year = Number(years) + thursday.getUTCFullYear() - near
  return `${year}-W${String(week).padStart(2, '0')}`
}
