/** Small charts: bars and sparklines. */

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
