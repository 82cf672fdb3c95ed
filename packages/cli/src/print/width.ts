/** How many columns text takes on a terminal. */

/** Two columns: CJK, full-width forms, and emoji that are drawn as pictures; a flag is two characters of one column. */
const WIDE =
  /(?!\p{Regional_Indicator})\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u

/** No column: combining and invisible characters. */
const MARK = /[\p{Mn}\p{Me}\p{Cf}]/u

/** Columns of a text without escape sequences. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

function columnsOf(character: string): number {
  if ((character.codePointAt(0) ?? 0) < 0x300) return 1
  if (MARK.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** The text; cut, with `…` at the end, where it is wider. */
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

/** The text; cut, with `…` at the beginning, where it is wider. */
export function fitEnd(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const turned = (each: string): string => [...each].reverse().join('')
  return turned(fit(turned(text), width))
}

/** The text filled up with blanks. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? blanks + text : text + blanks
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
