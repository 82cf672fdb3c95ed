/** Tokens that a terminal broke over lines. */
import { type CharSet, runEnd } from './chars.js'

/** The most line breaks inside of one token. */
const BREAKS = 24
/** The longest line. */
const LINE = 512

interface Wrapped {
  readonly set: CharSet
  /** So many characters it has at least; where it has them, it ends with its line. */
  readonly wanted: number
  /** So many stand on its first line at least; 4 where it is not said. */
  readonly least?: number
}

/** Where a run that goes on in the next lines ends; `first` is the end of its first line. */
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

/** The token without the breaks inside. */
export function unwrapped(text: string): string {
  return text.replace(/\\?\r?\n[ \t]*/g, '')
}

const BREAK = /^\\?\r?\n[ \t]{0,16}/

/** Where the next line begins, with at most a few blanks before it; the same place where the line does not end here. */
export function afterBreak(text: string, at: number): number {
  const match = BREAK.exec(text.slice(at, at + 24))
  return at + (match?.[0].length ?? 0)
}

/** The rest of a token is not a word, and nothing but a mark follows. */
function isPiece(text: string, start: number, end: number): boolean {
  if (!/^(?:[\s"'`.,;)\]}\\]|$)/.test(text.charAt(end))) return false
  const piece = text.slice(start, end)
  const isJoined = text[end] === '.' && /[\w-]/.test(text.charAt(end + 1))
  return isJoined || /\d/.test(piece) || /[a-z][A-Z]+[a-z]*[A-Z]/.test(piece)
}
