/** Private keys: base64 between a header and a footer, over several lines, in quotes, or in listings with line numbers. */
import type { Match, SecretRule } from './anchors.js'
import { isIn, runEnd, runStart, SETS } from './chars.js'

/** The longest key: 16,384 bits, with quotes and line numbers on each line. */
const LONGEST = 20_000
/** The fewest characters of base64 in a key. */
const LEAST = 60

const HEAD = 'PRIVATE KEY'
const PUTTY = 'Private-Lines: '

/** Private keys, by their headers; one without a footer is taken as far as it looks like a key. */
export const KEYS: SecretRule = {
  kinds: ['private-key', 'ssh-key', 'pgp-key'],
  words: [HEAD, PUTTY],
  matchAt: (text, at, word) => (word === PUTTY ? puttyAt(text, at) : blockAt(text, at)),
}

function puttyAt(text: string, at: number): Match {
  const end = looseEnd(text, at + PUTTY.length)
  return isKey(text, at, end) ? { kind: 'ssh-key', start: at, end } : end
}

function blockAt(text: string, at: number): Match {
  const before = Math.max(0, at - MARK)
  const start = before + text.slice(before, at).lastIndexOf('-----BEGIN ')
  const footer = before + text.slice(before, at).lastIndexOf('-----END ')
  if (footer >= Math.max(before, start + 1)) return endOnlyAt(text, footer, at)
  if (start < before || !/^PRIVATE KEY(?: BLOCK)?-----/.test(text.slice(at, at + MARK))) return null
  const from = text.indexOf('-----', at) + 5
  const mark = text.slice(from, from + LONGEST).search(/-----(?:END|BEGIN) /)
  const isClosed = mark >= 0 && text.startsWith('-----END', from + mark)
  const end = isClosed ? closingOf(text, from + mark) : looseEnd(text, from)
  return isKey(text, from, end) ? { kind: kindOf(text.slice(start, at)), start, end } : null
}

/** The last lines of a key, as `tail` shows them. */
function endOnlyAt(text: string, footer: number, at: number): Match {
  let start = footer
  for (let line = footer; footer - line < LONGEST; ) {
    const end =
      line -
      (/\s{0,3}(?:\s{0,8}\d{1,6}→|["'`+\s]{0,12})$/.exec(text.slice(Math.max(0, line - GAP), line))?.[0]
        .length ?? 0)
    const from = runStart(text, end, SETS.base64, LONGEST)
    if (end - from < (start === footer ? 4 : LINE)) break
    start = from
    line = from
  }
  return isKey(text, start, footer)
    ? { kind: kindOf(text.slice(footer, at)), start, end: closingOf(text, footer) }
    : null
}

/** The longest header or footer. */
const MARK = 48

function kindOf(mark: string): string {
  if (mark.includes('PGP')) return 'pgp-key'
  return mark.includes('OPENSSH') ? 'ssh-key' : 'private-key'
}

/** The position after the footer. */
function closingOf(text: string, mark: number): number {
  const close = text.indexOf('-----', mark + 9)
  return close < 0 || close > mark + MARK ? mark : close + 5
}

/** The end of consecutive lines of base64, with breaks, quotes and line numbers between; the last one may be short. */
function looseEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + LONGEST)
  let end = from
  for (let at = from; at < limit && at - end <= GAP; ) {
    const stop = runEnd(text, at, SETS.base64, LONGEST)
    if (stop - at >= LINE) end = stop
    else if (end > from && at > end && isLastLine(text, at, stop)) return stop
    at = Math.max(stop, at + 1)
  }
  return end
}

/** Characters between two lines of a key: a break, indentation, a line number, quotes. */
const GAP = 16
/** A line of a key; only the last one is shorter. */
const LINE = 30

function isLastLine(text: string, start: number, end: number): boolean {
  return (
    end - start >= 4 &&
    (text[end - 1] === '=' || end === text.length) &&
    /[\n→+]/.test(text.charAt(start - 1))
  )
}

/** Whether there is enough base64, and more than `...` or a repeated character. */
function isKey(text: string, from: number, end: number): boolean {
  let count = 0
  for (let at = from; at < end && count < LEAST; at++) if (isIn(text, at, SETS.base64)) count++
  if (count < LEAST) return false
  return new Set(text.slice(from, Math.min(end, from + 400))).size > 20
}
