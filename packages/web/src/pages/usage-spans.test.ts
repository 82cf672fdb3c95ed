import type { UsageDay } from '@dagline/core/protocol'
import { describe, expect, it } from 'vitest'
import { buildChart, modelName, spanEnd, spanName, spansOf, stepFor, sumCells } from './usage-spans.js'

const day = (key: string, cost: number | null, models: UsageDay['models'] = []): UsageDay => ({
  key,
  messages: 1,
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  cost,
  models,
})

const keys = (days: readonly UsageDay[], step: 'day' | 'week' | 'month'): string =>
  spansOf(days, step)
    .map(({ key, days: own }) => `${key} ${own.length}`)
    .join(', ')

describe('spans', () => {
  it.each([
    ['day', '2026-02-27 1, 2026-02-28 0, 2026-03-01 1, 2026-03-02 1'],
    ['week', '2026-02-23 2, 2026-03-02 1'],
    ['month', '2026-02 1, 2026-03 2'],
  ] as const)('by %s, without gaps', (step, expected) => {
    expect(
      keys([day('2026-02-27', 1), day('2026-03-01', 1), day('2026-03-02', 1), day('undated', 1)], step),
    ).toBe(expected)
  })

  it('continue over the end of a year', () => {
    expect(keys([day('2025-11-30', 1), day('2026-01-31', 1)], 'month')).toBe(
      '2025-11 1, 2025-12 0, 2026-01 1',
    )
  })

  it('omit empty ones where there would be too many', () => {
    expect(keys([day('1970-01-01', 1), day('2026-01-31', 1)], 'day')).toBe('1970-01-01 1, 2026-01-31 1')
    expect(keys([], 'day')).toBe('')
  })

  it('have names and ends', () => {
    expect([
      spanName('2026-03-02', 'day'),
      spanName('2026-03-02', 'week'),
      spanName('2026-03', 'month'),
    ]).toEqual(['2 Mar 2026', 'week of 2 Mar 2026', 'Mar 2026'])
    expect([
      spanEnd('2026-03-02', 'day'),
      spanEnd('2026-03-02', 'week'),
      spanEnd('2024-02', 'month'),
    ]).toEqual(['2026-03-02', '2026-03-08', '2024-02-29'])
  })

  it('are as fine as is readable', () => {
    const from = (first: string): string => stepFor([day(first, 1), day('2026-03-02', 1)])
    expect([from('2026-02-01'), from('2025-06-01'), from('2023-01-01'), stepFor([])]).toEqual([
      'day',
      'week',
      'month',
      'day',
    ])
  })
})

describe('charts', () => {
  const models = ['claude-opus-4-8', 'a', 'b', 'c', 'd', 'e', 'f']
  const page = {
    days: [
      day('2026-03-02', 5, [
        [0, 2, 9],
        [1, null, 9],
        [5, 1, 9],
        [6, 2, 9],
      ]),
    ],
    models,
  }

  it('show cost by model, the last models together', () => {
    const { bars, series } = buildChart(page, 'cost', 'day')
    expect(series).toEqual(['opus-4-8', 'a', 'b', 'c', 'd', 'others'])
    expect(bars[0]?.parts).toEqual([2, 0, 0, 0, 0, 3])
  })

  it('show tokens by type', () => {
    const { bars } = buildChart(page, 'tokens', 'day')
    expect(bars[0]?.parts).toEqual([3, 4, 1, 2])
  })
})

it('sums know what has no price', () => {
  expect(sumCells([day('a', null), day('b', null)]).cost).toBeNull()
  expect(sumCells([day('a', null), day('b', 2)])).toMatchObject({ messages: 2, cost: 2 })
})

it.each([
  ['claude-sonnet-4-5-20250929', 'sonnet-4-5'],
  ['us.anthropic.claude-opus-4-1-20250805-v1:0', 'opus-4-1'],
  ['gpt-5', 'gpt-5'],
])('%s is %s', (model, name) => {
  expect(modelName(model)).toBe(name)
})
