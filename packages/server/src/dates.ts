/** Dates in requests, in the zone of the machine. */
import { Refused } from './refused.js'

/** The time a date means: its start, or where it ends a stretch the end of the day, month or year. Null for none. */
export function timeOf(text: string, isEnd: boolean): number | null {
  if (text === '') return null
  const parts = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text)
  const time = Date.parse(text)
  if (Number.isNaN(time)) {
    const sentence = `${text} is no date: give a day (2026-03-01), a month (2026-03) or a year (2026).`
    throw new Refused(400, 'bad-request', sentence)
  }
  // With a time of day it is that moment.
  if (parts === null) return time
  const [year, month, day] = [Number(parts[1]), Number(parts[2] ?? 1), Number(parts[3] ?? 1)]
  if (!isEnd) return new Date(year, month - 1, day).getTime()
  if (parts[3] !== undefined) return new Date(year, month - 1, day + 1).getTime()
  return parts[2] === undefined ? new Date(year + 1, 0).getTime() : new Date(year, month).getTime()
}

/** The day of a time: `2026-03-01`. */
export function dayOf(time: number): string {
  const date = new Date(time)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function two(value: number): string {
  return `${value}`.padStart(2, '0')
}
