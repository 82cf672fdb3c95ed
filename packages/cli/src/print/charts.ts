/** Small charts and short figures: bars, blocks, durations, tokens, money. */
import { grouped } from '@dagline/app'

const BLOCKS = '▁▂▃▄▅▆▇█'
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** One block for each number, as high as its share of the largest; a blank for nothing. */
export function sparkline(numbers: readonly number[]): string {
  const most = numbers.reduce((largest, number) => Math.max(largest, number), 0)
  return numbers.map(number => blockFor(number, most)).join('')
}

function blockFor(number: number, most: number): string {
  if (number <= 0) return ' '
  return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor((number / most) * BLOCKS.length))] ?? ' '
}

/** A bar of at most so many columns, to an eighth of one; never empty for a share that is not. */
export function barOf(share: number, width: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(share * width * 8))
  return `${'█'.repeat(Math.floor(eighths / 8))}${PARTS[eighths % 8] ?? ''}`
}

/** `12 %`; `<1 %` for what is little but there. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '<1 %'
  return `${Math.round(share * 100)} %`
}

/** `850 ms`, `4.2 s`, `3m 20s`, `2h 05m`, `3d 4h`; blank for none. */
export function duration(ms: number | null): string {
  if (ms === null) return ''
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)}d ${hours % 24}h`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** `812`, `45k`, `1.2M`, `3.4G`: three digits at most. */
export function tokens(count: number): string {
  const units = ['', 'k', 'M', 'G']
  let value = count
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit < 2 || value >= 99.5 ? Math.round(value) : value.toFixed(1)}${units[unit]}`
}

/** `$0.42`, `$1,234`. */
export function money(usd: number): string {
  if (usd >= 999.5) return `$${grouped(Math.round(usd))}`
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${usd.toFixed(2)}`
}
