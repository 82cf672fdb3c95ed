/**
 * Reads one row of a file. Whatever its bytes, it holds records, is blank, or is damaged, and a diagnostic reports what is
 * odd about it.
 */
import type { DiagnosticRule, Severity } from '../model/diagnostic.js'
import type { TranscriptRecord } from '../model/entry.js'
import type { ParsedRow, RowDiagnostic } from '../model/row.js'
import type { RawRow, SourceSpan } from '../model/source.js'
import { readAssistant } from './entries/assistant.js'
import { readBase } from './entries/base.js'
import { readNote } from './entries/note.js'
import { carriedRecord, readProgress } from './entries/progress.js'
import { readAttachment, readPrelude, readSystem } from './entries/system.js'
import { readUser } from './entries/user.js'
import { asText, type Json } from './json.js'
import { objectIn } from './pieces.js'
import { type RecoveredRow, recoverRow } from './recover.js'

/** Receives each record with its JSON, which is not kept, and with the text of its row where that is damaged. */
export type SeeRecord = (json: Json, record: TranscriptRecord, damaged?: string) => void

/** Reads one row, or several that hold one record. Never throws, unless `see` does. */
export function parseRow(raw: RawRow, see?: SeeRecord): ParsedRow {
  return parseWhole(raw, see) ?? recovered(raw, see)
}

/** Reads a row that is blank or one JSON object; null for any other. */
export function parseWhole(raw: RawRow, see?: SeeRecord): ParsedRow | null {
  if (isBlank(raw.text)) return rowOf(raw, 'blank', [], [])
  const object = objectIn(raw.text)
  if (object === null) return null
  const record = readRecord(object, raw)
  see?.(object, record)
  return rowOf(raw, 'entry', [record], allDiagnostics(diagnosticsOf(object, raw), halfCharacters(record)))
}

/** P5: reads a last row without newline: a row like any other if it parses, else it is torn. */
export function parseLastRow(raw: RawRow, see?: SeeRecord): ParsedRow {
  const row = parseRow(raw, see)
  return row.state === 'damaged' ? { ...row, diagnostics: torn } : row
}

/** A callback that also receives the messages that `agent_progress` rows carry, each after the record of its row. */
export function withCarried<Rest extends readonly unknown[]>(
  see: (json: Json, record: TranscriptRecord, ...rest: Rest) => void,
): (json: Json, record: TranscriptRecord, ...rest: Rest) => void {
  return (json, record, ...rest) => {
    see(json, record, ...rest)
    const carried = record.kind === 'progress' ? record.carried : null
    const message = carried === null ? null : carriedRecord(json)
    if (carried !== null && message !== null) see(message, carried, ...rest)
  }
}

function rowOf(
  raw: RawRow,
  state: ParsedRow['state'],
  records: readonly TranscriptRecord[],
  diagnostics: readonly RowDiagnostic[],
): ParsedRow {
  const { row, length, rows } = raw
  return rows === undefined
    ? { row, length, state, records, diagnostics }
    : { row, length, state, records, diagnostics, rows }
}

/** Most rows have no diagnostics at all; then no list is made. */
function allDiagnostics(a: readonly RowDiagnostic[], b: readonly RowDiagnostic[]): readonly RowDiagnostic[] {
  return b.length === 0 ? a : [...a, ...b]
}

/** P5: half of a surrogate pair in what a person typed. Other texts are not checked: that would cost too much. */
function halfCharacters(record: TranscriptRecord): readonly RowDiagnostic[] {
  const head = 'text' in record && record.text !== null ? record.text.head : ''
  return loneSurrogate.test(head) ? halved : noDiagnostics
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const halved = diagnostic(
  'parse/lone-surrogate',
  'info',
  'A typed text holds half of a character: it was cut by something that counts bytes. It is kept as it is.',
)

function diagnosticsOf(object: Json, raw: RawRow): readonly RowDiagnostic[] {
  const isTyped = typeof object.type === 'string'
  if (raw.whole && isTyped && raw.rows === undefined) return noDiagnostics
  return [...severalRows(raw), ...(raw.whole ? [] : reduced), ...(isTyped ? [] : noType)]
}

const noDiagnostics: readonly RowDiagnostic[] = []

/** P10: JSON over several rows. */
function severalRows({ rows = 1 }: RawRow): readonly RowDiagnostic[] {
  if (rows === 1) return noDiagnostics
  const message = `A record spans ${rows} rows: a program has written its JSON over several lines. It is read as one.`
  return diagnostic('parse/multi-row', 'info', message)
}

const torn = diagnostic(
  'parse/torn-row',
  'info',
  'The last row has no newline and does not parse: it is being written, or its writer has ended in the middle.',
)
const noType = diagnostic(
  'parse/no-type',
  'warning',
  'The record has no type: it is kept with its ids, but what it means is unknown.',
)
const reduced = diagnostic(
  'parse/reduced-row',
  'info',
  'The row is too large to hold in memory: its ids were read by scanning, its body stays in the file.',
)

function diagnostic(rule: DiagnosticRule, severity: Severity, message: string): readonly RowDiagnostic[] {
  return [{ rule, severity, message }]
}

/** Asked for every row, and most begin with a brace. */
function isBlank(text: string): boolean {
  return !text.startsWith('{') && text.trim() === ''
}

/** All records of a row, whatever its state: the same that `parseRow` reads. */
export function recordsIn(text: string): readonly Json[] {
  if (isBlank(text)) return []
  const whole = objectIn(text)
  return whole === null ? recoverRow(text).objects : [whole]
}

function recovered(raw: RawRow, see?: SeeRecord): ParsedRow {
  const { objects, diagnostics, damaged }: RecoveredRow = recoverRow(raw.text)
  if (objects.length === 0) return { ...rowOf(raw, 'damaged', [], diagnostics), offset: raw.offset }
  const records = objects.map(object => {
    const record = readRecord(object, raw)
    see?.(object, record, raw.text)
    return record
  })
  const row = rowOf(raw, 'entry', records, [...severalRows(raw), ...diagnostics])
  return damaged.length === 0 ? row : { ...row, pieces: damaged.length, offset: raw.offset }
}

/** Reads one record: an entry where it has a uuid, else a note. */
export function readRecord(json: Json, raw: RawRow): TranscriptRecord {
  const source: SourceSpan = { row: raw.row, offset: raw.offset, length: raw.length }
  const type = asText(json.type) ?? 'none'
  const id = asText(json.uuid)
  if (id === null || !isEntryRecord(json)) return readNote(json, type, source)
  const base = readBase(json, id, source)
  switch (type) {
    case 'user':
    case 'human':
    case 'tool_result':
    case 'compact_recap':
      return readUser(json, base)
    case 'assistant':
      return readAssistant(json, base)
    case 'system':
      return readSystem(json, base)
    case 'compact_prelude':
      return readPrelude(json, base)
    case 'attachment':
      return readAttachment(json, base)
    case 'progress':
      return readProgress(json, base)
    default:
      return { ...base, kind: 'opaque', subtype: type }
  }
}

/** Whether a record is an entry: it has a uuid. Titles may carry one (2.1.325) but take no part in any chain without a parent. */
export function isEntryRecord({ uuid, parentUuid, type }: Json): boolean {
  return asText(uuid) !== null && (parentUuid !== undefined || !isMetadata(asText(type)))
}

function isMetadata(type: string | null): boolean {
  return type === 'custom-title' || type === 'ai-title' || type === 'summary' || type === 'agent-name'
}
