/** HU39: an address that sends many wrong tokens has to wait. */

/** Wrong tokens that an address may send within the time. */
const MOST = 20
/** Milliseconds. */
const WITHIN = 60_000
/** Addresses that are remembered; the oldest are forgotten first. */
const MOST_ADDRESSES = 10_000

interface WrongTokens {
  /** Whether an address has sent so many that its requests are refused for a while. */
  readonly isLimited: (address: string) => boolean
  readonly note: (address: string) => void
}

/** Counts wrong tokens of each address. */
export function createWrongTokens(now: () => number = Date.now): WrongTokens {
  const known = new Map<string, { until: number; count: number }>()
  const current = (address: string): { until: number; count: number } | null => {
    const entry = known.get(address)
    if (entry === undefined || entry.until > now()) return entry ?? null
    known.delete(address)
    return null
  }
  return {
    isLimited: address => (current(address)?.count ?? 0) >= MOST,
    note: address => {
      const entry = current(address) ?? { until: now() + WITHIN, count: 0 }
      known.set(address, { ...entry, count: entry.count + 1 })
      for (const oldest of known.keys()) if (known.size > MOST_ADDRESSES) known.delete(oldest)
    },
  }
}
