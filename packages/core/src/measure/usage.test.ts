import { array, assert, constantFrom, integer, property, record, shuffledSubarray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UsageRow } from '../model/billing.js'
import { tallyUsage, type UsageKey, type UsageTally, weekOf } from './usage.js'
import { isUndercounted, mergeRows } from './usage-messages.js'

const first: UsageRow = {
  message: 'm1',
  model: 'claude-opus-4-6',
  time: Date.UTC(2026, 0, 1, 23, 30),
  input: 10,
  output: 100,
  cacheRead: 1000,
  cacheWrite5m: 5,
  cacheWrite1h: 7,
  webSearches: 0,
  tier: null,
  speed: null,
  geo: null,
  isFinal: true,
  written: 0,
  project: 'p',
  session: 's',
  agent: null,
  agentId: null,
  line: 's',
  status: 'live',
  version: '2.1.0',
}

const utc = (time: number): string => new Date(time).toISOString().slice(0, 10)

function row(more: Partial<UsageRow>): UsageRow {
  return { ...first, ...more }
}

function keys(rows: readonly UsageRow[], by: UsageKey, dayOf = utc): readonly string[] {
  return tallyUsage(rows, by, dayOf).groups.map(({ key, messages }) => `${key} ${messages}`)
}

describe('one message, seen several times', () => {
  it('[T3] counts once, by its largest output', () => {
    const { totals } = tallyUsage([row({ output: 1 }), row({ output: 100 }), row({ output: 1 })], 'day', utc)
    expect(totals).toMatchObject({ messages: 1, input: 10, output: 100, cacheRead: 1000 })
  })

  it('[X6] is final with a stop reason, or when its output grew; a zeroed copy says nothing', () => {
    const start = row({ output: 1, isFinal: false, written: 300 })
    expect(mergeRows(start, start).isFinal).toBe(false)
    expect(mergeRows(start, row({ output: 0, isFinal: false })).isFinal).toBe(false)
    expect(mergeRows(start, row({ output: 90, isFinal: false })).isFinal).toBe(true)
    expect(mergeRows(start, row({ output: 1 })).isFinal).toBe(true)
  })

  it('[X4] is of the earliest, live if any is', () => {
    const copy = row({ session: 'copy', line: 'copy', time: (first.time ?? 0) + 5, status: 'live' })
    const original = row({ status: 'abandoned', line: 's@1' })
    const merged = { session: 's', line: 's@1', status: 'live', time: first.time }
    expect(mergeRows(copy, original)).toMatchObject(merged)
    expect(mergeRows(original, copy)).toMatchObject(merged)
    expect(mergeRows(row({ time: null, session: 'a' }), original)).toMatchObject({ session: 's' })
  })
})

describe('groups', () => {
  const rows = [
    row({}),
    row({ message: 'm2', time: Date.UTC(2026, 0, 2), agent: 'Explore', model: 'glm-4.7' }),
    row({ message: 'm3', time: Date.UTC(2026, 1, 1), status: 'abandoned', line: 's@1', project: 'q' }),
    row({ message: 'm4', time: null, session: 't', line: 't' }),
  ]

  it.each([
    ['day', ['2026-01-01 1', '2026-01-02 1', '2026-02-01 1', 'undated 1']],
    ['week', ['2026-W01 2', '2026-W05 1', 'undated 1']],
    ['month', ['2026-01 2', '2026-02 1', 'undated 1']],
    ['project', ['p 3', 'q 1']],
    ['session', ['s 3', 't 1']],
    ['model', ['claude-opus-4-6 3', 'glm-4.7 1']],
    ['agent', ['main 3', 'Explore 1']],
    ['branch', ['live 3', 'abandoned 1']],
    ['line', ['s 2', 's@1 1', 't 1']],
  ] as const)('[X4] by %s', (by, expected) => {
    expect(keys(rows, by)).toEqual(expected)
  })

  it('[X4] the day is that of the zone that was asked for', () => {
    const east = (time: number): string => utc(time + 60 * 60 * 1000)
    expect(keys(rows.slice(0, 1), 'day', east)).toEqual(['2026-01-02 1'])
  })

  it('[X5] what has no price is counted and listed, and a group of nothing else has no cost', () => {
    const { totals, groups, unpriced } = tallyUsage(rows, 'model', utc)
    expect(unpriced.map(({ key, messages, output }) => [key, messages, output])).toEqual([
      ['glm-4.7', 1, 100],
    ])
    expect(groups.map(({ cost }) => cost === null)).toEqual([false, true])
    expect(totals.messages).toBe(4)
    expect(totals.cost).toBeCloseTo(((10 * 5 + 100 * 25 + 1000 * 0.5 + 5 * 6.25 + 7 * 10) / 1e6) * 3, 9)
    expect(tallyUsage([], 'day', utc).totals.cost).toBe(0)
  })

  it('[X6] messages that say less than they wrote are counted, with what is missing', () => {
    const low = row({ message: 'low', output: 2, isFinal: false, written: 400 })
    expect(isUndercounted(low)).toBe(true)
    expect(isUndercounted({ ...low, isFinal: true })).toBe(false)
    expect(isUndercounted({ ...low, output: 80 })).toBe(false)
    expect(tallyUsage([...rows, low], 'day', utc).undercounted).toEqual({
      messages: 1,
      output: 2,
      missing: 98,
    })
  })

  it.each([
    ['2026-01-01', '2026-W01'],
    ['2025-12-29', '2026-W01'],
    ['2027-01-03', '2026-W53'],
    ['2024-12-30', '2025-W01'],
    ['2026-12-31', '2026-W53'],
    ['275760-09-13', '275760-W37'],
    ['-271821-04-20', '-271821-W16'],
  ])('[X4] %s is in week %s', (day, week) => {
    expect(weekOf(day)).toBe(week)
  })
})

/** Rows of a few messages, so that many are the same one. */
const rows = array(
  record({
    message: constantFrom('m1', 'm2', 'm3', 'm4'),
    model: constantFrom('claude-opus-4-6', 'claude-haiku-5-5', 'glm-4.7'),
    time: constantFrom(null, 0, 86_400_000, first.time),
    output: integer({ min: 0, max: 3 }),
    input: integer({ min: 0, max: 250_000 }),
    isFinal: constantFrom(true, false),
    written: integer({ min: 0, max: 30 }),
    session: constantFrom('s', 't'),
    agent: constantFrom(null, 'Explore'),
    status: constantFrom('live', 'abandoned', 'taken-back', 'retry', 'copy'),
    speed: constantFrom(null, 'fast'),
  }).map(row),
  { maxLength: 12 },
)

describe('the sum', () => {
  it.each(['day', 'session', 'model', 'agent', 'branch'] as const)(
    '[T3] by %s depends neither on the order of rows nor on how often they come',
    by => {
      const tally = (some: readonly UsageRow[]): UsageTally => tallyUsage(some, by, utc)
      const mixed = rows.chain(all =>
        shuffledSubarray([...all], { minLength: all.length }).map(other => ({ all, other })),
      )
      assert(
        property(mixed, ({ all, other }) => {
          expect(tally(other)).toEqual(tally(all))
          expect(tally([...all, ...other])).toEqual(tally(all))
        }),
      )
    },
  )

  it('[X4] of the groups is the whole', () => {
    assert(
      property(rows, all => {
        const { totals, groups } = tallyUsage(all, 'branch', utc)
        for (const name of ['messages', 'input', 'output'] as const) {
          expect(groups.reduce((sum, group) => sum + group[name], 0)).toBe(totals[name])
        }
        expect(groups.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBeCloseTo(totals.cost ?? 0, 9)
      }),
    )
  })
})
