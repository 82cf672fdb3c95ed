/** Times, sizes and counts for people. */

/** `2026-01-01 10:00`, in the zone of the machine; blank where there is no time. */
export function dayAndTime(ms: number | null): string {
  return known(ms) ? `${day(ms)} ${clock(ms)}` : ''
}

/** `2026-01-01`. */
export function day(ms: number | null): string {
  if (!known(ms)) return ''
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** `10:00`. */
export function clock(ms: number | null): string {
  if (!known(ms)) return ''
  const date = new Date(ms)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** `10:00:07`. */
export function clockSeconds(ms: number | null): string {
  return known(ms) ? `${clock(ms)}:${two(new Date(ms).getSeconds())}` : ''
}

/** The time for machines: ISO 8601 in UTC, or null. */
export function isoTime(ms: number | null): string | null {
  return known(ms) ? new Date(ms).toISOString() : null
}

/** Dates can hold no more. */
const LAST = 8.64e15

function known(ms: number | null): ms is number {
  return ms !== null && Math.abs(ms) <= LAST
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** `312 B`, `4.2 MB`: three digits at most. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = count
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** `1 branch`, `3 branches`. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`
}

/** `12,345`. The engine's own formatter takes longer to load than most commands take to run. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `$12.40`, `$0.0312`: sums below a dollar need more digits than cents. */
export function smallMoney(cost: number): string {
  return `$${cost.toFixed(cost < 1 ? 4 : 2)}`
}

/** How many columns a hyphenated id may take before it is cut: enough to be unique among thousands. */
const SHORT = 8

/** The first characters of an id, as commands take it. */
export function shortId(id: string): string {
  return id.slice(0, SHORT)
}
