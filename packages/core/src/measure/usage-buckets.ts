/** T3, X4: messages added up into buckets, which are few however many messages there are. */
import type { MessageUsage, Undercount, UsageBucket, UsageRow } from '../model/billing.js'
import type { Usage } from '../model/entry.js'
import { createPricer } from './cost.js'
import type { Prices } from './prices.js'
import { isUndercounted, missingTokens, uniqueMessages } from './usage-messages.js'

/** No zone changes its day within a quarter of an hour, and no hour begins within one. */
export const QUARTER: number = 15 * 60 * 1000
/** What money is counted in. */
export const PARTS_OF_A_DOLLAR = 1e9

/** What is added up of every message. */
const FIGURES: readonly (keyof Usage | 'webSearches')[] = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'webSearches',
]

/** Adds messages up, each once. No bucket has messages from both sides of one of the times in `cuts`. */
export function gatherUsage(
  rows: Iterable<UsageRow>,
  prices: Prices,
  cuts: readonly number[] = [],
): readonly UsageBucket[] {
  const cost = createPricer(prices)
  const buckets = new Map<string, OpenBucket>()
  for (const row of uniqueMessages(rows)) {
    const [key, price] = [keyOf(row, cuts), cost(row)]
    const bucket = buckets.get(key) ?? emptyBucket(row, price)
    buckets.set(key, bucket)
    addMessage(bucket, row, price)
  }
  return [...buckets.values()]
}

type OpenBucket = { -readonly [K in keyof UsageBucket]: UsageBucket[K] }

/** Everything that messages of one bucket have in common. Whether there is a price depends on nothing else. */
function keyOf(row: UsageRow, cuts: readonly number[]): string {
  const { time, project, session, agent, agentId, line, status, model, tier, speed, geo } = row
  const part = time === null ? '' : Math.floor(time / QUARTER)
  const side = time === null ? 0 : cuts.filter(cut => cut <= time).length
  return [part, side, project, session, agent, agentId, line, status, model, tier, speed, geo].join('\0')
}

function emptyBucket(row: UsageRow, price: number | null): OpenBucket {
  const { time, project, session, agent, agentId, line, status, model, tier, speed, geo } = row
  const figures = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, webSearches: 0 }
  return {
    ...{ first: time, last: time, project, session, agent, agentId, line, status, model, tier, speed, geo },
    ...figures,
    messages: 0,
    money: price === null ? null : 0,
    undercounted: { messages: 0, output: 0, missing: 0 },
  }
}

/**
 * Buckets added up further, to the sums of days, projects and models: whose the messages were is left out. No sum has
 * messages of two days, as `dayOf` tells them apart.
 */
export function gatherDays(
  buckets: Iterable<UsageBucket>,
  dayOf: (time: number) => string,
): readonly UsageBucket[] {
  const days = new Map<string, OpenBucket>()
  for (const bucket of buckets) {
    const { first, project, model, tier, speed, geo } = bucket
    const key = [first === null ? 'undated' : dayOf(first), project, model, tier, speed, geo].join('\0')
    const sum = days.get(key)
    if (sum === undefined) days.set(key, { ...bucket, ...NOBODY })
    else addBucket(sum, bucket)
  }
  return [...days.values()]
}

/** Whose the messages of a day are. */
const NOBODY = { session: '', agent: null, agentId: null, line: '', status: 'live' } as const

function addBucket(sum: OpenBucket, bucket: UsageBucket): void {
  sum.messages += bucket.messages
  for (const name of FIGURES) sum[name] += bucket[name]
  if (sum.money !== null) sum.money += bucket.money ?? 0
  widen(sum, bucket.first, bucket.last)
  addUndercount(sum, bucket.undercounted)
}

function widen(sum: OpenBucket, first: number | null, last: number | null): void {
  if (first !== null) sum.first = Math.min(sum.first ?? first, first)
  if (last !== null) sum.last = Math.max(sum.last ?? last, last)
}

function addUndercount(sum: OpenBucket, more: Undercount): void {
  const { messages, output, missing } = sum.undercounted
  sum.undercounted = {
    messages: messages + more.messages,
    output: output + more.output,
    missing: missing + more.missing,
  }
}

function addMessage(bucket: OpenBucket, message: MessageUsage, price: number | null): void {
  const { time } = message
  bucket.messages++
  for (const name of FIGURES) bucket[name] += message[name]
  if (bucket.money !== null) bucket.money += Math.round((price ?? 0) * PARTS_OF_A_DOLLAR)
  widen(bucket, time, time)
  if (isUndercounted(message))
    addUndercount(bucket, { messages: 1, output: message.output, missing: missingTokens(message) })
}
