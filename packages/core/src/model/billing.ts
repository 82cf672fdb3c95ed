/** What an API message cost: one per `message.id`, however many entries, files and forks repeat it (T3, X4). */
import type { Usage } from './entry.js'

/** Tokens and server tools of one message, by its final usage; or what one entry of it says of them. */
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
  /** Some part carries a stop reason, or the output grew from part to part: the usage is the final one. */
  readonly isFinal: boolean
  /** Characters of its longest part: what a message that has no final usage must at least have put out. */
  readonly written: number
}

/** What became of the branch that a message is on. */
export type UsageStatus = 'live' | 'abandoned' | 'taken-back' | 'retry' | 'copy'

/** A message and whose it was: what usage is grouped by. */
export interface UsageRow extends MessageUsage {
  readonly project: string
  readonly session: string
  /** The agent's type (`Explore`, `general-purpose`), or null for the main conversation. */
  readonly agent: string | null
  /** The branch it is on, and what became of it. An agent's messages are on the branch that spawned it. */
  readonly line: string
  readonly status: UsageStatus
  readonly version: string | null
}
