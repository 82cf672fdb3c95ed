import { describe, expect, it } from 'vitest'
import { timeOf } from './dates.js'

const midnight = (days: number): number =>
  new Date(new Date().setHours(0, 0, 0, 0)).setDate(new Date().getDate() + days)

describe('dates as people type them', () => {
  it.each([
    ['2026-01-31', '20260131'],
    ['2026-03', '2026-03-01'],
  ])('[X11] %s is %s', (a, b) => {
    expect(timeOf(a, false)).toBe(timeOf(b, false))
  })

  it.each([
    ['today', 0],
    ['yesterday', -1],
    ['30d', -30],
    ['2w', -14],
  ])('[X11] %s is the day so long ago', (text, days) => {
    expect(timeOf(text, false)).toBe(midnight(days))
    expect(timeOf(text, true)).toBe(midnight(days + 1))
  })

  it.each(['2026-02-30', '20260230', '2026-13-01', '30x', 'soon', '260131'])('rejects %s', text => {
    expect(() => timeOf(text, false)).toThrow('is not a valid date')
  })
})
