/** What a generated project is known to mean: written down by the simulated process, never read back from rows. */

/** A real fork: a node (null for the roots) after which the conversation parts. */
interface BranchTruth {
  readonly session: string
  readonly at: string | null
  /** The first entry of each side, in the order written. */
  readonly heads: readonly string[]
  /** The head on the way to the live leaf; null where the whole fork is abandoned. */
  readonly liveHead: string | null
  readonly kind: 'rewind' | 'two-writers'
  /** In a copy under fresh uuids (SDK fork): the same fork once more. */
  readonly copied: boolean
}

/** An agent. Inline agents have no id on disk: their key is the uuid of their first entry. */
export interface AgentTruth {
  /** The call that spawned it; null for warm-up agents. */
  readonly toolUse: string | null
  readonly ownerAgent: string | null
  /** Agent lines around an entry of it: 1 for an agent of the main conversation. */
  readonly depth: number
  readonly name: string | null
  readonly path: string
  readonly root: string
  readonly warmup: boolean
}

/** What an enqueued text became. `absorbed`: the model got it in mid turn, but no entry says so (2.0.64, 2.1.41). */
export type QueueFate = 'prompt' | 'merged' | 'attachment' | 'absorbed' | 'notification' | 'recalled' | 'lost'

/** One enqueued text and its fate; `node` is the entry that carries it. */
export interface QueueTruth {
  readonly path: string
  readonly text: string
  readonly became: QueueFate
  readonly node: string | null
}

/** Physical rows of a file: `records` is the number of whole JSON records on them. */
export interface RowTruth {
  readonly rows: number
  readonly records: number
  readonly blank: number
  readonly torn: number
}

/** The truth about a generated project. Paths are those of the files. */
export interface Truth {
  /** User and assistant entries that the next request of each file's conversation carries, in order of sending. */
  readonly live: Readonly<Record<string, readonly string[]>>
  readonly branches: readonly BranchTruth[]
  readonly agents: Readonly<Record<string, AgentTruth>>
  /** Nodes with more than one child at which nothing parts. */
  readonly notForks: readonly string[]
  /** Prompts that were taken back, or sent again after a failure: siblings that are not branches. */
  readonly takenBack: readonly string[]
  readonly retried: readonly string[]
  readonly rows: Readonly<Record<string, RowTruth>>
  /** Copies under new uuids, and the entry that each repeats. */
  readonly copies: Readonly<Record<string, string>>
  /** Texts enqueued and never delivered. */
  readonly lostQueue: readonly string[]
  readonly queue: readonly QueueTruth[]
  /** API messages (by `message.id`) and the sum of their output tokens, each message once. */
  readonly usage: { readonly messages: number; readonly output: number }
  /** Chained entries written, copies included. */
  readonly entries: number
}
