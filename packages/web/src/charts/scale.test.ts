import { describe, expect, it } from 'vitest'
import { labelEvery, levelOf, quantiles, ticksTo } from './scale.js'

describe('ticks', () => {
  it.each([
    [10, 4, [0, 2.5, 5, 7.5, 10]],
    [7, 4, [0, 2, 4, 6, 8]],
    [0.3, 3, [0, 0.1, 0.2, 0.3]],
    [1234, 4, [0, 500, 1000, 1500]],
    [0, 4, [0, 1]],
    [Number.NaN, 4, [0, 1]],
  ])('to %d, about %d', (most, wanted, expected) => {
    expect(ticksTo(most, wanted)).toEqual(expected)
  })

  it('reach the largest value and are few', () => {
    for (let most = 1e-7; most < 1e9; most *= 1.37) {
      const ticks = ticksTo(most, 4)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-9))
      expect(ticks.length).toBeLessThan(8)
    }
  })
})

describe('levels', () => {
  it('split values into equal groups, and zero is level 0', () => {
    const thresholds = quantiles([0, 1, 2, 3, 4], 4)
    expect([0, 1, 2, 3, 4, 99].map(value => levelOf(value, thresholds))).toEqual([0, 1, 2, 3, 4, 4])
  })

  it('of no values are 0 or 1', () => {
    expect(levelOf(0, quantiles([], 4))).toBe(0)
    expect(levelOf(5, quantiles([], 4))).toBe(1)
  })
})

it('labels keep their distance', () => {
  expect(labelEvery(10, 60)).toBe(6)
  expect(labelEvery(100, 60)).toBe(1)
})
