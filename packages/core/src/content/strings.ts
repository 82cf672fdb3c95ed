/** All strings of a value of unknown shape: the input of a tool, an attachment. */

/** The strings, one a line, in their order; null where there are none. Numbers and flags are no words. */
export function wordsIn(value: unknown): string | null {
  const words: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') words.push(next)
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next).reverse())
  }
  return words.length === 0 ? null : words.join('\n')
}
