/** Text without its escapes: JSON in JSON, code, logs, colours of terminals. */

/** A text without escapes, and where its characters come from. */
interface Unescaped {
  readonly text: string
  /** The position in the escaped text at which the character at a position of this one begins. */
  readonly startOf: (at: number) => number
  /** The position in the escaped text at which the character before a position ends. */
  readonly endOf: (at: number) => number
}

/** A run of backslashes with what they escape: one character, however often it was escaped. */
const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  /(?:\u001b|\\+(?:u001b|x1b|e|033))\[[0-9;]{0,20}[A-Za-z]|\\+(?:u[0-9a-fA-F]{4}|x[0-7][0-9a-fA-F]|[nrtbf"'`/])?/g
const PLAIN: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Undoes escapes of any depth; null where there are none. */
export function unescapeText(text: string): Unescaped | null {
  if (!text.includes('\\') && !text.includes('\u001b')) return null
  const pieces: Piece[] = []
  let [length, from] = [0, 0]
  const add = (part: string, origin: number, end: number): void => {
    if (part === '') return
    pieces.push({ part, start: length, origin, end })
    length += part.length
  }
  ESCAPE.lastIndex = 0
  for (let match = ESCAPE.exec(text); match !== null; match = ESCAPE.exec(text)) {
    add(text.slice(from, match.index), from, match.index)
    add(charOf(match[0]), match.index, ESCAPE.lastIndex)
    from = ESCAPE.lastIndex
  }
  add(text.slice(from), from, text.length)
  return {
    text: pieces.map(piece => piece.part).join(''),
    startOf: at => {
      const { origin, start } = pieceAt(pieces, at)
      return origin + at - start
    },
    endOf: at => {
      const { part, origin, start, end } = pieceAt(pieces, at - 1)
      return part.length === 1 ? end : origin + at - start
    },
  }
}

interface Piece {
  readonly part: string
  readonly start: number
  /** Its position in the escaped text. */
  readonly origin: number
  readonly end: number
}

function charOf(escaped: string): string {
  if (escaped.includes('[')) return ''
  const body = escaped.replace(/^\\+/, '')
  if (body === '') return '\\'
  if (body.length > 1) return String.fromCharCode(Number.parseInt(body.slice(1), 16))
  return PLAIN[body] ?? body
}

function pieceAt(pieces: readonly Piece[], at: number): Piece {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((pieces[middle]?.start ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return pieces[low] ?? { part: '', start: at, origin: 0, end: 0 }
}
