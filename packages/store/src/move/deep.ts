/** M4: paths inside of texts: found as they stand in JSON, only where a path begins and ends. */
import type { Move } from '../write/journal.js'

/** A move as it stands in JSON texts. */
export interface RawMove {
  readonly from: Buffer
  readonly to: Buffer
}

/** The moves in the form that their paths have inside of JSON strings. */
export function rawMoves(moves: readonly Move[]): readonly RawMove[] {
  return moves.map(({ from, to }) => ({ from: inner(from), to: inner(to) }))
}

function inner(path: string): Buffer {
  return Buffer.from(JSON.stringify(path).slice(1, -1))
}

/** A JSON text with its paths moved; null where it has none. */
export function movedText(text: Buffer, moves: readonly RawMove[]): Buffer | null {
  const parts: Buffer[] = []
  let done = 0
  for (let at = 0; ; ) {
    const hit = firstHit(text, moves, at)
    if (hit === null) break
    at = hit.at + hit.move.from.length
    if (!beginsAt(text, hit.at) || !endsAt(text, at)) continue
    parts.push(text.subarray(done, hit.at), hit.move.to)
    done = at
  }
  return done === 0 ? null : Buffer.concat([...parts, text.subarray(done)])
}

interface FoundMove {
  readonly at: number
  readonly move: RawMove
}

function firstHit(text: Buffer, moves: readonly RawMove[], from: number): FoundMove | null {
  let first: FoundMove | null = null
  for (const move of moves) {
    const at = text.indexOf(move.from, from)
    if (at >= 0 && (first === null || at < first.at)) first = { at, move }
  }
  return first
}

/** Letters, digits, `_`, `-` and everything that is not ASCII: what names of files are made of. */
function isNamePart(byte: number | undefined): boolean {
  if (byte === undefined) return false
  if (byte >= 0x80 || byte === 0x5f || byte === 0x2d) return true
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

const [SLASH, BACKSLASH, DOT, TILDE] = [0x2f, 0x5c, 0x2e, 0x7e]

/** Whether a path begins here: not in the middle of another. An escape before it (`\n`) is one character. */
function beginsAt(text: Buffer, at: number): boolean {
  const before = text[at - 1]
  if (isEscaped(text, at - 1)) return before !== BACKSLASH
  if (before === SLASH) return text.subarray(Math.max(0, at - 3), at).equals(URL_START)
  return before !== DOT && before !== TILDE && before !== BACKSLASH && !isNamePart(before)
}

const URL_START = Buffer.from('://')

/** Whether a character belongs to an escape: an odd number of backslashes precedes it. */
function isEscaped(text: Buffer, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === BACKSLASH) slashes++
  return at >= 0 && slashes % 2 === 1
}

/** Whether a path ends here or goes on below: `/a/b.` at the end of a sentence does, `/a/b.txt` does not. */
function endsAt(text: Buffer, at: number): boolean {
  const next = text[at]
  if (next === DOT) return !isNamePart(text[at + 1]) && text[at + 1] !== DOT
  return !isNamePart(next)
}
