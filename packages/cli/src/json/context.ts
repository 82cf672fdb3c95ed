/** What `context --json` prints. */

/** The requests behind answers; with `--diff` also what changed between two. */
export interface ContextJson {
  /** One for the answer that was asked for, two with `--diff`, with `--all` one for every answer. */
  readonly contexts: readonly RequestJson[]
  /** With `--diff`: entries that the second request carried and the first did not. */
  readonly entered?: readonly ContextItemJson[]
  /** With `--diff`: entries that the first request carried and the second did not. */
  readonly left?: readonly ContextItemJson[]
}

/** What the request behind an answer carried. */
export interface RequestJson {
  /** The transcript, below the root. */
  readonly file: string
  /** The id of the API message; null where the answer has none. */
  readonly message: string | null
  /** The entries of the answer. */
  readonly reply: readonly string[]
  /** The user and assistant entries that the request carried, in the order of sending. */
  readonly entries: readonly string[]
  /** Why the transcript cannot tell for sure what the request carried; null where it can. */
  readonly unknown: string | null
  /** The tokens of the request. */
  readonly tokens: {
    /** Input, cache reads and cache writes, as the answer tells; null where it does not. */
    readonly total: number | null
    /** By category: estimates that add up to the total. */
    readonly parts: Readonly<Record<string, number>>
  }
  /** Without `--all`: the tokens that the model can read at once. */
  readonly window?: number
  /** Without `--all`: the entries and attachments with their share of the tokens. */
  readonly items?: readonly ContextItemJson[]
  /** Without `--all`: what was written before and not in the request, by reason. */
  readonly out?: readonly LeftOutJson[]
  /** Without `--all`: the last compaction before it; null where there was none. */
  readonly compaction?: ContextCompactionJson | null
}

/** An entry or attachment of a request. */
export interface ContextItemJson {
  /** Its uuid. */
  readonly node: string
  /** When it was written. */
  readonly time: string | null
  /** What it is. */
  readonly kind: string
  /** Its beginning. */
  readonly text: string
  /** The category that most of its tokens are of. */
  readonly category: string
  /** Its estimated tokens. */
  readonly tokens: number
}

/** Entries that were not in a request. */
export interface LeftOutJson {
  /** Why: compacted, abandoned, subagent, queued, never-sent, or cleared, which were sent without their content. */
  readonly reason: string
  /** How many. */
  readonly entries: number
  /** Their uuids, the newest first. */
  readonly nodes: readonly string[]
}

/** A compaction, and what it changed. */
export interface ContextCompactionJson {
  /** The entry that marks it. */
  readonly boundary: string
  /** When it was made. */
  readonly time: string | null
  /** The tokens of the request before it. */
  readonly before: number | null
  /** The tokens of the first request after it. */
  readonly after: number | null
  /** Entries that the request before it carried and the one after it did not. */
  readonly dropped: number
  /** The heaviest of them, at most ten, with their tokens in the request before. */
  readonly heaviest: readonly ContextItemJson[]
}
