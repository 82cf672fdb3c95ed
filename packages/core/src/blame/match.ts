/** Lines that two versions of a file have in common. */
import { isTelling } from './version.js'

/** Lines of two texts that are still to be compared: `[aFrom, aTo)` and `[bFrom, bTo)`. */
interface Span {
  readonly aFrom: number
  readonly aTo: number
  readonly bFrom: number
  readonly bTo: number
}

/** Edits that are looked for between two lines that both have once. What differs more is taken as replaced. */
const MOST_EDITS = 400

/** No line. */
export const NO_LINE = -1

/**
 * For each line of `b` the line of `a` that it is, or `NO_LINE`. The order of lines is kept. Lines that both texts have once
 * are matched first, telling ones before brackets, so that a block stays a block; between them the fewest lines differ.
 */
export function matchLines(a: readonly string[], b: readonly string[]): Int32Array {
  const matched = new Int32Array(b.length).fill(NO_LINE)
  const open: Span[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }]
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const pairs = uniquePairs(a, b, span)
    const telling = pairs.filter(([nth]) => isTelling(a[nth] ?? ''))
    const anchors = increasing(telling.length > 0 ? telling : pairs)
    if (anchors.length > 0) {
      open.push(...spansBetween(anchors, span, matched))
      continue
    }
    const rest = matchEnds(a, b, span, matched)
    // A line that stood there several times may now stand there once.
    if (rest.bTo - rest.bFrom < span.bTo - span.bFrom) open.push(rest)
    else matchShortest(a, b, rest, matched)
  }
  return matched
}

/** Matches equal lines at both ends, and returns what is between them. */
function matchEnds(a: readonly string[], b: readonly string[], span: Span, matched: Int32Array): Span {
  let { aFrom, aTo, bFrom, bTo } = span
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) matched[bFrom++] = aFrom++
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) matched[--bTo] = --aTo
  return { aFrom, aTo, bFrom, bTo }
}

type Pair = readonly [a: number, b: number]

/** Lines that stand once in each span, by their order in `b`. */
function uniquePairs(a: readonly string[], b: readonly string[], span: Span): readonly Pair[] {
  const inA = onceIn(a, span.aFrom, span.aTo)
  const pairs: Pair[] = []
  for (const [text, at] of onceIn(b, span.bFrom, span.bTo)) {
    const other = inA.get(text)
    if (at !== NO_LINE && other !== undefined && other !== NO_LINE) pairs.push([other, at])
  }
  return pairs
}

/** Where each text stands; `NO_LINE` for one that stands there several times. */
export function onceIn(lines: readonly string[], from = 0, to: number = lines.length): Map<string, number> {
  const found = new Map<string, number>()
  for (let at = from; at < to; at++) {
    const text = lines[at] ?? ''
    found.set(text, found.has(text) ? NO_LINE : at)
  }
  return found
}

/** The longest list of pairs in which both sides increase. */
function increasing(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = []
  const before: number[] = []
  for (const [nth, [value]] of pairs.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.[0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    before.push(ends[low - 1] ?? NO_LINE)
    ends[low] = nth
  }
  const list: Pair[] = []
  for (let nth = ends.at(-1) ?? NO_LINE; nth !== NO_LINE; nth = before[nth] ?? NO_LINE) {
    const pair = pairs[nth]
    if (pair !== undefined) list.push(pair)
  }
  return list.reverse()
}

function spansBetween(anchors: readonly Pair[], span: Span, matched: Int32Array): readonly Span[] {
  let { aFrom, bFrom } = span
  const spans: Span[] = []
  for (const [a, b] of anchors) {
    matched[b] = a
    spans.push({ aFrom, aTo: a, bFrom, bTo: b })
    aFrom = a + 1
    bFrom = b + 1
  }
  return [...spans, { aFrom, aTo: span.aTo, bFrom, bTo: span.bTo }]
}

/** The fewest lines that differ (Myers), as long as they are few. */
function matchShortest(a: readonly string[], b: readonly string[], span: Span, matched: Int32Array): void {
  const { aFrom, aTo, bFrom, bTo } = span
  if (aFrom === aTo || bFrom === bTo) return
  const most = Math.min(MOST_EDITS, aTo - aFrom + (bTo - bFrom))
  const rounds = furthestPaths(a, b, span, most)
  if (rounds === null) return
  let [x, y] = [aTo - aFrom, bTo - bFrom]
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const round = rounds[edits]
    if (round === undefined) return
    const diagonal = x - y
    const isDown = isInsertion(round, diagonal, edits)
    const startX = (round[(isDown ? diagonal + 1 : diagonal - 1) + edits] ?? 0) + (isDown ? 0 : 1)
    const fromX = edits === 0 ? 0 : startX
    while (x > fromX) matched[bFrom + --y] = aFrom + --x
    if (isDown) y--
    else x--
  }
}

/** Whether the path to a diagonal comes by a line of `b` alone. `round` has the furthest points of one edit less. */
function isInsertion(round: Int32Array, diagonal: number, edits: number): boolean {
  const left = round[diagonal - 1 + edits] ?? NO_LINE
  const right = round[diagonal + 1 + edits] ?? NO_LINE
  return diagonal === -edits || (diagonal !== edits && left < right)
}

/** For each number of edits the furthest points before it; null where the spans differ in more than `most` lines. */
function furthestPaths(
  a: readonly string[],
  b: readonly string[],
  { aFrom, aTo, bFrom, bTo }: Span,
  most: number,
): readonly Int32Array[] | null {
  const rounds: Int32Array[] = []
  const [width, height] = [aTo - aFrom, bTo - bFrom]
  let points = new Int32Array([0])
  for (let edits = 0; edits <= most; edits++) {
    rounds.push(points)
    // Diagonals of this round are at `diagonal + edits + 1`, so that the next round finds them at `diagonal + edits`.
    const next = new Int32Array(2 * edits + 3).fill(NO_LINE)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = 0
      if (edits > 0) {
        const isDown = isInsertion(points, diagonal, edits)
        x = (points[(isDown ? diagonal + 1 : diagonal - 1) + edits] ?? 0) + (isDown ? 0 : 1)
      }
      while (x < width && x - diagonal < height && a[aFrom + x] === b[bFrom + x - diagonal]) x++
      next[diagonal + edits + 1] = x
      if (x >= width && x - diagonal >= height) return rounds
    }
    points = next
  }
  return null
}
