/**
 * Reduction of giant rows. A row too large to hold is copied byte by byte into a small JSON text: structure,
 * keys, ids, numbers and short strings stay, long strings are cut, what is too deep or too many is left out.
 * Memory depends on the limits only. Input that is not JSON gives output that is not JSON, so that the parser
 * finds the damage; nothing here throws.
 */
import { decodeUtf8, isUtf8 } from './utf8.js'

/** What a reduction keeps. */
export interface ReduceLimits {
  /** Strings of more bytes than this (as written, escapes included) are cut. */
  readonly string: number
  /** What is kept of a cut string, in bytes; whole characters and escapes only. */
  readonly keep: number
  /** Containers nested deeper than this become `null`. */
  readonly depth: number
  /** Items kept of an array, members kept of an object; the first ones. */
  readonly items: number
  /** Once the output is this long, containers inside a record take no more items. The record's own members go on. */
  readonly budget: number
}

/** Limits for transcript rows: ids and times are far shorter, and nothing that dagline reads lies deeper. */
export const REDUCE_LIMITS: ReduceLimits = {
  string: 512,
  keep: 256,
  depth: 24,
  items: 2000,
  budget: 4 * 1024 * 1024,
}

/** Reduces a row that is in memory. `reduceRow(a + b)` equals writing `a`, then `b` to a `RowReducer`. */
export function reduceRow(bytes: Uint8Array, limits: ReduceLimits = REDUCE_LIMITS): string {
  const reducer = new RowReducer(limits)
  reducer.write(bytes, 0, bytes.length)
  return reducer.end()
}

/** Reduces a row that arrives in pieces. */
export class RowReducer {
  private readonly limits: ReduceLimits
  private readonly ceiling: number
  private readonly commas: Int32Array
  private mode: Mode = BETWEEN
  private out: Uint8Array
  private length = 0
  /** Where the string or scalar being copied begins in the output. */
  private mark = 0
  private escaped = false
  private depth = 0
  private skipDepth = 0
  /** Whether the skipped container was replaced by `null`, its closing bracket included. */
  private replaced = false

  constructor(limits: ReduceLimits = REDUCE_LIMITS) {
    this.limits = limits
    this.commas = new Int32Array(limits.depth + 1)
    // A record's own members may still come after the budget is spent. JSON never gets to the ceiling; anything
    // else is simply cut off there.
    this.ceiling = limits.budget + limits.items * 2 * (limits.string + 4)
    this.out = new Uint8Array(Math.min(4096, this.ceiling))
  }

  /** Takes the next bytes of the row, from `from` up to but not including `to`. */
  write(bytes: Uint8Array, from: number, to: number): void {
    let at = from
    while (at < to) at = this.step(bytes, at, to)
  }

  /** The reduced text. The reducer takes no bytes after this. */
  end(): string {
    if (this.mode === SCALAR) this.endScalar()
    return decodeUtf8(this.out.subarray(0, this.length))
  }

  /** Whether what is left of the row is UTF-8; what was cut away is not looked at. To be asked after `end`. */
  isUtf8(): boolean {
    return isUtf8(this.out.subarray(0, this.length))
  }

  /** Handles as many bytes as belong to the current mode; gives the next position. */
  private step(bytes: Uint8Array, at: number, to: number): number {
    switch (this.mode) {
      case BETWEEN:
        return this.takeToken(bytes[at] ?? 0, at)
      case STRING:
        return this.copyString(bytes, at, to)
      case STRING_REST:
        return this.passString(bytes, at, to)
      case SCALAR:
        return this.copyScalar(bytes, at, to)
      case SKIP:
        return this.skip(bytes, at, to)
      case SKIP_STRING:
        return this.passString(bytes, at, to)
    }
  }

  private takeToken(byte: number, at: number): number {
    if (byte === QUOTE) this.startString()
    else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) this.open(byte)
    else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) this.close(byte)
    else if (byte === COMMA) this.separate()
    else if (byte === COLON) this.emit(byte)
    else if (!isBlank(byte)) return this.startScalar(at)
    return at + 1
  }

  private startString(): void {
    this.emit(QUOTE)
    this.mark = this.length
    this.mode = STRING
  }

  private copyString(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      if (this.escaped) this.escaped = false
      else if (byte === BACKSLASH) this.escaped = true
      else if (byte === QUOTE) {
        this.emit(QUOTE)
        this.mode = BETWEEN
        return at + 1
      }
      this.emit(byte)
      if (this.length - this.mark > this.limits.string) {
        this.cutString()
        return at + 1
      }
    }
    return to
  }

  private cutString(): void {
    this.length = this.mark + wholeLength(this.out, this.mark, this.limits.keep)
    this.emit(QUOTE)
    this.mode = STRING_REST
  }

  /** Leaves out the rest of a string. */
  private passString(bytes: Uint8Array, from: number, to: number): number {
    let escaped = this.escaped
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      if (escaped) escaped = false
      else if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE) {
        this.escaped = false
        this.mode = this.mode === SKIP_STRING ? SKIP : BETWEEN
        return at + 1
      }
    }
    this.escaped = escaped
    return to
  }

  /** Two scalars with only blanks between them are damage: they must not melt into one valid scalar. */
  private startScalar(at: number): number {
    if (this.length > 0 && !isStructural(this.out[this.length - 1] ?? 0)) this.emit(SPACE)
    this.mark = this.length
    this.mode = SCALAR
    return at
  }

  private copyScalar(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      if (isBlank(byte) || isStructural(byte)) {
        this.endScalar()
        return at
      }
      if (this.length - this.mark <= this.limits.string) this.emit(byte)
    }
    return to
  }

  /** A number of hundreds of digits becomes `null`; anything else so long is damage, and its beginning stays. */
  private endScalar(): void {
    this.mode = BETWEEN
    if (this.length - this.mark <= this.limits.string) return
    const isNumber = this.out.subarray(this.mark, this.length).every(isNumeric)
    this.length = this.mark + (isNumber ? 0 : wholeLength(this.out, this.mark, this.limits.keep))
    if (isNumber) this.emitNull()
  }

  private open(byte: number): void {
    if (this.depth === this.limits.depth) {
      this.emitNull()
      this.startSkip(true)
      return
    }
    this.emit(byte)
    this.depth++
    this.commas[this.depth] = 0
    if (this.isSpent()) this.startSkip(false)
  }

  private close(byte: number): void {
    this.emit(byte)
    if (this.depth > 0) this.depth--
  }

  private separate(): void {
    const commas = (this.commas[this.depth] ?? 0) + 1
    this.commas[this.depth] = commas
    if (this.depth > 0 && (commas >= this.limits.items || this.isSpent())) this.startSkip(false)
    else this.emit(COMMA)
  }

  private isSpent(): boolean {
    return this.depth > 1 && this.length >= this.limits.budget
  }

  private startSkip(replaced: boolean): void {
    this.replaced = replaced
    this.skipDepth = replaced ? 1 : 0
    this.mode = SKIP
  }

  /** Leaves out everything up to the end of the container: with its bracket where it was replaced, else without. */
  private skip(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      if (byte === QUOTE) {
        this.mode = SKIP_STRING
        return at + 1
      }
      if (byte === BRACE_OPEN || byte === BRACKET_OPEN) this.skipDepth++
      else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) {
        if (this.skipDepth > (this.replaced ? 1 : 0)) {
          this.skipDepth--
          continue
        }
        this.mode = BETWEEN
        return this.replaced ? at + 1 : at
      }
    }
    return to
  }

  private emitNull(): void {
    for (const byte of NULL) this.emit(byte)
  }

  private emit(byte: number): void {
    if (this.length === this.out.length && !this.grow()) return
    this.out[this.length++] = byte
  }

  private grow(): boolean {
    if (this.out.length >= this.ceiling) return false
    const larger = new Uint8Array(Math.min(this.out.length * 2, this.ceiling))
    larger.set(this.out)
    this.out = larger
    return true
  }
}

type Mode =
  | typeof BETWEEN
  | typeof STRING
  | typeof STRING_REST
  | typeof SCALAR
  | typeof SKIP
  | typeof SKIP_STRING

const BETWEEN = 0
const STRING = 1
const STRING_REST = 2
const SCALAR = 3
const SKIP = 4
const SKIP_STRING = 5

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d
const BRACKET_OPEN = 0x5b
const BRACKET_CLOSE = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const SPACE = 0x20
const LETTER_U = 0x75
/** `null` */
const NULL: readonly number[] = [0x6e, 0x75, 0x6c, 0x6c]

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isStructural(byte: number): boolean {
  return (
    byte === QUOTE ||
    byte === COMMA ||
    byte === COLON ||
    byte === BRACE_OPEN ||
    byte === BRACE_CLOSE ||
    byte === BRACKET_OPEN ||
    byte === BRACKET_CLOSE
  )
}

/** Digits, signs, the point and the exponent. */
function isNumeric(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45 ||
    byte === 0x65
  )
}

/** How many of the first `keep` bytes of a string make whole characters, escapes and surrogate pairs. */
function wholeLength(bytes: Uint8Array, from: number, keep: number): number {
  let kept = 0
  for (;;) {
    const next = kept + unitLength(bytes, from + kept)
    if (next > keep) return kept
    kept = next
  }
}

function unitLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0
  if (byte === BACKSLASH) return escapeLength(bytes, at)
  if (byte < 0xc0) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}

function escapeLength(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== LETTER_U) return 2
  const isPair = isSurrogate(bytes, at, '89ab') && isSurrogate(bytes, at + 6, 'cdef')
  return isPair ? 12 : 6
}

/** Whether a `\uD...` escape whose second digit is one of `digits` stands here. */
function isSurrogate(bytes: Uint8Array, at: number, digits: string): boolean {
  const text = String.fromCharCode(...bytes.subarray(at, at + 4)).toLowerCase()
  return text.startsWith('\\ud') && digits.includes(text[3] ?? ' ')
}
