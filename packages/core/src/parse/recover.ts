/**
 * Rows that are not one JSON object. Damage is repaired only where it is certain: NUL bytes and a byte order
 * mark are removed, records on one row are separated, and whole records between torn ones are kept.
 */
import type { RowDiagnostic } from '../model/row.js'
import type { Json } from './json.js'
import { type Piece, type Pieces, piecesOf } from './pieces.js'

/** The records and the damaged pieces of a row. */
export interface RecoveredRow {
  readonly objects: readonly Json[]
  readonly diagnostics: readonly RowDiagnostic[]
  /** The text of the damaged pieces. */
  readonly damaged: readonly string[]
}

/** Reads every record that the row certainly holds. */
export function recoverRow(text: string): RecoveredRow {
  const clean = withoutNulAndBom(text)
  const noted = noticed(text)
  if (clean.trim() === '')
    return {
      objects: [],
      diagnostics: [...noted, notJson('The row holds only NUL bytes')],
      damaged: [],
    }
  if (OTHER_VALUE.test(clean) && parses(clean))
    return { objects: [], diagnostics: [...noted, notAnObject(clean)], damaged: [clean.trim()] }
  const pieces = piecesOf(clean)
  const damaged = pieces.damaged.map(({ start, end }) => clean.slice(start, end).trimEnd())
  return { objects: pieces.records, diagnostics: [...noted, ...diagnosticsIn(text, clean, pieces)], damaged }
}

/** How JSON begins that is not an object. */
const OTHER_VALUE = /^\s*["[\dtfn-]/

/** The text without NUL bytes and byte order mark. */
export function withoutNulAndBom(text: string): string {
  const body = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  return body.includes('\0') ? body.replaceAll('\0', '') : body
}

const BYTE_ORDER_MARK = 0xfeff

/** What `withoutNulAndBom` removes from a text. */
function noticed(text: string): readonly RowDiagnostic[] {
  const found: RowDiagnostic[] = []
  if (text.charCodeAt(0) === BYTE_ORDER_MARK)
    found.push({ rule: 'parse/bom', severity: 'info', message: 'A byte order mark was skipped.' })
  const count = text.split('\0').length - 1
  if (count > 0) {
    const message = `${count} NUL bytes were skipped: the machine or disk failed while this was written.`
    found.push({ rule: 'parse/nul-bytes', severity: 'warning', message })
  }
  return found
}

function diagnosticsIn(text: string, clean: string, { records, damaged }: Pieces): readonly RowDiagnostic[] {
  const kept = records.length
  if (kept === 0) return [notJson(`The row is not JSON, it begins with ${JSON.stringify(headOf(clean))}`)]
  const found: RowDiagnostic[] = []
  const whole = `${kept} whole record${kept === 1 ? '' : 's'}`
  if (kept > 1 || damaged.some(({ start }) => clean.startsWith('{', start))) {
    const message = `${whole} on one row with others: a newline was lost between two writes.`
    found.push({ rule: 'parse/joined-rows', severity: 'warning', message })
  }
  if (damaged.length > 0)
    found.push(notJson(`Beside ${whole}, the row holds ${damageIn(text, clean, damaged)}`))
  return found
}

/** `2 damaged pieces (57 bytes, the first at byte 120 of the row)`. */
function damageIn(text: string, clean: string, damaged: readonly Piece[]): string {
  const pieces = damaged.length === 1 ? 'a damaged piece' : `${damaged.length} damaged pieces`
  const bytes = damaged.reduce((sum, { start, end }) => sum + utf8Length(clean.slice(start, end)), 0)
  const at = utf8Length(text.slice(0, positionIn(text, damaged[0]?.start ?? 0)))
  const where = damaged.length === 1 ? 'at' : 'the first at'
  return `${pieces} (${bytes} bytes, ${where} byte ${at} of the row)`
}

/** The position in the text that a position in the clean text has. */
function positionIn(text: string, position: number): number {
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  for (let left = position; left > 0 || text.charCodeAt(at) === 0; at++) if (text.charCodeAt(at) !== 0) left--
  return at
}

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Both halves of a surrogate pair together have four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
  }
  return bytes
}

function notAnObject(text: string): RowDiagnostic {
  const message = `The row is JSON but not an object: ${headOf(text)}`
  return { rule: 'parse/not-an-object', severity: 'warning', message }
}

function headOf(text: string): string {
  return text.trimStart().slice(0, 40)
}

function notJson(what: string): RowDiagnostic {
  return {
    rule: 'parse/not-json',
    severity: 'warning',
    message: `${what}: a write was cut or another program changed the file. The bytes are kept, but are not part of the graph.`,
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
