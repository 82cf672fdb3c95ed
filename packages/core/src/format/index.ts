/** Numbers and times as short texts, the same on the page, in the terminal and in exports. Local time zone. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A whole number with thousands separators: `12,345`. `Intl` would take longer to load than most commands to run. */
export function count(value: number): string {
  return `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A number and its noun: `1 turn`, `12,345 turns`, `2 branches`. */
export function plural(value: number, noun: string, nouns: string = `${noun}s`): string {
  return `${count(value)} ${Math.round(value) === 1 ? noun : nouns}`
}

/** Dollars: `$1,234`, `$12.30`, `$0.04`, `$0.004`, `<$0.001`; a dash without a known price. */
export function money(value: number | null): string {
  if (value === null) return '–'
  if (value === 0) return '$0'
  if (value < 0.0005) return '<$0.001'
  if (value < 0.0095) return `$${value.toFixed(3)}`
  if (value >= 999.995) return `$${count(value)}`
  return `$${value.toFixed(2)}`
}

/** Dollars with four decimals below one dollar: `$12.30`, `$0.0312`. */
export function exactMoney(value: number | null): string {
  return value === null ? 'no known price' : `$${value.toFixed(value < 1 ? 4 : 2)}`
}

/** Tokens: `950`, `12.3k`, `4.5M`, `1.2B`. */
export function tokens(value: number): string {
  return scale(value, ['', 'k', 'M', 'B', 'T'])
}

/** Bytes: `950 B`, `12.3 kB`, `4.5 MB`. */
export function bytes(value: number): string {
  return scale(value, [' B', ' kB', ' MB', ' GB', ' TB'])
}

/** A share of a whole: `0 %`, `0.4 %`, `45 %`. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '0 %'
  const value = (100 * part) / whole
  if (value > 0 && value < 0.05) return '<0.1 %'
  return value > 0 && value < 1 ? `${value.toFixed(1)} %` : `${Math.round(value)} %`
}

/** A duration: `340 ms`, `4.2 s`, `3m 20s`, `2h 05m`, `3d 4h`; empty for none. */
export function duration(milliseconds: number | null): string {
  if (milliseconds === null) return ''
  if (milliseconds < SECOND - 0.5) return `${Math.round(milliseconds)} ms`
  if (milliseconds < MINUTE - SECOND / 20) return `${trim(milliseconds / SECOND)} s`
  const seconds = Math.round(milliseconds / SECOND)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)}d ${hours % 24}h`
}

/** A time relative to now: `just now`, `5m ago`, `3h ago`, `yesterday`, `4d ago`; then the day, `12 Mar` or `12 Mar 2024`. */
export function ago(time: number, now: number): string {
  const past = now - time
  if (past < MINUTE) return past < -MINUTE ? day(time, now) : 'just now'
  if (past < HOUR) return `${Math.floor(past / MINUTE)}m ago`
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY)
  if (days === 0) return `${Math.floor(past / HOUR)}h ago`
  if (days === 1) return 'yesterday'
  return days < 7 ? `${days}d ago` : day(time, now)
}

/** The day: `12 Mar`, with the year where it is not the current one. */
export function day(time: number, now: number): string {
  const date = new Date(time)
  const short = `${date.getDate()} ${MONTHS[date.getMonth()]}`
  return date.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${date.getFullYear()}`
}

/** The day with its weekday: `Thursday 12 Mar 2026`. */
export function longDay(time: number): string {
  const date = new Date(time)
  return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
}

/** Whether two times are on the same day. */
export function isSameDay(a: number, b: number): boolean {
  return startOfDay(a) === startOfDay(b)
}

/** Hours and minutes: `09:05`; empty for no time. */
export function clock(time: number | null): string {
  return exactTime(time).slice(-'hh:mm:ss'.length, -':ss'.length)
}

/** Hours, minutes and seconds: `09:05:41`; empty for no time. */
export function clockSeconds(time: number | null): string {
  return exactTime(time).slice(-'hh:mm:ss'.length)
}

/** Day, hours and minutes: `2025-03-12 09:05`; empty for no time. */
export function dayAndTime(time: number | null): string {
  return exactTime(time).slice(0, -':ss'.length)
}

/** The day: `2025-03-12`; empty for no time. */
export function isoDay(time: number | null): string {
  return isDate(time) ? dayOf(new Date(time)) : ''
}

/** Day and time to the second: `2025-03-12 09:05:41`; empty for no time, and for one that no date can hold. */
export function exactTime(time: number | null): string {
  if (!isDate(time)) return ''
  const date = new Date(time)
  const clockTime = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${dayOf(date)} ${clockTime}`
}

function dayOf(date: Date): string {
  const year = `${date.getFullYear()}`.padStart(4, '0')
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The time for machines: ISO 8601 in UTC; null for no time, and for one that no date can hold. */
export function isoTime(time: number | null): string | null {
  return isDate(time) ? new Date(time).toISOString() : null
}

/** The first characters of an id, as commands accept them. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}

/** The last folders of a path: `…/dev/app`. */
export function shortPath(path: string, parts: number = 2): string {
  const names = path.split('/').filter(name => name !== '')
  return names.length <= parts ? path : `…/${names.slice(-parts).join('/')}`
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Short names of the months. */
export const MONTHS: readonly string[] = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The last millisecond that a `Date` can hold. */
const LAST_TIME = 8.64e15

function isDate(time: number | null): time is number {
  return time !== null && Math.abs(time) <= LAST_TIME
}

/** At most three digits and a unit. */
function scale(value: number, units: readonly string[]): string {
  let rest = value
  let at = 0
  // From 999.5 on, three digits would round to four.
  while (Math.abs(rest) >= 999.5 && at < units.length - 1) {
    rest /= 1000
    at++
  }
  return `${at === 0 || Math.abs(rest) >= 99.95 ? Math.round(rest) : trim(rest)}${units[at] ?? ''}`
}

/** At most one decimal: `4.2`, `4`. */
function trim(value: number): number {
  return Math.round(value * 10) / 10
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}

function two(value: number): string {
  return `${value}`.padStart(2, '0')
}
