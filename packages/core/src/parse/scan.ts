/**
 * A scanner that validates JSON without building it. It finds the end of an object, or the first character that cannot
 * belong to it, in one pass and without recursion. Without it, `JSON.parse` would have to be tried at every brace.
 *
 * Text comes in pieces that end with a row: no token spans two pieces, because JSON has no newlines inside tokens.
 */

/** An object while it is scanned. Positions count from the start of the first piece. */
export interface ObjectScan {
  state: 'open' | 'closed' | 'invalid'
  /** The end of a closed object; the first wrong character of an invalid one. */
  at: number
  /** The inner object that was closed last; `end` is 0 without one. */
  readonly inner: { start: number; end: number }
  /** What may come next. */
  next: Expected
  /** Where the open containers begin; those of arrays are below zero. */
  readonly open: number[]
}

type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'after'

/** Scans the object whose brace stands at `from`, up to its end, the first error, or the end of the text. */
export function scanObject(text: string, from: number): ObjectScan {
  const scan: ObjectScan = { state: 'open', at: from, inner: { start: 0, end: 0 }, next: 'value', open: [] }
  scanOn(scan, text, from, 0)
  return scan
}

/** Continues with the next piece of text, from `from` in it; the piece begins at the position `base`. */
export function scanOn(scan: ObjectScan, text: string, from: number, base: number): void {
  let at = from
  while (scan.state === 'open' && at < text.length) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) at++
    else at = takeToken(scan, text, at, base)
  }
  if (scan.state === 'open') scan.at = base + text.length
}

/** Reads one token and returns the position after it. */
function takeToken(scan: ObjectScan, text: string, at: number, base: number): number {
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return takeString(scan, text, at, base)
    case BRACE_OPEN:
      return takeOpen(scan, at, base, 'first-key')
    case BRACKET_OPEN:
      return takeOpen(scan, at, base, 'first-value')
    case BRACE_CLOSE:
    case BRACKET_CLOSE:
      return takeClose(scan, text.charCodeAt(at) === BRACE_CLOSE, at, base)
    case COMMA:
      if (scan.next !== 'after') return fail(scan, at, base)
      scan.next = (scan.open.at(-1) ?? 0) < 0 ? 'value' : 'key'
      return at + 1
    case COLON_CHARACTER:
      if (scan.next !== 'colon') return fail(scan, at, base)
      scan.next = 'value'
      return at + 1
    default:
      return takeWord(scan, text, at, base)
  }
}

function takeString(scan: ObjectScan, text: string, at: number, base: number): number {
  const isKey = scan.next === 'key' || scan.next === 'first-key'
  if (!isKey && !expectsValue(scan)) return fail(scan, at, base)
  const end = endOfString(text, at + 1)
  if (text.charCodeAt(end) !== QUOTE) return fail(scan, end, base)
  scan.next = isKey ? 'colon' : 'after'
  return end + 1
}

/** The position of the closing quote, or of the first character that a string cannot hold. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || code < SPACE) return at
    if (code !== BACKSLASH) continue
    const length = escapeLength(text, at + 1)
    if (length === 0) return at + 1
    at += length
  }
  return text.length
}

/** Characters of an escape after its backslash; 0 for an invalid one. */
function escapeLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== LETTER_U) return '"\\/bfnrt'.includes(text.charAt(at) || ' ') ? 1 : 0
  return /^[\da-f]{4}$/i.test(text.slice(at + 1, at + 5)) ? 5 : 0
}

function takeOpen(scan: ObjectScan, at: number, base: number, next: Expected): number {
  if (!expectsValue(scan)) return fail(scan, at, base)
  // Below zero for arrays; the position may be 0.
  scan.open.push(next === 'first-key' ? base + at : -1 - base - at)
  scan.next = next
  return at + 1
}

function takeClose(scan: ObjectScan, isObject: boolean, at: number, base: number): number {
  const isEmpty = scan.next === (isObject ? 'first-key' : 'first-value')
  const start = scan.open.at(-1) ?? -1
  if (start >= 0 !== isObject || !(isEmpty || scan.next === 'after')) return fail(scan, at, base)
  scan.open.pop()
  scan.next = 'after'
  if (scan.open.length === 0) {
    scan.state = 'closed'
    scan.at = base + at + 1
  } else if (isObject) {
    scan.inner.start = start
    scan.inner.end = base + at + 1
  }
  return at + 1
}

function takeWord(scan: ObjectScan, text: string, at: number, base: number): number {
  if (!expectsValue(scan)) return fail(scan, at, base)
  WORD.lastIndex = at
  const [word = ''] = WORD.exec(text) ?? []
  if (word === '') return fail(scan, at, base)
  scan.next = 'after'
  return at + word.length
}

/** A number, `true`, `false` or `null`, up to its end. */
const WORD = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,\]}]|$)/y

function expectsValue({ next }: ObjectScan): boolean {
  return next === 'value' || next === 'first-value'
}

function fail(scan: ObjectScan, at: number, base: number): number {
  scan.state = 'invalid'
  scan.at = base + at
  return at
}

/** White space between the tokens of JSON. */
function isSpace(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x0d || code === 0x09
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON_CHARACTER = 0x3a
const BRACKET_OPEN = 0x5b
const BACKSLASH = 0x5c
const BRACKET_CLOSE = 0x5d
const LETTER_U = 0x75
const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d
