/**
 * T3, X10: what the rows of a file say of usage, without an index and without parsing the rows that cannot say anything.
 * Only answers have usage, and the name of their type is in the bytes of their row, whole: rows without it are not decoded.
 */
import { join } from 'node:path'
import { type Diagnostic, type RawRow, type SeeRecord, startRows } from '@dagline/core'
import { readBilled } from '@dagline/core/content'
import { GIANT_ROW } from '@dagline/core/files'
import type { MessageUsage } from '@dagline/core/measure'
import { type Json, withCarried } from '@dagline/core/parse'
import { parseTranscript } from './parse.js'
import { type ByteSource, openFile } from './source.js'

/** What a file says of usage: one part for each row that has some. */
interface UsageReading {
  readonly parts: readonly MessageUsage[]
  /** Why the file could not be read to its end. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads files one after another through one buffer: of a root, or bytes that are in the archive only. */
export type UsageScanner = (root: string | ByteSource, path: string) => UsageReading

/**
 * Makes a scanner that reads so many bytes at a time. What it finds is exactly what the parser finds, which reads all rows
 * that look damaged.
 */
export function createUsageScanner(block: number = BLOCK): UsageScanner {
  const buffer: Growing = { bytes: Buffer.allocUnsafe(block) }
  return (root, path) => {
    const parts = scanWhole(root, path, buffer)
    return parts === null ? parseUsage(root, path) : { parts, diagnostics: [] }
  }
}

/** Bytes read at a time. */
const BLOCK = 1024 * 1024

interface Growing {
  bytes: Buffer
}

/** What a file says; null where the parser has to read all of it, which also reports what went wrong. */
function scanWhole(root: string | ByteSource, path: string, buffer: Growing): readonly MessageUsage[] | null {
  let file: ByteSource | null = null
  try {
    file = typeof root === 'string' ? openFile(join(root, path)) : root
    return scanSource(file, buffer)
  } catch {
    return null
  } finally {
    if (typeof root === 'string') file?.close()
  }
}

function scanSource(file: ByteSource, buffer: Growing): readonly MessageUsage[] | null {
  const taker = startTaking()
  let [offset, filled] = [0, 0]
  for (;;) {
    if (filled === buffer.bytes.length && !grow(buffer)) return null
    const got = file.read(buffer.bytes, filled, buffer.bytes.length - filled, offset)
    const block = buffer.bytes.subarray(0, filled + got)
    // The parser removes NUL bytes, and then the name of a type may appear.
    if (block.includes(0, filled)) return null
    const end = block.lastIndexOf(NEWLINE) + 1
    scanRows(block.subarray(0, end), taker)
    offset += got
    filled = block.length - end
    buffer.bytes.copyWithin(0, end, block.length)
    if (got > 0) continue
    // A reading that ended early is for the parser to report.
    return offset < file.size || filled > GIANT_ROW ? null : taker.end(buffer.bytes.subarray(0, filled))
  }
}

/** Makes room for a longer row, unless it is so long that the parser reduces it. */
function grow(buffer: Growing): boolean {
  if (buffer.bytes.length > GIANT_ROW) return false
  const bytes = Buffer.allocUnsafe(buffer.bytes.length * 2)
  buffer.bytes.copy(bytes)
  buffer.bytes = bytes
  return true
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const OPEN = 0x7b
const CLOSE = 0x7d
/** As a value: within a text its quotes are escaped. */
const ANSWER = Buffer.from('"assistant"')

/** Takes the usage of complete rows. Rows that are whole and cannot have any are not decoded. */
function scanRows(rows: Buffer, taker: Taker): void {
  let hit = rows.indexOf(ANSWER)
  for (let start = 0; start < rows.length; ) {
    const end = rows.indexOf(NEWLINE, start)
    const isHit = hit >= start && hit < end
    if (taker.isWaiting() || !looksWhole(rows, start, end)) taker.parse(rows.subarray(start, end))
    else if (isHit) taker.take(rows.subarray(start, end))
    if (isHit) hit = rows.indexOf(ANSWER, end)
    start = end + 1
  }
}

/**
 * Whether a row is empty, or begins and ends with a brace: then its record does not go on with the next row, damaged or
 * not, if that begins with a brace, too. Of any other row the parser has to say where its record ends.
 */
function looksWhole(rows: Buffer, start: number, end: number): boolean {
  if (end === start) return true
  const last = rows[end - 1] === RETURN ? rows[end - 2] : rows[end - 1]
  // An error for a giant row: the parser reads the file instead.
  if (end - start > GIANT_ROW) throw new RangeError('a giant row')
  return rows[start] === OPEN && last === CLOSE
}

/** Takes rows in their order. */
interface Taker {
  /** Takes a row that looks whole. */
  readonly take: (row: Buffer) => void
  /** Has the parser read a row. */
  readonly parse: (row: Buffer) => void
  /** Whether rows wait for the rest of their record: the parser reads the next one, too. */
  readonly isWaiting: () => boolean
  /** Takes the last row, which no newline ends and which may be empty, and gives what was found. */
  readonly end: (row: Buffer) => readonly MessageUsage[]
}

function startTaking(): Taker {
  const parts: MessageUsage[] = []
  const rows = startRows(() => {}, seeParts(parts))
  const parse = (row: Buffer): void => rows.take(rowOf(row))
  return {
    take: row => {
      const json = jsonOf(row)
      const usage = json === null ? null : readBilled(json)
      if (json === null) parse(row)
      else if (usage !== null) parts.push(usage)
    },
    parse,
    isWaiting: () => rows.waiting().length > 0,
    end: row => {
      rows.end(row.length === 0 ? null : rowOf(row))
      return parts
    },
  }
}

function rowOf(row: Buffer): RawRow {
  const end = row.at(-1) === RETURN ? row.length - 1 : row.length
  return { row: 0, offset: 0, length: row.length, text: row.toString('utf8', 0, end), whole: true }
}

/** The record of a row that begins with a brace; null where it is damaged. */
function jsonOf(row: Buffer): Json | null {
  try {
    return JSON.parse(row.toString('utf8'))
  } catch {
    return null
  }
}

/** Collects what records say of usage, and the messages that they carry. */
function seeParts(parts: MessageUsage[]): SeeRecord {
  return withCarried((json, record) => {
    const usage = record.kind === 'assistant' ? readBilled(json) : null
    if (usage !== null) parts.push(usage)
  })
}

function parseUsage(root: string | ByteSource, path: string): UsageReading {
  const parts: MessageUsage[] = []
  const { result, diagnostics, finish } = parseTranscript(root, path, () => {}, { see: seeParts(parts) })
  finish()
  return { parts, diagnostics: result === null ? diagnostics : [] }
}
