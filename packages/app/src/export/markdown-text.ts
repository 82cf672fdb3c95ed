import { cleanText } from '@dagline/core/content'
/** Pieces of Markdown that hold whatever a transcript says, and nothing more. */

/** A text in a fence that is longer than any in it. */
export function fenced(text: string, language: string): string {
  const clean = cleanText(text).replace(/\n+$/, '')
  const fence = '`'.repeat(Math.max(3, longestRun(clean) + 1))
  return `${fence}${language}\n${clean}\n${fence}`
}

/** A text as code within a line. */
export function codeSpan(text: string): string {
  const clean = cleanText(text).replace(/\s+/g, ' ')
  const mark = '`'.repeat(longestRun(clean) + 1)
  const isTight = !/^`|`$|^ | $/.test(clean)
  return clean === '' ? '' : isTight ? `${mark}${clean}${mark}` : `${mark} ${clean} ${mark}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** Each line as a quotation. */
export function quoted(text: string): string {
  return text === '' ? '' : text.replace(/^/gm, '> ')
}

/** Folded away under a word. */
export function folded(word: string, text: string): string {
  return `<details><summary>${word}</summary>\n\n${text}\n\n</details>`
}

const MOST_LINES = 120
const LAST_LINES = 30
const MOST_CHARACTERS = 12_000

/** The beginning and the end of a long output, with a note of what is missing between them. */
export function cutOutput(text: string): string {
  const lines = text.split('\n')
  const isLong = lines.length > MOST_LINES
  const missing = lines.length - MOST_LINES
  const short = isLong
    ? [
        ...lines.slice(0, MOST_LINES - LAST_LINES),
        `… ${missing} lines left out …`,
        ...lines.slice(-LAST_LINES),
      ].join('\n')
    : text
  if (short.length <= MOST_CHARACTERS) return short
  return `${short.slice(0, MOST_CHARACTERS)}\n… ${short.length - MOST_CHARACTERS} characters left out …`
}

/** Levels that headings inside an answer are moved down: the document has headings of its own. */
const DOWN = 3

/**
 * Markdown from a transcript, made safe to embed: markup of HTML is text, links that run something
 * lead nowhere, headings are small, and a fence that was left open is closed. Code is left as it is.
 */
export function safeMarkdown(text: string): string {
  let fence = ''
  const lines = cleanText(text)
    .split('\n')
    .map(line => {
      const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
      if (fence !== '') {
        if (mark.startsWith(fence) && line.trim() === mark) fence = ''
        return line
      }
      if (mark !== '') fence = mark
      return mark === '' ? safeLine(line) : line
    })
  return fence === '' ? lines.join('\n') : [...lines, fence].join('\n')
}

function safeLine(line: string): string {
  const heading = /^(#{1,6})(?=\s)/.exec(line)?.[1]
  const lowered =
    heading === undefined
      ? line
      : `${'#'.repeat(Math.min(6, heading.length + DOWN))}${line.slice(heading.length)}`
  // Every second piece is code.
  return lowered
    .split(/(`+[^`]*`+)/)
    .map((piece, at) => (at % 2 === 1 ? piece : safePiece(piece)))
    .join('')
}

const RUNS = /(\]\(\s*<?|^\s*\[[^\]]{1,80}\]:\s*<?)(?=(?:javascript|vbscript|data|file):)/gi

function safePiece(piece: string): string {
  return piece
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(/&(?=#|colon;|Tab;|NewLine;)/g, '&amp;')
    .replace(RUNS, '$1#')
}
