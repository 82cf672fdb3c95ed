/** Tokens that a terminal has wrapped. */
import { type CharSet, runEnd } from './chars.js'

/** The most line breaks inside of one token. */
const BREAKS = 24
/** The longest line. */
const LINE = 512

interface Wrapped {
  readonly set: CharSet
  /** The fewest characters that it has; from there on it ends with its line. */
  readonly wanted: number
  /** The fewest characters on its first line; 4 unless given. */
  readonly least?: number
}

/** The end of a run that may continue on the next lines; `first` is its end on the first line. */
export function wrappedEnd(
  text: string,
  from: number,
  first: number,
  { set, wanted, least = 4 }: Wrapped,
): number {
  let end = first
  let length = first - from
  if (length < least) return first
  for (let breaks = 0; breaks < BREAKS && length < wanted; breaks++) {
    const next = afterBreak(text, end)
    const piece = next === end ? end : runEnd(text, next, set, LINE)
    if (piece <= next || !isPiece(text, next, piece)) break
    length += piece - next
    end = piece
  }
  return end
}

/** The token without its line breaks. */
export function unwrapped(text: string): string {
  return text.replace(/\\?\r?\n[ \t]*/g, '')
}

const BREAK = /^\\?\r?\n[ \t]{0,16}/

/** The start of the next line without its indentation; the same position where the line does not end here. */
export function afterBreak(text: string, at: number): number {
  const match = BREAK.exec(text.slice(at, at + 24))
  return at + (match?.[0].length ?? 0)
}

/** Whether it can be the rest of a token: not a word, and only punctuation follows. */
function isPiece(text: string, start: number, end: number): boolean {
  if (!/^(?:[\s"'`.,;)\]}\\]|$)/.test(text.charAt(end))) return false
  const piece = text.slice(start, end)
  const isJoined = text[end] === '.' && /[\w-]/.test(text.charAt(end + 1))
  return isJoined || /\d/.test(piece) || /[a-z][A-Z]+[a-z]*[A-Z]/.test(piece)
}
