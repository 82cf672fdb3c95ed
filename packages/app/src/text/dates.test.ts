import { describe, expect, it } from 'vitest'
import { spanOf, timeOf } from './dates.js'

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
    ['last week', -7],
  ])('[X11] %s is the day so long ago', (text, days) => {
    expect(timeOf(text, false)).toBe(midnight(days))
    expect(timeOf(text, true)).toBe(midnight(days + 1))
  })

  it.each(['2026-02-30', '20260230', '2026-13-01', '30x', 'soon', '260131'])('rejects %s', text => {
    expect(() => timeOf(text, false)).toThrow('is not a valid date')
  })

  it.each([
    ['this month', 0],
    ['last month', 1],
    ['Last-Month', 1],
  ])('[X11] %s is all of it', (text, ago) => {
    const now = new Date()
    const start = (months: number): number =>
      new Date(now.getFullYear(), now.getMonth() - ago + months).getTime()
    expect([timeOf(text, false), timeOf(text, true)]).toEqual([start(0), start(1)])
  })

  it('[X11] last year is all of it', () => {
    const start = (years: number): number => new Date(new Date().getFullYear() - 1 + years, 0).getTime()
    expect([timeOf('last year', false), timeOf('last year', true)]).toEqual([start(0), start(1)])
  })

  it('[X11] a span that ends before it begins is an error', () => {
    expect(() => spanOf({ since: '2026-03', until: '2026-02' })).toThrow(
      '--since 2026-03 is later than --until 2026-02.',
    )
    expect(spanOf({ since: '2026-03-01', until: '2026-03-01' }).every(time => time !== null)).toBe(true)
    expect(spanOf({ since: null })).toEqual([null, null])
  })
})
