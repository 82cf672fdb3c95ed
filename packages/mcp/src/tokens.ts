/** B1: how much of an answer's tokens a text takes. */

/**
 * A size in sixths of a token. Prose in Latin letters has about four characters in a token, code and ids fewer: three are
 * taken. Other alphabets and symbols have two. In scripts that write syllables or words, and in emoji, each code unit is one.
 */
export function sizeOf(text: string): number {
  if (LATIN.test(text)) return text.length * SIXTHS.latin
  let size = 0
  for (let at = 0; at < text.length; at++) size += sizeAt(text, at)
  return size
}

/** The size of so many tokens. */
export function tokensAsSize(tokens: number): number {
  return tokens * 6
}

/** The beginning of a text that has at most a size; surrogate pairs stay whole. */
export function cutToSize(text: string, most: number): string {
  let size = 0
  for (let at = 0; at < text.length; at++) {
    size += sizeAt(text, at)
    if (size > most) return cut(text, at)
  }
  return text
}

/** At most so many characters. What was cut says so. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const isHalf = /[\ud800-\udbff]/.test(text[most - 1] ?? '')
  return `${text.slice(0, isHalf ? most - 1 : most)} [cut]`
}

const SIXTHS = { latin: 2, alphabet: 3, symbol: 6 }

/** Latin letters end before U+0250, and from U+2E80 on scripts have a character for a syllable or a word. */
const LATIN = /^[\0-\u024f]*$/
const [ALPHABETS, SYMBOLS] = [0x250, 0x2e80]

function sizeAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < ALPHABETS) return SIXTHS.latin
  return code < SYMBOLS ? SIXTHS.alphabet : SIXTHS.symbol
}
