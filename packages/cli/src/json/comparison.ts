/** What `diff --json` prints. */

/** Two conversations from where they part; with `--compaction` what a compaction dropped. */
export type DiffJson = ComparedJson | DroppedJson

/** Two conversations. */
export interface ComparedJson {
  /** Where they part; null where they share nothing. */
  readonly fork: {
    /** The last entry that both have; null at the beginning. */
    readonly node: string | null
    /** The session that has it. */
    readonly session: string
    /** How many entries both have. */
    readonly shared: number
    /** Why they part there. */
    readonly evidence: string | null
  } | null
  /** The two sides. */
  readonly sides: readonly SideJson[]
}

/** What came after the last entry that both sides have. */
export interface SideJson {
  /** The entry that was asked for. */
  readonly ref: string
  /** The name that the user gave it. */
  readonly name?: string
  /** Its session. */
  readonly session: string
  /** The line on which it leaves the other side. */
  readonly line: string
  /** What became of the line. */
  readonly status: string
  /** The title of the session. */
  readonly title: string | null
  /** When it began. */
  readonly first: string | null
  /** When it ended. */
  readonly last: string | null
  /** API messages. */
  readonly messages: number
  /** All tokens. */
  readonly tokens: number
  /** Output tokens. */
  readonly output: number
  /** What it cost in USD; null where no price is known. */
  readonly costUSD: number | null
  /** Subagents. */
  readonly agents: number
  /** Tools that were called. */
  readonly tools: readonly {
    /** The tool. */
    readonly name: string
    /** How often. */
    readonly calls: number
    /** Calls that failed. */
    readonly errors: number
  }[]
  /** Files that were written. */
  readonly files: readonly {
    /** The path. */
    readonly path: string
    /** How often. */
    readonly edits: number
  }[]
  /** Turns that begin on it. */
  readonly turnCount: number
  /** The first of them, after the rest of a turn that began before. */
  readonly turns: readonly ComparedTurnJson[]
}

/** A turn. */
export interface ComparedTurnJson {
  /** Its prompt. */
  readonly node: string
  /** When it was typed. */
  readonly time: string | null
  /** The text of the prompt; null where the turn began before. */
  readonly prompt: string | null
  /** The last text of Claude. */
  readonly answer: string | null
  /** Tool calls. */
  readonly calls: readonly {
    /** The entry. */
    readonly node: string
    /** The tool. */
    readonly tool: string
    /** The main argument. */
    readonly text: string
    /** Whether it failed. */
    readonly failed: boolean
  }[]
  /** What it cost in USD; null where no price is known. */
  readonly costUSD: number | null
}

/** What a compaction dropped. */
export interface DroppedJson {
  /** The entry that marks the compaction. */
  readonly boundary: string
  /** The entries that mark all compactions of the conversation, in their order. */
  readonly compactions: readonly string[]
  /** The session. */
  readonly session: string
  /** The line that it is on. */
  readonly line: string | null
  /** What started it. */
  readonly trigger: string | null
  /** Tokens before. */
  readonly preTokens: number | null
  /** Tokens after. */
  readonly postTokens: number | null
  /** How long it took. */
  readonly durationMs: number | null
  /** What is gone. */
  readonly dropped: {
    /** Messages. */
    readonly messages: number
    /** Tool calls. */
    readonly calls: number
    /** Tool results. */
    readonly results: number
    /** Prompts. */
    readonly prompts: readonly DroppedEntryJson[]
    /** Files that calls named. */
    readonly files: readonly {
      /** The path. */
      readonly path: string
      /** How many calls named it. */
      readonly calls: number
      /** Whether what was kept names it, too. */
      readonly isKept: boolean
    }[]
  }
  /** Entries that were kept. */
  readonly kept: readonly DroppedEntryJson[]
  /** The summary. */
  readonly summary: {
    /** The entry. */
    readonly node: string
    /** Its text. */
    readonly text: string
  } | null
}

/** An entry before a compaction. */
export interface DroppedEntryJson {
  /** The entry. */
  readonly node: string
  /** When it was written. */
  readonly time: string | null
  /** What it is. */
  readonly kind: string
  /** Its first words. */
  readonly text: string
}
