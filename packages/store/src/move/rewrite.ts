/**
 * JSON texts, one record on each row or one over many, with their paths moved. Bytes go through as they came; nothing
 * is changed but the values that are to move. Memory depends neither on the length of a file nor on that of a row.
 */

import type { Move } from '../write/journal.js'
import { movedText, type RawMove, rawMoves } from './deep.js'
import { DEEPEST, fieldPlace, isMessageText, PATH_FIELDS, PATH_KEYS } from './fields.js'
import { movedPath } from './paths.js'

export interface RewriteOptions {
  readonly moves: readonly Move[]
  /** Also paths inside of messages. */
  readonly deep: boolean
  /** One record over many rows, as in `.json` files: a newline ends nothing. */
  readonly isWhole?: boolean
  /** Receives the working directories of entries. */
  readonly seeFolder?: (path: string) => void
}

/** What was found to change. */
export interface RewriteCount {
  /** Rows that are not blank. */
  rows: number
  changedRows: number
  values: number
}

/** Passes a text on, with its paths changed. */
interface Rewriter {
  readonly write: (bytes: Buffer) => readonly Buffer[]
  /** The last bytes; nothing can be written any more. */
  readonly end: () => readonly Buffer[]
  readonly count: Readonly<RewriteCount>
}

/** Strings longer than this hold no path; texts of messages longer than this are not looked into. */
const LONGEST_PATH = 64 * 1024
const LONGEST_TEXT = 16 * 1024 * 1024

const NEWLINE = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Starts a text. */
export function startRewrite(options: RewriteOptions): Rewriter {
  const scan = new Scan(options)
  return {
    write: bytes => scan.take(bytes, false),
    end: () => scan.take(Buffer.alloc(0), true),
    count: scan.count,
  }
}

class Scan {
  readonly count: RewriteCount = { rows: 0, changedRows: 0, values: 0 }
  /** Names that lead to the place at hand, one for each open object or list; `[]` for lists. */
  private readonly names: string[] = []
  /** Whether the innermost one is a list. */
  private readonly lists: boolean[] = []
  private expectsName = false
  /** Inside of a string that is too long to matter. */
  private isPassing = false
  /** The bytes so far end in a backslash that escapes the next one. */
  private isOdd = false
  /** Bytes of a token that is not whole yet. */
  private rest: Buffer = Buffer.alloc(0)
  private out: Buffer[] = []
  private done = 0
  private isBlank = true
  private isChanged = false
  /** A record of what was sent, with a hash over it: nothing in it is changed. */
  private isSealed = false
  private readonly options: RewriteOptions
  private readonly raw: readonly RawMove[]
  /** First bytes of strings that may move. */
  private readonly starts: ReadonlySet<number>

  constructor(options: RewriteOptions) {
    this.options = options
    this.raw = rawMoves(options.moves)
    this.starts = new Set(this.raw.map(({ from }) => from[0] ?? 0).concat(BACKSLASH))
  }

  take(more: Buffer, isLast: boolean): readonly Buffer[] {
    const bytes = this.rest.length === 0 ? more : Buffer.concat([this.rest, more])
    this.out = []
    this.done = 0
    const at = this.scan(bytes, isLast)
    if (at > this.done) this.out.push(bytes.subarray(this.done, at))
    // A copy, because the reader reuses the buffer.
    this.rest = Buffer.from(bytes.subarray(at))
    if (isLast) this.endRow()
    return this.out
  }

  /** Goes as far as everything is whole, and gives that place. */
  private scan(bytes: Buffer, isLast: boolean): number {
    let at = 0
    while (at < bytes.length) {
      if (this.isPassing) at = this.pass(bytes, at)
      else if (bytes[at] === QUOTE) {
        const next = this.string(bytes, at, isLast)
        if (next === null) return at
        at = next
      } else this.mark(bytes, at++)
    }
    return at
  }

  /** A character between strings. */
  private mark(bytes: Buffer, at: number): void {
    const byte = bytes[at] ?? 0
    if (byte > 0x20) this.isBlank = false
    if (byte === NEWLINE && this.options.isWhole !== true) this.endRow()
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.open(byte === OPEN_LIST)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.close()
    else if (byte === COMMA) this.expectsName = this.lists.at(-1) === false
    else if (byte === COLON) this.expectsName = false
  }

  private open(isList: boolean): void {
    this.names.push(isList ? '[]' : '')
    this.lists.push(isList)
    this.expectsName = !isList
  }

  private close(): void {
    this.names.pop()
    this.lists.pop()
    this.expectsName = false
  }

  private endRow(): void {
    if (!this.isBlank) this.count.rows++
    if (this.isChanged) this.count.changedRows++
    this.names.length = 0
    this.lists.length = 0
    this.expectsName = false
    this.isPassing = false
    this.isBlank = true
    this.isChanged = false
    this.isSealed = false
  }

  /** A string from its first quote: the place behind it, or null where its end is still to come. */
  private string(bytes: Buffer, at: number, isLast: boolean): number | null {
    const end = closingQuote(bytes, at + 1)
    const newline = this.options.isWhole === true ? -1 : newlineBefore(bytes, at + 1, end)
    // A row that was cut in a text: what comes next is another row.
    if (newline >= 0) return newline
    if (end >= 0) {
      if (this.expectsName) this.name(bytes, at, end + 1)
      else this.value(bytes, at, end + 1)
      return end + 1
    }
    const longest = this.options.deep ? LONGEST_TEXT : LONGEST_PATH
    if (!isLast && bytes.length - at < longest) return null
    this.isPassing = true
    this.isBlank = false
    return at + 1
  }

  /** Through a long string, to behind its end or as far as the bytes go. */
  private pass(bytes: Buffer, at: number): number {
    const from = this.isOdd ? at + 1 : at
    const end = closingQuote(bytes, from)
    const newline = this.options.isWhole === true ? -1 : newlineBefore(bytes, from, end)
    this.isPassing = newline < 0 && end < 0
    this.isOdd = this.isPassing && trailingSlashes(bytes, from) % 2 === 1
    if (newline >= 0) return newline
    return end < 0 ? bytes.length : end + 1
  }

  private name(bytes: Buffer, start: number, end: number): void {
    const name = textOf(bytes, start, end)
    this.isBlank = false
    if (this.names.length > 0) this.names[this.names.length - 1] = name
    if (!this.starts.has(bytes[start + 1] ?? 0) || this.names.length > DEEPEST + 1) return
    const isPath = PATH_KEYS.has(fieldPlace(this.names.slice(0, -1)))
    const moved = isPath ? this.move(name) : null
    if (moved !== null) this.replace(bytes, start, end, Buffer.from(JSON.stringify(moved)))
  }

  private value(bytes: Buffer, start: number, end: number): void {
    const { deep, seeFolder } = this.options
    const { names } = this
    this.isBlank = false
    if (names.length === 1 && names[0] === 'type')
      this.isSealed = textOf(bytes, start, end).startsWith('api-request')
    const isFolder = names.length === 1 && (names[0] === 'cwd' || names[0] === 'relocatedCwd')
    if (isFolder) seeFolder?.(textOf(bytes, start, end))
    if (this.isSealed) return
    if (this.starts.has(bytes[start + 1] ?? 0) && PATH_FIELDS.has(fieldPlace(names))) {
      const moved = this.move(textOf(bytes, start, end))
      if (moved !== null) this.replace(bytes, start, end, Buffer.from(JSON.stringify(moved)))
    } else if (deep && isMessageText(names)) {
      const moved = movedText(bytes.subarray(start + 1, end - 1), this.raw)
      if (moved !== null) this.replace(bytes, start + 1, end - 1, moved)
    }
  }

  private move(path: string): string | null {
    return movedPath(path, this.options.moves)
  }

  private replace(bytes: Buffer, start: number, end: number, by: Buffer): void {
    this.out.push(bytes.subarray(this.done, start), by)
    this.done = end
    this.count.values++
    this.isChanged = true
  }
}

/** The next quote that is not escaped, or -1. */
function closingQuote(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (at - 1 - slashes >= from && bytes[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}

function newlineBefore(bytes: Buffer, from: number, end: number): number {
  const within = end < 0 ? bytes.subarray(from) : bytes.subarray(from, end)
  const at = within.indexOf(NEWLINE)
  return at < 0 ? -1 : from + at
}

function trailingSlashes(bytes: Buffer, from: number): number {
  let slashes = 0
  while (bytes.length - 1 - slashes >= from && bytes[bytes.length - 1 - slashes] === BACKSLASH) slashes++
  return slashes
}

/** What a JSON string says; the bytes themselves where it is broken. */
function textOf(bytes: Buffer, start: number, end: number): string {
  const inner = bytes.toString('utf8', start + 1, end - 1)
  if (!inner.includes('\\')) return inner
  try {
    const text: unknown = JSON.parse(bytes.toString('utf8', start, end))
    return typeof text === 'string' ? text : inner
  } catch {
    return inner
  }
}
