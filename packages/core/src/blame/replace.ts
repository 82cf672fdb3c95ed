/** A replacement of texts, carried out on the lines of a version. */
import type { Replacement } from '../model/file-change.js'

/** Lines that were replaced by others. A line counts as replaced where a part of it was. */
interface ReplacedLines {
  /** The first line, in the text before. */
  readonly from: number
  /** How many lines were there, and what stands there now. */
  readonly count: number
  readonly lines: readonly string[]
}

/**
 * What a replacement does to a text, the last place first; null where it cannot have been made on it: the old text is
 * missing, or stands there more than once.
 */
export function replaceIn(
  text: string,
  { old, new: inserted, isAll }: Replacement,
): readonly ReplacedLines[] | null {
  // Claude Code removes the line break together with a text that is replaced by nothing.
  const takesBreak = inserted === '' && !old.endsWith('\n') && text.includes(`${old}\n`)
  const found = placesOf(text, takesBreak ? `${old}\n` : old)
  if (found.length === 0 || (!isAll && found.length > 1)) return null
  const length = old.length + (takesBreak ? 1 : 0)
  return joined(text, found, length).map(({ start, end, places }) => {
    const [lineStart, lineEnd] = [text.lastIndexOf('\n', start - 1) + 1, endOfLine(text, end)]
    return {
      from: countBreaks(text, 0, lineStart),
      count: countBreaks(text, lineStart, lineEnd) + 1,
      lines: replaced(text, { lineStart, lineEnd, places, length, inserted }).split('\n'),
    }
  })
}

interface Stretch {
  readonly start: number
  readonly end: number
  readonly places: readonly number[]
}

/** Places on the same line are one stretch; the last stretch first. */
function joined(text: string, found: readonly number[], length: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const place of found) {
    const last = stretches.at(-1)
    const isSameLine = last !== undefined && endOfLine(text, last.end) >= place
    if (isSameLine)
      stretches[stretches.length - 1] = { ...last, end: place + length, places: [...last.places, place] }
    else stretches.push({ start: place, end: place + length, places: [place] })
  }
  return stretches.reverse()
}

function replaced(
  text: string,
  {
    lineStart,
    lineEnd,
    places,
    length,
    inserted,
  }: {
    readonly lineStart: number
    readonly lineEnd: number
    readonly places: readonly number[]
    readonly length: number
    readonly inserted: string
  },
): string {
  let result = ''
  let from = lineStart
  for (const place of places) {
    result += text.slice(from, place) + inserted
    from = place + length
  }
  return result + text.slice(from, lineEnd)
}

function placesOf(text: string, old: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) places.push(at)
  return places
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
