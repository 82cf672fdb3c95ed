/** Fields that several outputs have. */

/** Names, tags and notes that the user gave. */
export interface LabelledJson {
  /** The name. */
  readonly name?: string
  /** The tags, without `#`. */
  readonly tags?: readonly string[]
  /** The note. */
  readonly note?: string
}

/** An output that was made from many files. */
export interface FromFiles {
  /** Files and folders that are there and could not be read. */
  readonly unread?: readonly {
    /** The path. */
    readonly path: string
    /** Why it could not be read. */
    readonly message: string
  }[]
}

/** Sums of API messages. Each message counts once, however many rows and files have it. */
export interface UsageJson {
  /** API messages: answers of the model, by the id that the API gave them. */
  readonly messages: number
  /** Input tokens that no cache was used for. */
  readonly input: number
  /** Output tokens. */
  readonly output: number
  /** Input tokens read from the cache. */
  readonly cacheRead: number
  /** Input tokens written to the cache for five minutes. */
  readonly cacheWrite5m: number
  /** Input tokens written to the cache for an hour. */
  readonly cacheWrite1h: number
  /** What they cost at list prices, in USD; null where no price is known. */
  readonly costUSD: number | null
}

/** Times in milliseconds. */
export interface DurationJson {
  /** How many were measured. */
  readonly count: number
  /** Their sum. */
  readonly total: number
  /** Half took at most this long, to a twentieth; null where none was measured. */
  readonly median: number | null
  /** Nine of ten took at most this long, to a twentieth; null where none was measured. */
  readonly p90: number | null
  /** The longest. */
  readonly longest: number
}

/** The session that another continues, and where. */
export interface ContinuedJson {
  /** The session. */
  readonly session: string
  /** The last entry that both have. */
  readonly at: string
  /** How it was continued. */
  readonly how: 'resume' | 'fork' | 'branch' | 'background' | 'unknown'
}
