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

/** `30d`, `2w`, `6m`, `1y`, `today` and `yesterday` as the day that they mean; any other text as it is. */
function dayOf(text: string): string {
  const [, count = '', unit = ''] = /^(\d{1,4})([dwmy])$/.exec(NAMED.get(text) ?? text) ?? []
  if (unit === '') return text
  const day = new Date()
  const ago = Number(count)
  if (unit === 'y') day.setFullYear(day.getFullYear() - ago)
  else if (unit === 'm') day.setMonth(day.getMonth() - ago)
  else day.setDate(day.getDate() - ago * (unit === 'w' ? 7 : 1))
  return isoDay(day.getTime())
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['today', '0d'],
  ['yesterday', '1d'],
])

function noDate(text: string): string {
  return `${text} is not a valid date. Give a day (2026-03-01, 20260301 or 30d for 30 days ago), a month (2026-03), a year (2026) or a time (2026-03-01T10:00).`
}
