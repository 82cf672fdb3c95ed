/** The table against @pydantic/genai-prices, which is kept by others; and the names that models go by. */
import { calcPrice } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import type { MessageUsage } from '../model/billing.js'
import { costOf } from './cost.js'
import {
  findPrice,
  LIST_PRICES,
  MODEL_PRICES,
  modelFamily,
  PRICES_AS_OF,
  pricesBasis,
  pricesWith,
} from './prices.js'

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, webSearches: 0 }
type Tokens = Partial<typeof NOTHING>

const SHORT: Readonly<Record<string, Tokens>> = {
  input: { input: 50_000 },
  output: { output: 50_000 },
  'cache read': { cacheRead: 50_000 },
  'write 5m': { cacheWrite5m: 50_000 },
  'write 1h': { cacheWrite1h: 50_000 },
}
const LONG: Readonly<Record<string, Tokens>> = {
  'long input': { input: 300_000 },
  'long output': { input: 300_000, output: 50_000 },
  'long cache read': { cacheRead: 300_000 },
  'long write 5m': { cacheWrite5m: 300_000 },
  'long write 1h': { cacheWrite1h: 300_000 },
}

/** What the other table does not have, or has otherwise, and why ours is kept. */
interface Explained {
  readonly model: string
  readonly cases: RegExp
  readonly why: string
}

const EXPLAINED: readonly Explained[] = [
  {
    model: 'claude-sonnet-4',
    cases: /^long/,
    why: 'it has the tier of the 1M beta for Sonnet 4.5 only; Anthropic listed Sonnet 4 with it, too, from August 2025',
  },
  {
    model: 'claude-sonnet-5-5',
    cases: /cache read$/,
    why: 'it takes 5.5 for 5 (0.1.8 is older than the model); Anthropic halved the reads of 5.5 in October 2026',
  },
  { model: 'claude-haiku-5-5', cases: /./, why: '0.1.8 is older than the model' },
  { model: 'claude-mythos-5', cases: /./, why: 'of limited availability, and not listed there' },
  { model: 'claude-mythos-5-1', cases: /./, why: 'of limited availability, and not listed there' },
]

const DAYS = ['2026-03-01', '2026-11-01']

function usageOf(model: string, day: string, tokens: Tokens): MessageUsage {
  const served = { tier: null, speed: null, geo: null }
  const rest = { message: 'm', time: Date.parse(day), isFinal: true, written: 0 }
  return { ...NOTHING, ...rest, ...served, model, ...tokens }
}

/** The same question put to the other table; null where it does not know the model. */
function otherPrice(model: string, day: string, tokens: Tokens): number | null {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h, webSearches } = { ...NOTHING, ...tokens }
  const usage = {
    input_tokens: input + cacheRead + cacheWrite5m + cacheWrite1h,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite5m + cacheWrite1h,
    cache_write_1h_tokens: cacheWrite1h,
    web_searches: webSearches,
  }
  const options = { providerId: 'anthropic', timestamp: new Date(day) }
  return calcPrice(usage, model, options)?.total_price ?? null
}

/** The cases in which the tables differ. */
function differences(model: string): readonly { readonly name: string; readonly text: string }[] {
  return DAYS.flatMap(day =>
    Object.entries({ ...SHORT, ...LONG }).flatMap(([name, tokens]) => {
      const ours = costOf(usageOf(model, day, tokens))
      const theirs = otherPrice(model, day, tokens)
      const isSame = ours !== null && theirs !== null && Math.abs(ours - theirs) < 1e-9
      return isSame ? [] : [{ name, text: `${name} on ${day}: ${ours}, there ${theirs}` }]
    }),
  )
}

describe('prices', () => {
  it.each(MODEL_PRICES.map(({ model }) => model))('[X5] of %s are those of genai-prices', model => {
    const explained = EXPLAINED.filter(known => known.model === model)
    const open = differences(model).filter(({ name }) => !explained.some(({ cases }) => cases.test(name)))
    expect(open.map(({ text }) => text)).toEqual([])
  })

  it.each(EXPLAINED)('[X5] of $model differ: $why', ({ model, cases }) => {
    expect(differences(model).some(({ name }) => cases.test(name))).toBe(true)
  })

  it('[X5] of a web search are 10 dollars for a thousand', () => {
    expect(costOf(usageOf('claude-opus-4-6', '2026-11-01', { webSearches: 1000 }))).toBe(10)
    expect(otherPrice('claude-opus-4-6', '2026-11-01', { webSearches: 1000 })).toBe(10)
  })

  it('[X5] have a date, and every period but the last one ends', () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d\d-\d\d$/)
    const now = Date.parse(PRICES_AS_OF)
    for (const { periods } of MODEL_PRICES) {
      expect(periods.at(-1)?.until).toBe(Infinity)
      expect(periods.slice(0, -1).every(({ until }) => until <= now)).toBe(true)
    }
  })

  it('[X5] each name means one model', () => {
    const names = MODEL_PRICES.flatMap(({ model, aliases }) => [model, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter(name => modelFamily(name) !== name)).toEqual([])
  })
})

describe('names of models', () => {
  it.each([
    ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['claude-3-5-haiku-latest', 'claude-3-5-haiku'],
    ['claude-sonnet-4-5[1m]', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5-20250929[1m]', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-sonnet-4'],
    ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['global.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['us-gov.anthropic.claude-3-5-sonnet-20240620-v1:0', 'claude-3-5-sonnet'],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-8', 'claude-opus-4-8'],
    ['claude-opus-4-5@20251101', 'claude-opus-4-5'],
    ['claude-3-5-sonnet-v2@20241022', 'claude-3-5-sonnet'],
    ['claude-opus-5@default', 'claude-opus-5'],
    ['anthropic/claude-opus-4.6', 'claude-opus-4-6'],
    ['openrouter/anthropic/claude-3.7-sonnet', 'claude-3-7-sonnet'],
    ['claude-4-sonnet-20250514', 'claude-sonnet-4'],
    ['Claude-Fable-5-1', 'claude-fable-5-1'],
  ])('[X5] %s is %s', (name, family) => {
    expect(findPrice(name, LIST_PRICES)?.model).toBe(family)
  })

  it.each([
    'glm-4.7',
    'claude-opus-6',
    'claude-opus-4-9',
    'claude-opus-4-6-preview',
    'claude-opus-4-6-fast',
    'claude-sonnet',
    'claude-2.1',
    'gpt-6',
    'my-claude-opus-4-6',
    'unknown',
    '',
    '__proto__',
  ])('[X5] %s has no price', name => {
    expect(findPrice(name, LIST_PRICES)).toBeNull()
  })
})

describe('prices of the user', () => {
  it('[X5] count before the list where they are passed, and nowhere else', () => {
    const prices = pricesWith({
      'Anthropic/Claude-Opus-4.6': { input: 1, output: 2 },
      mine: { input: 3, output: 4 },
    })
    const message = usageOf('claude-opus-4-6', '2026-11-01', { input: 1_000_000, output: 1_000_000 })
    expect([costOf(message, prices), costOf(message), costOf(message, LIST_PRICES)]).toEqual([3, 30, 30])
    const own = { ...message, model: 'mine', input: 0, output: 0, cacheRead: 1_000_000 }
    expect(costOf(own, prices)).toBeCloseTo(0.3, 9)
    expect(costOf(own)).toBeNull()
    expect(new Set([LIST_PRICES, prices, pricesWith({})].map(pricesBasis)).size).toBe(2)
  })
})
