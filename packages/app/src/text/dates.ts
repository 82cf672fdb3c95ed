/** Dates as people type them, in the time zone of the machine. */
import { UserError } from '../host/user-error.js'

const ZONED = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/

/**
 * The time that a date means, in milliseconds since 1970: its start, or with `isEnd` the end of the day, month or year.
 * Null for no date.
 */
export function timeOf(text: string | null | undefined, isEnd: boolean): number | null {
  if (text == null || text === '') return null
  const time = Date.parse(text)
  const parts = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?)?)?$/.exec(text)
  if (Number.isNaN(time) || (parts === null && !ZONED.test(text))) throw new UserError(noDate(text))
  if (parts === null) return time
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map(part => (part === undefined ? undefined : Number(part)))
  if (parts[4] !== undefined || !isEnd) return new Date(year, month - 1, day, hour, minute, second).getTime()
  if (parts[3] !== undefined) return new Date(year, month - 1, day + 1).getTime()
  return parts[2] === undefined ? new Date(year + 1, 0).getTime() : new Date(year, month).getTime()
}

function noDate(text: string): string {
  return `${text} is not a valid date. Give a day (2026-03-01), a month (2026-03), a year (2026) or a time (2026-03-01T10:00).`
}
