/** Text without its escapes: JSON in JSON, code, logs, colours of terminals; addresses and HTML. */

/** A text without escapes, and where its characters come from. */
export interface Unescaped {
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
  return replaced(text, ESCAPE, charOf)
}

/** `%3D`, `&quot;`, `&#61;`; in a form, a plus is a blank. */
const MARK =
  /%[c-dC-D][0-9a-fA-F]%[89abAB][0-9a-fA-F]|%[eE][0-9a-fA-F](?:%[89abAB][0-9a-fA-F]){2}|%[0-9a-fA-F]{2}|\+|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|quot|apos|amp|lt|gt|nbsp);/g
const HAS_PERCENT = /%[0-9a-fA-F]{2}/
/** Words with pluses instead of blanks, as forms send them. */
const HAS_PLUSES = /[A-Za-z0-9.]\+-{0,2}[A-Za-z0-9.][^\s+]{0,60}\+[A-Za-z0-9.-]/
const HAS_ENTITY = /&(?:#[xX]?[0-9a-fA-F]{1,7}|quot|apos|amp|lt|gt|nbsp);/
const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
}

/** Undoes the encodings of addresses and HTML, once; null where there are none. */
export function decodeMarks(text: string): Unescaped | null {
  const isForm =
    (text.includes('%') && HAS_PERCENT.test(text)) || (text.includes('+') && HAS_PLUSES.test(text))
  if (!isForm && !(text.includes('&') && HAS_ENTITY.test(text))) return null
  return replaced(text, MARK, mark => (mark === '+' && !isForm ? '+' : charOfMark(mark)))
}

function charOfMark(mark: string): string {
  if (mark === '+') return ' '
  if (mark.startsWith('%'))
    return mark.length > 3 ? charOfBytes(mark) : String.fromCharCode(Number.parseInt(mark.slice(1), 16))
  const name = mark.slice(1, -1)
  if (!name.startsWith('#')) return ENTITIES[name] ?? ''
  const isHex = /^#x/i.test(name)
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)
  return code > 0 && code < 0x10000 ? String.fromCharCode(code) : ' '
}

/** A character beyond ASCII; a blank where the bytes are not one. */
function charOfBytes(marks: string): string {
  try {
    return decodeURIComponent(marks)
  } catch {
    return ' '
  }
}

const BREAK = /\r?\n[ \t]*/g

/** The text without line breaks and the indentation behind them; null where there are none. */
export function joinLines(text: string): Unescaped | null {
  return text.includes('\n') ? replaced(text, BREAK, () => '') : null
}

/** The text with each match replaced by the character that it stands for. */
function replaced(text: string, pattern: RegExp, charOf: (match: string) => string): Unescaped {
  const pieces: Piece[] = []
  let [length, from] = [0, 0]
  const add = (part: string, origin: number, end: number): void => {
    if (part === '') return
    pieces.push({ part, start: length, origin, end })
    length += part.length
  }
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    add(text.slice(from, match.index), from, match.index)
    add(charOf(match[0]), match.index, pattern.lastIndex)
    from = pattern.lastIndex
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
