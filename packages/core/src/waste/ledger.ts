/**
 * X41: what is left of the tokens of each message. Every sum is taken from here, so a token is counted once, and no sum
 * is more than the message used.
 */
import { createPricer } from '../measure/cost.js'
import type { Prices } from '../measure/prices.js'
import type { MessageUsage } from '../model/billing.js'
import type { Usage } from '../model/entry.js'
import type { WasteShare } from './waste.js'

/** Tokens of a message that are said to be wasted. */
export type Claim =
  | { readonly take: 'all' | 'output' | 'uncached'; readonly message: string }
  /** Of what the request carried: something new, which was written to the cache, or something known, which was read. */
  | {
      readonly take: 'new' | 'carried'
      readonly message: string
      readonly tokens: number
    }
  /** Written to the cache, though they had been there: they cost what writing costs more than reading. */
  | {
      readonly take: 'rewritten'
      readonly message: string
      readonly tokens: Pick<Usage, 'cacheWrite5m' | 'cacheWrite1h'>
    }

/** Takes tokens of messages; null where nothing is left of what is claimed. */
type Ledger = (claim: Claim) => Omit<WasteShare, 'ref'> | null

type Left = { -readonly [K in keyof Usage]: number }

/** Opens a ledger of some messages, by their ids. */
export function openLedger(usage: ReadonlyMap<string, MessageUsage>, prices: Prices): Ledger {
  const price = createPricer(prices)
  const left = new Map<string, Left>()
  return claim => {
    const used = usage.get(claim.message)
    if (used === undefined) return null
    const rest = left.get(claim.message) ?? tokensOf(used)
    left.set(claim.message, rest)
    const isWhole = claim.take === 'all' && sumOf(rest) === sumOf(used)
    const taken = takeFrom(rest, claim)
    const tokens = sumOf(taken)
    if (tokens === 0) return null
    const paid = price(used, isWhole ? undefined : taken)
    const anyway = claim.take === 'rewritten' ? price(used, { ...NOTHING, cacheRead: tokens }) : 0
    return {
      message: claim.message,
      tokens,
      costUSD: paid === null || anyway === null ? null : Math.max(0, paid - anyway),
    }
  }
}

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

function tokensOf({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): Left {
  return { input, output, cacheRead, cacheWrite5m, cacheWrite1h }
}

function sumOf({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number {
  return input + output + cacheRead + cacheWrite5m + cacheWrite1h
}

function takeFrom(rest: Left, claim: Claim): Usage {
  switch (claim.take) {
    case 'all':
      return takeEach(rest, { ...rest })
    case 'output':
      return takeEach(rest, { output: rest.output })
    case 'uncached':
      return takeEach(rest, { ...rest, output: 0, cacheRead: 0 })
    case 'rewritten':
      return takeEach(rest, claim.tokens)
    case 'new':
      return takeInOrder(rest, claim.tokens, WRITTEN_FIRST)
    case 'carried':
      return takeInOrder(rest, claim.tokens, READ_FIRST)
  }
}

function takeEach(rest: Left, wanted: Partial<Usage>): Usage {
  const taken: Left = { ...NOTHING }
  for (const field of FIELDS) {
    taken[field] = Math.min(rest[field], wanted[field] ?? 0)
    rest[field] -= taken[field]
  }
  return taken
}

function takeInOrder(rest: Left, tokens: number, order: readonly (keyof Usage)[]): Usage {
  const taken: Left = { ...NOTHING }
  let open = tokens
  for (const field of order) {
    taken[field] = Math.min(rest[field], open)
    rest[field] -= taken[field]
    open -= taken[field]
  }
  return taken
}

/** The cache holds the beginning of a request: what is known is read from it, what is new stands behind. */
const READ_FIRST = ['cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'input'] as const
const WRITTEN_FIRST = ['cacheWrite5m', 'cacheWrite1h', 'input', 'cacheRead'] as const
const FIELDS = [...READ_FIRST, 'output'] as const
