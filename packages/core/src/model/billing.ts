/** What an API message cost: one per `message.id`, however many entries, files and forks repeat it (T3, X4). */
import type { Usage } from './entry.js'

/** Tokens and server tools of one message, by its final usage; or by that of one of its entries. */
export interface MessageUsage extends Usage {
  /** `message.id`. */
  readonly message: string
  readonly model: string
  /** Milliseconds since 1970 of its first part; null where no part is dated. */
  readonly time: number | null
  readonly webSearches: number
  /** `service_tier`, `speed` and `inference_geo` where they are not the standard ones: they have prices of their own. */
  readonly tier: string | null
  readonly speed: string | null
  readonly geo: string | null
  /** The usage is final: some part has a stop reason, or the output grew from part to part. */
  readonly isFinal: boolean
  /** Characters of its longest part: a lower bound of the output of a message without final usage. */
  readonly written: number
}

/** What became of the branch that a message is on. */
export type UsageStatus = 'live' | 'abandoned' | 'taken-back' | 'retry' | 'copy'

/** A message with everything that usage is grouped by. */
export interface UsageRow extends MessageUsage {
  readonly project: string
  readonly session: string
  /** The agent's type (`Explore`, `general-purpose`), or null for the main conversation. */
  readonly agent: string | null
  /** The agent's id; null for the main conversation. */
  readonly agentId: string | null
  /** The branch it is on, and what became of it. An agent's messages are on the branch that spawned it. */
  readonly line: string
  readonly status: UsageStatus
  readonly version: string | null
}

/**
 * Messages of one quarter of an hour that have in common whatever usage is grouped by, added up. Sums over buckets are
 * exactly the sums over their messages.
 */
export interface UsageBucket extends Usage, Omit<UsageRow, keyof MessageUsage | 'version'> {
  /** Times of its first and last message; null for undated ones. */
  readonly first: number | null
  readonly last: number | null
  readonly model: string
  readonly tier: string | null
  readonly speed: string | null
  readonly geo: string | null
  readonly messages: number
  readonly webSearches: number
  /** In billionths of a dollar, so that the order of adding cannot be seen; null where there is no known price. */
  readonly money: number | null
  readonly undercounted: Undercount
}

/** Messages whose final usage was never written: their output is only that of the stream's start. */
export interface Undercount {
  readonly messages: number
  /** Their output as it was counted. */
  readonly output: number
  /** What their text alone must have cost beyond that, in tokens: a lower bound. */
  readonly missing: number
}
