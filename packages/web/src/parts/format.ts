/** Numbers and times as short texts. Exact values belong in titles. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Made once: making one takes longer than drawing a row. */
const WHOLE = new Intl.NumberFormat('en-US')

/** Whole numbers with thousands apart: `12,345`. */
export function count(value: number): string {
  return WHOLE.format(Math.round(value))
}

/** A number and its noun: `1 turn`, `12,345 turns`, `2 branches`. */
export function plural(value: number, noun: string, nouns: string = `${noun}s`): string {
  return `${count(value)} ${Math.round(value) === 1 ? noun : nouns}`
}

/** Dollars: `$1,234`, `$12.30`, `$0.04`, `$0.004`, `<$0.001`; a dash where there is no known price. */
export function money(value: number | null): string {
  if (value === null) return '–'
  if (value === 0) return '$0'
  if (value < 0.0005) return '<$0.001'
  if (value < 0.0095) return `$${value.toFixed(3)}`
  if (value >= 999.995) return `$${count(value)}`
  return `$${value.toFixed(2)}`
}

/** Dollars to the hundredth of a cent, for titles: `$12.3012`. */
export function exactMoney(value: number | null): string {
  return value === null ? 'no known price' : `$${value.toFixed(4)}`
}

/** Tokens: `950`, `12.3k`, `4.5M`. */
export function tokens(value: number): string {
  return scaled(value, 1000, ['', 'k', 'M', 'G', 'T'], '')
}

/** Bytes: `950 B`, `12.3 kB`, `4.5 MB`. */
export function bytes(value: number): string {
  return scaled(value, 1000, ['B', 'kB', 'MB', 'GB', 'TB'], ' ')
}

/** A share of a whole: `0 %`, `0.4 %`, `45 %`. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '0 %'
  const value = (100 * part) / whole
  if (value > 0 && value < 0.05) return '<0.1 %'
  return value > 0 && value < 1 ? `${value.toFixed(1)} %` : `${Math.round(value)} %`
}

/** How long: `340 ms`, `12 s`, `4 min`, `2 h 5 min`, `3 d 4 h`. */
export function duration(milliseconds: number): string {
  // What would round up to the next unit is said in that one.
  if (milliseconds < SECOND - 0.5) return `${Math.round(milliseconds)} ms`
  if (milliseconds < MINUTE - SECOND / 2) return `${Math.round(milliseconds / SECOND)} s`
  if (milliseconds < HOUR - MINUTE / 2) return `${Math.round(milliseconds / MINUTE)} min`
  if (milliseconds < DAY - MINUTE / 2) return twoUnits(milliseconds, HOUR, MINUTE, ['h', 'min'])
  return twoUnits(milliseconds, DAY, HOUR, ['d', 'h'])
}

/** How long ago: `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4 d ago`; then the day, `12 Mar` or `12 Mar 2024`. */
export function ago(time: number, now: number): string {
  const past = now - time
  if (past < MINUTE) return past < -MINUTE ? day(time, now) : 'just now'
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY)
  if (days === 0) return `${Math.floor(past / HOUR)} h ago`
  if (days === 1) return 'yesterday'
  return days < 7 ? `${days} d ago` : day(time, now)
}

/** The day: `12 Mar`, with the year where it is not this one. */
export function day(time: number, now: number): string {
  const date = new Date(time)
  const short = `${date.getDate()} ${MONTHS[date.getMonth()]}`
  return date.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${date.getFullYear()}`
}

/** The day with its name: `Thursday 12 Mar 2026`. */
export function longDay(time: number): string {
  const date = new Date(time)
  return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
}

/** Whether two times are on one day, in the zone of the machine. */
export function sameDay(a: number, b: number): boolean {
  return startOfDay(a) === startOfDay(b)
}

/** Hours and minutes: `09:05`. */
export function clock(time: number): string {
  const date = new Date(time)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Day and time to the second, in the zone of the machine: `2025-03-12 09:05:41`. */
export function exactTime(time: number): string {
  const date = new Date(time)
  return `${isoDay(time)} ${clock(time)}:${two(date.getSeconds())}`
}

/** The day as forms write it, in the zone of the machine: `2025-03-12`. */
export function isoDay(time: number): string {
  const date = new Date(time)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The beginning of an id, enough to know it by. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}

/** The last folders of a path: `…/dev/app`. */
export function shortPath(path: string, parts: number = 2): string {
  const names = path.split('/').filter(name => name !== '')
  return names.length <= parts ? path : `…/${names.slice(-parts).join('/')}`
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function scaled(value: number, step: number, units: readonly string[], gap: string): string {
  let rest = value
  let at = 0
  // From 999.5 on, three digits would round to four.
  while (Math.abs(rest) >= step - 0.5 && at < units.length - 1) {
    rest /= step
    at++
  }
  const digits = at === 0 || Math.abs(rest) >= 99.95 ? Math.round(rest) : Math.round(rest * 10) / 10
  return `${digits}${gap}${units[at] ?? ''}`
}

function twoUnits(value: number, large: number, small: number, names: readonly [string, string]): string {
  const smalls = Math.round(value / small)
  const whole = Math.floor((smalls * small) / large)
  const rest = smalls - (whole * large) / small
  return rest === 0 ? `${whole} ${names[0]}` : `${whole} ${names[0]} ${rest} ${names[1]}`
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}

function two(value: number): string {
  return `${value}`.padStart(2, '0')
}
