/** How many columns text takes on a terminal. */

/** First and last code points of what is two columns wide, in order. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26ce],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x26f2, 0x26f5],
  [0x26fa, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274e],
  [0x2753, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27bf],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f19a],
  [0x1f200, 0x1f265],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f90c, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
]

const MARK = /[\p{Mn}\p{Me}\p{Cf}]/u

/** Columns of a text without escape sequences. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

function columnsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (MARK.test(character)) return 0
  return isWide(code) ? 2 : 1
}

function isWide(code: number): boolean {
  let low = 0
  let high = WIDE.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [first, last] = WIDE[middle] ?? [0, 0]
    if (code < first) high = middle - 1
    else if (code > last) low = middle + 1
    else return true
  }
  return false
}

/** The text, cut with `…` where it is wider. */
export function fit(text: string, width: number): string {
  if (text.length * 2 <= width || widthOf(text) <= width) return text
  if (width <= 0) return ''
  let taken = ''
  let room = width - 1
  for (const character of text) {
    room -= columnsOf(character)
    if (room < 0) break
    taken += character
  }
  return `${taken.trimEnd()}…`
}

/** The text filled up with blanks, on the right, or on the left for figures. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return side === 'left' ? blanks + text : text + blanks
}

/** Breaks a text into lines of at most so many columns, at blanks where there are any. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap(line => (widthOf(line) <= width ? [line] : wrapLine(line, width)))
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  let columns = 0
  let blank = -1
  for (const character of line) {
    const wide = columnsOf(character)
    if (columns + wide > width) {
      const cut = blank > 0 ? blank : current.length
      lines.push(current.slice(0, cut).trimEnd())
      current = blank > 0 ? current.slice(blank + 1) : ''
      columns = widthOf(current)
      blank = -1
    }
    if (character === ' ') blank = current.length
    current += character
    columns += wide
  }
  return [...lines, current]
}
