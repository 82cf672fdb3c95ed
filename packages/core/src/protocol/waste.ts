/** X41: what was paid for in vain, as the page shows it. */

/** Tokens and what they cost, in USD; null where no price is known. */
export interface WastedSum {
  readonly tokens: number
  readonly costUSD: number | null
}

/** All waste of one kind. */
export interface WastedKind extends WastedSum {
  readonly kind: string
  readonly count: number
  /** What would avoid it. */
  readonly avoid: string
}

/** Something that was wasted. */
export interface WastedItem extends WastedSum {
  readonly kind: string
  readonly session: string
  /** The title of the session; null where it has none. */
  readonly title: string | null
  readonly what: string
  readonly why: string
  /** Milliseconds since 1970. */
  readonly time: number | null
  /** The entry that shows it best; null where there is none. */
  readonly node: string | null
}

/** The page of waste. */
export interface WastePage {
  /** The most expensive first, as far as the page shows them. */
  readonly items: readonly WastedItem[]
  /** How many there are in all. */
  readonly count: number
  readonly kinds: readonly WastedKind[]
  readonly wasted: WastedSum
  readonly used: WastedSum & { readonly messages: number }
}
