/**
 * The pieces of a row that is not one JSON object: whole records, and the damage between them. Every character is read a
 * constant number of times, whatever the row holds.
 */
import { asObject, type Json } from './json.js'
import { type ObjectScan, scanObject } from './scan.js'

/** A part of the text, up to but not including `end`. */
export interface Piece {
  readonly start: number
  readonly end: number
}

/** The contents of a text, in order. */
export interface Pieces {
  readonly records: readonly Json[]
  /** Torn records and anything else but white space. */
  readonly damaged: readonly Piece[]
  /** An object at the end that the following rows may close; it is also in `damaged`. */
  readonly open: ObjectScan | null
}

/** A damaged row may hold millions of empty objects: only so many objects without an identity are read. */
export const MOST_UNNAMED = 1000

/** Splits a text. */
export function piecesOf(text: string): Pieces {
  const records: Json[] = []
  const damaged: Piece[] = []
  let open: ObjectScan | null = null
  /** Whether a record has just ended, or the row begins: then any object is a record. */
  let isSure = true
  let from = 0
  let unnamed = 0
  for (;;) {
    const start = isSure ? firstVisible(text, from) : nextStart(text, from)
    const isObject = text.charCodeAt(start) === BRACE
    if (!isObject && isSure && start < text.length) {
      isSure = false
      continue
    }
    addDamage(damaged, text, from, start)
    from = start
    if (start >= text.length) break
    const scan = scanObject(text, start)
    const found = recordIn(text, start, scan, isSure && unnamed < MOST_UNNAMED)
    if (found?.isNamed === false) unnamed++
    open = scan.state === 'open' && found === null ? scan : null
    isSure = found !== null
    const end = found?.end ?? (scan.state === 'closed' ? scan.at : Math.max(start + 1, scan.at - LOOK_BACK))
    addDamage(damaged, text, start, found?.start ?? end)
    if (found !== null) records.push(found.json)
    from = end
    if (open !== null) break
  }
  addDamage(damaged, text, from, text.length)
  return { records, damaged, open }
}

/**
 * A string that was cut ends at the first quote of the next record: `"some te{"` and then a key. The first invalid
 * character comes after that quote.
 */
const LOOK_BACK = 2

interface Found extends Piece {
  readonly json: Json
  /** It has an identity of its own. */
  readonly isNamed: boolean
}

/**
 * The record that a scan has found: the object itself, or the inner object that was closed last, if only the error or the
 * end follows. Such an inner object was written after a record that was cut before a value.
 */
function recordIn(text: string, start: number, scan: ObjectScan, isSure: boolean): Found | null {
  const isWhole = scan.state === 'closed'
  const piece = isWhole ? { start, end: scan.at } : scan.inner
  if (piece.end === 0 || (!isWhole && text.slice(piece.end, scan.at).trim() !== '')) return null
  const json = objectIn(text.slice(piece.start, piece.end))
  const isNamed = json !== null && isRecord(json)
  if (json === null || !(isNamed || (isWhole && isSure))) return null
  return { start: piece.start, end: piece.end, json, isNamed }
}

/** Whether an object is a record and not a part of one: it has an identity, a session or a time of its own. */
export function isRecord(object: Json): boolean {
  if (typeof object.type !== 'string') return false
  if (typeof object.uuid === 'string') return object.parentUuid !== undefined
  return ['sessionId', 'timestamp', 'leafUuid', 'messageId'].some(key => typeof object[key] === 'string')
}

/** Extends the last damaged piece, or begins a new one; white space alone is not damage. */
function addDamage(damaged: Piece[], text: string, start: number, end: number): void {
  const last = damaged.at(-1)
  if (last !== undefined && last.end === start) damaged[damaged.length - 1] = { start: last.start, end }
  else if (firstVisible(text, start) < end) damaged.push({ start: firstVisible(text, start), end })
}

function firstVisible(text: string, from: number): number {
  VISIBLE.lastIndex = from
  return VISIBLE.exec(text)?.index ?? text.length
}

/** Where the next object may begin. */
function nextStart(text: string, from: number): number {
  START.lastIndex = from
  return START.exec(text)?.index ?? text.length
}

const VISIBLE = /\S/g
/** A brace and a key; at the end of a row the key may be on the next row. */
const START = /\{\s*(?:"|$)/g
const BRACE = 0x7b

/** The object that a text holds; null where it holds anything else. */
export function objectIn(text: string): Json | null {
  // A failed parse costs far more than this test.
  if (!text.endsWith('}') && !text.trimEnd().endsWith('}')) return null
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
}
