/** The word that was probably meant. */

/** The known word nearest to one that was typed: one letter may be wrong, two of long words; else null. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const most = typed.length > 4 ? 2 : 1
  let best: string | null = null
  let least = most + 1
  for (const word of known) {
    const steps = stepsBetween(typed, word)
    if (steps < least) [best, least] = [word, steps]
  }
  return best
}

/** Letters to add, drop, change, or swap with their neighbours to make one word of another. */
function stepsBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const changed = (row[j - 1] ?? 0) + (isSame ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : changed
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
