/** X17, X18: what the request behind an answer held, as plain data. */

/** Why an entry of the transcript was not in a request. */
export type LeftOutReason =
  /** A compaction had replaced it by a summary. */
  | 'compacted'
  /** It stands on a branch that the conversation had left, or that another process wrote. */
  | 'abandoned'
  /** It belongs to the conversation of a subagent. */
  | 'subagent'
  /** It was typed and waited in the queue. */
  | 'queued'
  /** The client never sends it: notices of failed requests, calls without a result, a reply that broke off. */
  | 'never-sent'

/** The tokens of a request. */
export interface RequestTokens {
  /** Input, cache reads and cache writes, as the answer tells; null where it does not. */
  readonly total: number | null
  /**
   * By category, estimated and made to add up to the total. `results:TOOL` are the results of one tool; `system` is what no
   * row shows: system prompt, tools, reminders that were not written.
   */
  readonly parts: Readonly<Record<string, number>>
}

/** What a request carried. */
export interface RequestContext {
  /** The transcript, below the root. */
  readonly file: string
  /** The id of the API message; null where the answer has none. */
  readonly message: string | null
  /** The entries of the answer. */
  readonly reply: readonly string[]
  /** The user and assistant entries that the request carried, in the order of sending. */
  readonly entries: readonly string[]
  /** Why the transcript cannot tell for sure; null where it can. */
  readonly unknown: string | null
  readonly tokens: RequestTokens
}

/** An entry or attachment of a request. */
export interface ContextItem {
  readonly node: string
  readonly time: number | null
  readonly kind: string
  readonly text: string
  /** The category that most of its tokens are of. */
  readonly category: string
  readonly tokens: number
}

/** Entries that were not in a request for the same reason. */
export interface LeftOutEntries {
  readonly reason: LeftOutReason
  readonly entries: number
  /** Uuids, the newest first; queued texts have none. */
  readonly nodes: readonly string[]
}

/** A request with all that is known of it. */
export interface ContextReport {
  readonly context: RequestContext
  readonly session: string
  readonly agent: string | null
  readonly time: number | null
  /** Its number among the answers of its conversation, and how many there are. */
  readonly answer: number
  readonly answers: number
  /** Tokens that the model can read at once, as far as the session shows: 200,000, or 1,000,000. */
  readonly window: number
  /** Entries and attachments in the order of sending, attachments last. */
  readonly items: readonly ContextItem[]
  readonly out: readonly LeftOutEntries[]
  /** The last compaction before it: the requests around it; null where there was none. */
  readonly compaction: {
    readonly boundary: string
    readonly time: number | null
    readonly before: RequestTokens | null
    readonly after: RequestTokens | null
    /** Entries that the request before had and the one after had not. */
    readonly dropped: number
  } | null
}

/** What entered and what left between two requests. */
export interface ContextDifference {
  readonly from: ContextReport
  readonly to: ContextReport
  readonly entered: readonly ContextItem[]
  readonly left: readonly ContextItem[]
}
