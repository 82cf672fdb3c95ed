/** X11: the windows of five hours that subscriptions are limited by, as ccusage defines them. */
import type { UsageBucket } from '../model/billing.js'
import { tallyBuckets, type UsageGroup } from './usage.js'

/** The usage of one window. */
export interface UsageBlock extends UsageGroup {
  /** From the hour of its first message on, for five hours; in milliseconds since 1970. */
  readonly start: number
  readonly end: number
  /** Its first and its last message. */
  readonly first: number
  readonly last: number
  /** The window is not over, and its last message is less than five hours old. */
  readonly isActive: boolean
}

const HOUR = 60 * 60 * 1000
const LENGTH = 5 * HOUR

/**
 * The windows, the oldest first. One begins with the full hour (UTC) of a message that is in no window, or that comes more
 * than five hours after the one before it. Messages without a time are in none.
 */
export function blocksOf(buckets: readonly UsageBucket[], now: number): readonly UsageBlock[] {
  const blocks: OpenBlock[] = []
  for (const bucket of buckets.toSorted((a, b) => (a.first ?? 0) - (b.first ?? 0))) {
    const { first, last } = bucket
    if (first === null || last === null) continue
    const open = blocks.at(-1)
    if (open !== undefined && first < open.start + LENGTH && first - open.last <= LENGTH) {
      open.buckets.push(bucket)
      open.last = Math.max(open.last, last)
    } else blocks.push({ start: Math.floor(first / HOUR) * HOUR, first, last, buckets: [bucket] })
  }
  return blocks.map(block => blockOf(block, now))
}

interface OpenBlock {
  readonly start: number
  readonly first: number
  last: number
  readonly buckets: UsageBucket[]
}

function blockOf({ start, first, last, buckets }: OpenBlock, now: number): UsageBlock {
  const { groups, totals, unpriced } = tallyBuckets(buckets, 'model', () => '')
  const byMessages = groups.toSorted((a, b) => b.messages - a.messages)
  const end = start + LENGTH
  return {
    ...totals,
    key: new Date(start).toISOString(),
    models: byMessages.map(({ key }) => key),
    unpriced: unpriced.reduce((sum, { messages }) => sum + messages, 0),
    ...{ start, end, first, last },
    isActive: now < end && now - last < LENGTH,
  }
}
