/** What a search for secrets gives. */

/** A secret in a text: what it is, and where. */
export interface Found {
  readonly kind: string
  readonly start: number
  /** Behind the last character. */
  readonly end: number
}

/** Kinds that only say what a secret is assigned to. */
const GENERIC = new Set([
  'password',
  'secret',
  'token',
  'api-key',
  'session',
  'authorization',
  'cookie',
  'url-login',
])

/** In order; what overlaps is one, of the kind that began first, and of the one that says more where both begin together. */
export function mergeFound(found: readonly Found[]): readonly Found[] {
  if (found.length < 2) return found
  const merged: Found[] = []
  for (const next of found.toSorted((a, b) => a.start - b.start || rank(a) - rank(b))) {
    const last = merged.at(-1)
    if (last === undefined || next.start >= last.end) merged.push(next)
    else if (next.end > last.end) merged[merged.length - 1] = { ...last, end: next.end }
  }
  return merged
}

function rank({ kind }: Found): number {
  return GENERIC.has(kind) ? 1 : 0
}
