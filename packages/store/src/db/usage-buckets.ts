/**
 * X10, I12: usage added up for each file group, and kept in the index until the group changes. A message is in one group only,
 * because its id is a link key (I3): the sums of a root are those of its groups. They are kept once more by day for the root.
 */
import { hash } from 'node:crypto'
import { isoDay, isSameDay } from '@dagline/core/format'
import {
  gatherDays,
  gatherUsage,
  MODEL_PRICES,
  type Prices,
  pricesBasis,
  type Undercount,
  type UsageBucket,
} from '@dagline/core/measure'
import type { IndexStore } from './index-store.js'
import { lineStatus } from './sqlite-usage.js'

/** The usage of a root, added up. A group without kept sums is added up now. */
export function readBuckets(index: IndexStore, root: number, prices: Prices): readonly UsageBucket[] {
  return [...keptBuckets(index, root, prices), ...openBuckets(index, root, prices)]
}

/**
 * The usage of a root by day, project and model, whosever it was; null where that was not kept, or not for the days of
 * this time zone. The work follows the number of days.
 */
export function readDays(index: IndexStore, root: number, prices: Prices): readonly UsageBucket[] | null {
  const days = keptDays(index, root, prices)
  return days === null ? null : [...days, ...openBuckets(index, root, prices)]
}

function keptDays(index: IndexStore, root: number, prices: Prices): readonly UsageBucket[] | null {
  const kept = index.rootAnswer(root, KIND)
  if (kept?.basis !== costsBasis(prices)) return null
  const days: UsageBucket[] = []
  unpackBuckets(index.parseKept(kept.value), days)
  return days.every(isOfOneDay) ? days : null
}

/** The sums of all groups that have some. */
function keptBuckets(index: IndexStore, root: number, prices: Prices): readonly UsageBucket[] {
  const [buckets, wanted]: [UsageBucket[], string] = [[], costsBasis(prices)]
  for (const { basis, value } of index.answers(root, KIND))
    if (basis === wanted) unpackBuckets(index.parseKept(value), buckets)
  return buckets
}

/** The usage of all groups that have no sums. */
function* openBuckets(index: IndexStore, root: number, prices: Prices): Generator<UsageBucket> {
  for (const group of index.unanswered(root, KIND, costsBasis(prices)))
    yield* gatherUsage(index.groupUsage(group), prices)
}

function isOfOneDay({ first, last }: UsageBucket): boolean {
  return first === last || (first !== null && last !== null && isSameDay(first, last))
}

/**
 * Adds up and keeps the usage of all groups of a root that have no sums, and of the days of the root. Groups that are still
 * growing are left out: one more row would cost as much as all rows before it.
 */
export function keepBuckets(
  index: IndexStore,
  root: number,
  { growing, prices }: { readonly growing: ReadonlySet<number>; readonly prices: Prices },
): void {
  const basis = costsBasis(prices)
  const added: UsageBucket[] = []
  for (const group of index.unanswered(root, KIND, basis)) {
    if (growing.has(group)) continue
    const buckets = gatherUsage(index.groupUsage(group), prices)
    index.keepAnswer(KIND, { group, part: '', basis, value: packBuckets(buckets) })
    for (const bucket of buckets) added.push(bucket)
  }
  const days = keptDays(index, root, prices)
  if (days !== null && added.length === 0) return
  const all = days === null ? keptBuckets(index, root, prices) : [...days, ...added]
  index.keepRootAnswer(root, KIND, { basis, value: packBuckets(gatherDays(all, isoDay)) })
}

const KIND = 'usage'

/** Sums hold costs: they count for the table of prices that they were made with. */
function costsBasis(prices: Prices): string {
  list ??= JSON.stringify(MODEL_PRICES)
  return hash('sha256', `${list} ${pricesBasis(prices)}`, 'base64url').slice(0, 22)
}

let list: string | null = null

/** A bucket without names. Texts are places in a list, -1 for none. */
type PackedBucket = readonly [
  ...[
    first: number | null,
    last: number | null,
    project: number,
    session: number,
    agent: number,
    agentId: number,
  ],
  ...[line: number, status: number, model: number, tier: number, speed: number, geo: number],
  ...[messages: number, input: number, output: number, cacheRead: number, write5m: number, write1h: number],
  ...[searches: number, money: number | null, short: number, shortOutput: number, shortMissing: number],
]

interface Packed {
  readonly texts: readonly string[]
  readonly rows: readonly PackedBucket[]
}

function packBuckets(buckets: readonly UsageBucket[]): string {
  const places = new Map<string, number>()
  const at = (text: string | null): number => {
    if (text === null) return -1
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return place
  }
  const rows = buckets.map((each): PackedBucket => {
    const { first, last, project, session, agent, agentId, line, status, model, tier, speed, geo } = each
    const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, webSearches, money } = each
    const { messages: short, output: shortOutput, missing } = each.undercounted
    const owner = [at(project), at(session), at(agent), at(agentId), at(line), at(status)] as const
    const served = [at(model), at(tier), at(speed), at(geo)] as const
    const tokens = [input, output, cacheRead, cacheWrite5m, cacheWrite1h] as const
    return [
      first,
      last,
      ...owner,
      ...served,
      messages,
      ...tokens,
      webSearches,
      money,
      short,
      shortOutput,
      missing,
    ]
  })
  const packed: Packed = { texts: [...places.keys()], rows }
  return JSON.stringify(packed)
}

/** Adds the buckets of a group to a list. By positions and in one function: there are thousands, and most calls end soon. */
function unpackBuckets({ texts, rows }: Packed, buckets: UsageBucket[]): void {
  for (const row of rows)
    buckets.push({
      first: row[0],
      last: row[1],
      project: texts[row[2]] ?? '',
      session: texts[row[3]] ?? '',
      agent: texts[row[4]] ?? null,
      agentId: texts[row[5]] ?? null,
      line: texts[row[6]] ?? '',
      status: lineStatus(texts[row[7]]),
      model: texts[row[8]] ?? '',
      tier: texts[row[9]] ?? null,
      speed: texts[row[10]] ?? null,
      geo: texts[row[11]] ?? null,
      messages: row[12],
      input: row[13],
      output: row[14],
      cacheRead: row[15],
      cacheWrite5m: row[16],
      cacheWrite1h: row[17],
      webSearches: row[18],
      money: row[19],
      undercounted: row[20] === 0 ? NONE : { messages: row[20], output: row[21], missing: row[22] },
    })
}

const NONE: Undercount = { messages: 0, output: 0, missing: 0 }
