/** Calendar days as texts (`2026-01-31`), independent of time zones. */
import { MONTHS } from '@dagline/core/format'

const DAY = 24 * 60 * 60 * 1000

/** The day a number of days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

/** The number of days between two days. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY)
}

/** 0 for Monday to 6 for Sunday. */
export function weekday(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  return addDays(day, -weekday(day))
}

/** All days of a number of weeks, from a Monday up to the given day. */
export function weeksUntil(day: string, weeks: number): readonly string[] {
  const first = addDays(mondayOf(day), -7 * (weeks - 1))
  return Array.from({ length: daysBetween(first, day) + 1 }, (_, nth) => addDays(first, nth))
}

/** `12 Mar`, or `12 Mar 2026` with the year. */
export function dayName(day: string, withYear: boolean): string {
  const [year, month, date] = day.split('-').map(Number)
  const short = `${date} ${MONTHS[(month ?? 1) - 1]}`
  return withYear ? `${short} ${year}` : short
}
