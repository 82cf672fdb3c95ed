/** T3, X4: messages added up into buckets, which are few however many messages there are. */
import type { MessageUsage, UsageBucket, UsageRow } from '../model/billing.js'
import type { Usage } from '../model/entry.js'
import { createPricer } from './cost.js'
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
export function gatherUsage(rows: Iterable<UsageRow>, cuts: readonly number[] = []): readonly UsageBucket[] {
  const cost = createPricer()
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

function addMessage(bucket: OpenBucket, message: MessageUsage, price: number | null): void {
  const { time } = message
  bucket.messages++
  for (const name of FIGURES) bucket[name] += message[name]
  if (bucket.money !== null) bucket.money += Math.round((price ?? 0) * PARTS_OF_A_DOLLAR)
  if (time !== null) {
    bucket.first = Math.min(bucket.first ?? time, time)
    bucket.last = Math.max(bucket.last ?? time, time)
  }
  if (!isUndercounted(message)) return
  const { messages, output, missing } = bucket.undercounted
  bucket.undercounted = {
    messages: messages + 1,
    output: output + message.output,
    missing: missing + missingTokens(message),
  }
}
