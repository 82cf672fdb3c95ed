/** Dates as people type them, in the time zone of the machine. */
import { isoDay } from '@dagline/core/format'
import { UserError } from '../host/user-error.js'

const ZONED = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/

/**
 * The time that a date means, in milliseconds since 1970: its start, or with `isEnd` the end of the day, month or year.
 * Null for no date.
 */
export function timeOf(given: string | null | undefined, isEnd: boolean): number | null {
  if (given == null || given === '') return null
  const text = dashed(dayOf(given))
  const time = Date.parse(text)
  const parts = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?)?)?$/.exec(text)
  if (Number.isNaN(time) || (parts === null && !ZONED.test(text))) throw new UserError(noDate(given))
  if (parts === null) return time
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map(part => (part === undefined ? undefined : Number(part)))
  if (new Date(year, month - 1, day).getMonth() !== month - 1) throw new UserError(noDate(given))
  if (parts[4] !== undefined || !isEnd) return new Date(year, month - 1, day, hour, minute, second).getTime()
  if (parts[3] !== undefined) return new Date(year, month - 1, day + 1).getTime()
  return parts[2] === undefined ? new Date(year + 1, 0).getTime() : new Date(year, month).getTime()
}

/** `20260301` as `2026-03-01`. */
function dashed(text: string): string {
  return text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
}

/** `30d`, `2w`, `6m`, `1y`, `today`, `yesterday`, `last month` as the day, month or year that they mean; any other text as it is. */
function dayOf(given: string): string {
  const text = given
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+(?=[a-z])/g, ' ')
  const [, which = '', period = ''] = /^(this|last) (month|year)$/.exec(text) ?? []
  const [, count = '', unit = ''] = /^(\d{1,4}) ?([dwmy])$/.exec(NAMED.get(text) ?? text) ?? []
  if (period !== '') return monthOrYear(period, which === 'last' ? 1 : 0)
  if (unit === '') return given
  const day = new Date()
  const ago = Number(count)
  if (unit === 'y') day.setFullYear(day.getFullYear() - ago)
  else if (unit === 'm') day.setMonth(day.getMonth() - ago)
  else day.setDate(day.getDate() - ago * (unit === 'w' ? 7 : 1))
  return isoDay(day.getTime())
}

/** The month or year so many before this one. From its first day: not every month has a 31st. */
function monthOrYear(period: string, ago: number): string {
  const now = new Date()
  const isYear = period === 'year'
  const start = new Date(now.getFullYear() - (isYear ? ago : 0), isYear ? 0 : now.getMonth() - ago)
  return isoDay(start.getTime()).slice(0, isYear ? 4 : 7)
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['today', '0d'],
  ['yesterday', '1d'],
  ['last week', '1w'],
])

/** From when on, and up to when something counts, as it was typed. */
export interface DateSpan {
  readonly since?: string | null | undefined
  readonly until?: string | null | undefined
}

/** The times of a span, in milliseconds since 1970, the second one exclusive; null where there is no limit. */
export function spanOf({ since, until }: DateSpan): readonly [from: number | null, to: number | null] {
  const [from, to] = [timeOf(since, false), timeOf(until, true)]
  if (from !== null && to !== null && from >= to)
    throw new UserError(`--since ${since} is later than --until ${until}. Swap the two dates.`)
  return [from, to]
}

/** Tells whether something that began and ended then lies in the span, at least in part. Without a time it does only where there is no limit. */
export function createSpanTest(span: DateSpan): (first: number | null, last: number | null) => boolean {
  const [from, to] = spanOf(span)
  if (from === null && to === null) return () => true
  return (first, last) => {
    if (first === null || last === null) return false
    return last >= (from ?? Number.NEGATIVE_INFINITY) && first < (to ?? Number.POSITIVE_INFINITY)
  }
}

function noDate(text: string): string {
  return `${text} is not a valid date. Give a day (2026-03-01, 20260301 or 30d for 30 days ago, yesterday), a month (2026-03, "last month"), a year (2026) or a time (2026-03-01T10:00).`
}
