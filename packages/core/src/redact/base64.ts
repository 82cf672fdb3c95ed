/** Base64 in texts: runs that decode to text. */

const DIGITS: Int8Array = new Int8Array(128).fill(-1)
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  DIGITS[char.charCodeAt(0)] = value
DIGITS['-'.charCodeAt(0)] = 62
DIGITS['_'.charCodeAt(0)] = 63

/** A stretch of base64 that is text, and the text. */
interface DecodedRun {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The shortest run that is decoded, in characters. */
const LEAST = 24
/** The length of the lines that tools break base64 into. */
const LINE_LEAST = 60

/** What a whole text in base64 says; null where it is not text. */
export function base64Text(text: string): string | null {
  const end = text.replace(/=+$/, '').length
  return textEnd(text, 0, end) === end ? decode(text, 0, end) : null
}

/** Finds the stretches of base64 in a text that decode to text, also over the line breaks that tools put in. */
export function decodedRuns(text: string): readonly DecodedRun[] {
  let found: DecodedRun[] | null = null
  for (let at = LEAST - 1; at < text.length; ) {
    if (!canBeInRun(text, at)) {
      at += LEAST
      continue
    }
    const start = startOf(text, at)
    const line = lineEnd(text, start)
    const end = endOf(text, start, line)
    if (end - start >= LEAST && hasCapital(text, start, end))
      // A run can begin with other characters of the alphabet, such as a path: all four beginnings are tried.
      for (let offset = 0; offset < 4; offset++)
        for (const run of stretchesIn(text, { start: start + offset, end, isOneLine: line === end })) {
          found ??= []
          found.push(run)
        }
    at = Math.max(end, at) + LEAST
  }
  return found ?? NONE
}

/**
 * Whether a run of the shortest length can be around a position: such a run goes on for half of that at least, to one side or
 * to the other. Words end earlier.
 */
function canBeInRun(text: string, at: number): boolean {
  if (digitAt(text, at) < 0) return false
  return (
    (digitAt(text, at + LEAST / 4) >= 0 && digitAt(text, at + LEAST / 2) >= 0) ||
    (digitAt(text, at - LEAST / 4) >= 0 && digitAt(text, at - LEAST / 2) >= 0)
  )
}

/** Base64 of a text always has capitals; ids and most paths have none. */
function hasCapital(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= 65 && code <= 90) return true
  }
  return false
}

const NONE: readonly DecodedRun[] = []

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? (DIGITS[code] ?? -1) : -1
}

function startOf(text: string, at: number): number {
  let start = at
  const limit = Math.max(0, at - LEAST)
  while (start > limit && digitAt(text, start - 1) >= 0) start--
  return start
}

/** The end of the characters of the alphabet from a position on. */
function lineEnd(text: string, start: number): number {
  let at = start
  while (digitAt(text, at) >= 0) at++
  return at
}

/** The end of a run whose first line ends at a position; a line break after a long line does not end it. */
function endOf(text: string, start: number, firstEnd: number): number {
  let line = start
  let at = firstEnd
  for (;;) {
    const gap = gapAt(text, at, at - line)
    if (gap === 0 || digitAt(text, at + gap) < 0) return at
    line = at + gap
    at = lineEnd(text, line)
  }
}

/** The length of what breaks a line of base64; 0 where nothing does. Labels have a space there: lines of PEM and MIME are known. */
function gapAt(text: string, at: number, length: number): number {
  if (text[at] === ' ') return length === 64 || length === 76 ? 1 : 0
  return length < LINE_LEAST ? 0 : breakAt(text, at)
}

/** The length of a line break with the indentation behind it; 0 where there is none. */
function breakAt(text: string, at: number): number {
  const feed = text[at] === '\r' ? at + 1 : at
  if (text[feed] !== '\n') return 0
  let next = feed + 1
  while (next - feed < 16 && (text[next] === ' ' || text[next] === '\t')) next++
  return next - at
}

/** The fewest characters of base64 in a stretch: chance makes one as long once in some million runs. */
const SHORTEST = 22

/** The characters of the groups that the shortest stretch has whole. */
const WHOLE = SHORTEST - (SHORTEST % 4)

/** A part of a text that may be base64. */
interface Run {
  readonly start: number
  readonly end: number
  /** Whether no line break is inside of it. */
  readonly isOneLine: boolean
}

/** The stretches of a run that are text when it is read in groups of four from its start. */
function stretchesIn(text: string, { start, end, isOneLine }: Run): readonly DecodedRun[] {
  let found: DecodedRun[] | null = null
  for (let at = start; at + SHORTEST <= end; ) {
    // Every stretch that begins in these groups contains the last one of them: most of a signature is passed over by it.
    if (isOneLine && !isTextGroup(text, at + WHOLE - 4)) {
      at += WHOLE
      continue
    }
    const stop = textEnd(text, at, end)
    if (stop - at >= SHORTEST) {
      found ??= []
      found.push({ start: at, end: stop, text: decode(text, at, stop) })
    }
    at = stop + 4
  }
  return found ?? NONE
}

/** Whether four characters stand for three of a text. */
function isTextGroup(text: string, at: number): boolean {
  const bits = bitsAt(text, at, at + 4)
  return isText(bits >> 16) && isText((bits >> 8) & 255) && isText(bits & 255)
}

/** The end of the groups that stand for text. A group has no line break inside: tools break between groups. */
function textEnd(text: string, start: number, limit: number): number {
  let at = start
  while (at < limit) {
    const first = digitAt(text, at)
    if (first < 0) {
      at++
      continue
    }
    // The first six bits of a printable byte, a break or a tab.
    if (first > 31 || (first < 8 && first !== 2 && first !== 3)) break
    const bits = bitsAt(text, at, limit)
    const count = Math.min(4, limit - at)
    if (
      !isText(bits >> 16) ||
      (count > 2 && !isText((bits >> 8) & 255)) ||
      (count > 3 && !isText(bits & 255))
    )
      break
    at += count
  }
  return Math.min(at, limit)
}

/** The three bytes of a group; missing characters count as zero. */
function bitsAt(text: string, at: number, limit: number): number {
  let bits = 0
  for (let index = 0; index < 4; index++)
    bits = (bits << 6) | (at + index < limit ? Math.max(0, digitAt(text, at + index)) : 0)
  return bits
}

function decode(text: string, start: number, end: number): string {
  const codes: number[] = []
  for (let at = start; at < end; ) {
    if (digitAt(text, at) < 0) {
      at++
      continue
    }
    const bits = bitsAt(text, at, end)
    codes.push(bits >> 16, (bits >> 8) & 255, bits & 255)
    at += 4
  }
  let plain = ''
  for (let at = 0; at < codes.length; at += 4096) plain += String.fromCharCode(...codes.slice(at, at + 4096))
  return plain.replace(/\0+$/, '')
}

/** Printable, a line break or a tab. */
function isText(code: number): boolean {
  return (code >= 32 && code < 127) || code === 10 || code === 9 || code === 13
}
