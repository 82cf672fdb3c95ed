/** Sets of ASCII characters, and runs of them. Every run is bounded, so that no text makes a search slow. */

/** A sum of the bits below. */
export type CharSet = number

const DIGIT = 1
const HEX_LOWER = 2
const HEX_UPPER = 4
const LOWER = 8
const UPPER = 16
const UNDERSCORE = 32
const DASH = 64
const PLUS_SLASH = 128
const EQUALS = 256
const DOT = 512
const OTHER = 1024
const DOLLAR_COMMA = 2048

type SetName =
  | 'digit'
  | 'hex'
  | 'anyHex'
  | 'upper'
  | 'alnum'
  | 'word'
  | 'url'
  | 'dotted'
  | 'base64'
  | 'token'
  | 'hash'
  | 'equals'

/** The alphabets that secrets are written in. */
export const SETS: Readonly<Record<SetName, CharSet>> = {
  digit: DIGIT,
  hex: DIGIT | HEX_LOWER,
  anyHex: DIGIT | HEX_LOWER | HEX_UPPER,
  upper: DIGIT | UPPER,
  alnum: DIGIT | LOWER | UPPER,
  word: DIGIT | LOWER | UPPER | UNDERSCORE,
  url: DIGIT | LOWER | UPPER | UNDERSCORE | DASH,
  dotted: DIGIT | LOWER | UPPER | UNDERSCORE | DASH | DOT,
  base64: DIGIT | LOWER | UPPER | PLUS_SLASH | EQUALS,
  token: DIGIT | LOWER | UPPER | UNDERSCORE | DASH | PLUS_SLASH | EQUALS | DOT | OTHER,
  equals: EQUALS,
  hash: DIGIT | LOWER | UPPER | UNDERSCORE | DASH | PLUS_SLASH | EQUALS | DOT | DOLLAR_COMMA,
}

const TABLE: Uint16Array = Uint16Array.from({ length: 128 }, (_, code) => bitsOf(String.fromCharCode(code)))

function bitsOf(char: string): number {
  if (/[0-9]/.test(char)) return DIGIT
  if (/[a-z]/.test(char)) return LOWER | (char <= 'f' ? HEX_LOWER : 0)
  if (/[A-Z]/.test(char)) return UPPER | (char <= 'F' ? HEX_UPPER : 0)
  if ('+/'.includes(char)) return PLUS_SLASH
  if ('~%'.includes(char)) return OTHER
  if ('$,'.includes(char)) return DOLLAR_COMMA
  return { _: UNDERSCORE, '-': DASH, '=': EQUALS, '.': DOT }[char] ?? 0
}

/** Whether the character at a position is in the set; false outside the text. */
export function isIn(text: string, at: number, set: CharSet): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && ((TABLE[code] ?? 0) & set) !== 0
}

/** The end of the run that begins at a position, at most `most` characters further. */
export function runEnd(text: string, at: number, set: CharSet, most: number): number {
  const limit = Math.min(text.length, at + most)
  let end = at
  while (end < limit && isIn(text, end, set)) end++
  return end
}

/** The start of the run that ends before a position, at most `most` characters back. */
export function runStart(text: string, at: number, set: CharSet, most: number): number {
  const limit = Math.max(0, at - most)
  let start = at
  while (start > limit && isIn(text, start - 1, set)) start--
  return start
}
