/** Private keys: blocks of base64 between two marks, over lines, in quotes, in listings with line numbers. */
import type { Looked, Lookout } from './anchors.js'
import { isIn, runEnd, SETS } from './chars.js'

/** The longest block: a key of 16,384 bits, each line with marks around it. */
const LONGEST = 20_000
/** The least base64 in a block that is a key. */
const LEAST = 60

const HEAD = 'PRIVATE KEY'
const PUTTY = 'Private-Lines: '

/** Private keys, by the marks before them; one whose end is missing is taken as far as it looks like one. */
export const KEYS: Lookout = {
  kinds: ['private-key', 'ssh-key', 'pgp-key'],
  words: [HEAD, PUTTY],
  lookAt: (text, at, word) => (word === PUTTY ? puttyAt(text, at) : blockAt(text, at)),
}

function puttyAt(text: string, at: number): Looked {
  const end = looseEnd(text, at + PUTTY.length)
  return isKey(text, at, end) ? { kind: 'ssh-key', start: at, end } : end
}

function blockAt(text: string, at: number): Looked {
  const before = Math.max(0, at - MARK)
  const start = before + text.slice(before, at).lastIndexOf('-----BEGIN ')
  if (start < before || !/^PRIVATE KEY(?: BLOCK)?-----/.test(text.slice(at, at + MARK))) return null
  const from = text.indexOf('-----', at) + 5
  const mark = text.slice(from, from + LONGEST).search(/-----(?:END|BEGIN) /)
  const isClosed = mark >= 0 && text.startsWith('-----END', from + mark)
  const end = isClosed ? closingOf(text, from + mark) : looseEnd(text, from)
  return isKey(text, from, end) ? { kind: kindOf(text.slice(start, at)), start, end } : null
}

/** The longest mark. */
const MARK = 48

function kindOf(mark: string): string {
  if (mark.includes('PGP')) return 'pgp-key'
  return mark.includes('OPENSSH') ? 'ssh-key' : 'private-key'
}

/** Behind the mark that ends a block. */
function closingOf(text: string, mark: number): number {
  const close = text.indexOf('-----', mark + 9)
  return close < 0 || close > mark + MARK ? mark : close + 5
}

/** As long as there are lines of base64, with breaks, quotes and line numbers between; the last one may be short. */
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

/** There is enough in it, and it is no `...`. */
function isKey(text: string, from: number, end: number): boolean {
  let count = 0
  for (let at = from; at < end && count < LEAST; at++) if (isIn(text, at, SETS.base64)) count++
  if (count < LEAST) return false
  return new Set(text.slice(from, Math.min(end, from + 400))).size > 20
}
