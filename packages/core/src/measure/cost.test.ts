import { describe, expect, it } from 'vitest'
import type { MessageUsage } from '../model/billing.js'
import { costOf, unpricedName } from './cost.js'

const message: MessageUsage = {
  message: 'm1',
  model: 'claude-opus-4-6',
  time: Date.UTC(2026, 10, 1),
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  webSearches: 0,
  tier: null,
  speed: null,
  geo: null,
  isFinal: true,
  written: 0,
}

function cost(more: Partial<MessageUsage>): number | null {
  return costOf({ ...message, ...more })
}

describe('the cost of a message', () => {
  it('[X5] adds up its kinds of tokens, and its searches', () => {
    const tokens = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite5m: 1e6, cacheWrite1h: 1e6 }
    expect(cost({ ...tokens, webSearches: 100 })).toBeCloseTo(5 + 25 + 0.5 + 6.25 + 10 + 1, 9)
  })

  it('[X5] a long prompt, cache included, is priced as a whole by its tier', () => {
    const model = 'claude-sonnet-4-5'
    expect(cost({ model, cacheRead: 200_000 })).toBeCloseTo(0.06, 9)
    expect(cost({ model, cacheRead: 200_000, input: 1, output: 1000 })).toBeCloseTo(
      0.12 + 0.000006 + 0.0225,
      9,
    )
    expect(cost({ model: 'claude-haiku-5-5', input: 100_001 })).toBeCloseTo(0.0500005, 9)
  })

  it('[X5] the prices of its own day hold', () => {
    const long = { input: 1e6 }
    expect(cost({ ...long, time: Date.UTC(2026, 2, 12, 23) })).toBeCloseTo(10, 9)
    expect(cost({ ...long, time: Date.UTC(2026, 2, 13) })).toBeCloseTo(5, 9)
    expect(cost({ ...long, time: null })).toBeCloseTo(5, 9)
    const reads = { model: 'claude-sonnet-5-5', cacheRead: 1e6 }
    expect(cost({ ...reads, time: Date.UTC(2026, 9, 1) })).toBeCloseTo(0.2, 9)
    expect(cost({ ...reads, time: Date.UTC(2026, 9, 9) })).toBeCloseTo(0.1, 9)
  })

  it('[X5] fast mode, batches and inference in the United States multiply tokens, not searches', () => {
    const used = { input: 100_000, webSearches: 1 }
    expect(cost({ ...used, speed: 'fast' })).toBeCloseTo(3 + 0.01, 9)
    expect(cost({ ...used, speed: 'fast', model: 'claude-opus-5-5' })).toBeCloseTo(0.8 + 0.01, 9)
    expect(cost({ ...used, tier: 'batch' })).toBeCloseTo(0.25 + 0.01, 9)
    expect(cost({ ...used, geo: 'us' })).toBeCloseTo(0.55 + 0.01, 9)
    expect(cost({ ...used, speed: 'fast', geo: 'us' })).toBeCloseTo(3.3 + 0.01, 9)
    // Before the whole window cost the same, fast mode stood on the tier: 60 dollars for a million.
    const early = Date.UTC(2026, 1, 20)
    expect(cost({ input: 1e6, speed: 'fast', time: early })).toBeCloseTo(60, 9)
  })

  it('[X5] is none where no price is known, and says of what', () => {
    const odd: readonly Partial<MessageUsage>[] = [
      { model: 'glm-4.7' },
      { tier: 'priority' },
      { speed: 'fast', model: 'claude-sonnet-5' },
      { geo: 'us', model: 'claude-opus-4-5' },
      { geo: 'moon' },
    ]
    expect(odd.map(cost)).toEqual([null, null, null, null, null])
    expect(odd.map(more => unpricedName({ ...message, ...more }))).toEqual([
      'glm-4.7',
      'claude-opus-4-6 (priority)',
      'claude-sonnet-5 (fast)',
      'claude-opus-4-5 (us)',
      'claude-opus-4-6 (moon)',
    ])
  })
})
