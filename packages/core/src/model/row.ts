/** The result of parsing one row of a file. */
import type { DiagnosticRule, Severity } from './diagnostic.js'
import type { TranscriptRecord } from './entry.js'

/** A diagnostic about a row, before it is known which file the row is in. */
export interface RowDiagnostic {
  readonly rule: DiagnosticRule
  readonly severity: Severity
  readonly message: string
}

/** A row is an entry or note, blank, or damaged (P1). Several records only where rows were joined. */
export interface ParsedRow {
  readonly row: number
  readonly length: number
  readonly state: 'entry' | 'blank' | 'damaged'
  readonly records: readonly TranscriptRecord[]
  readonly diagnostics: readonly RowDiagnostic[]
  /** How many rows of the file it stands for, where these are several: a record over several rows, or blank rows. */
  readonly rows?: number
  /** Damaged pieces that stand beside the records, where there are any (P9). */
  readonly pieces?: number
  /** Byte offset of a row that is damaged or holds damaged pieces. */
  readonly offset?: number
}

/** The records of a row, each progress entry followed by the subagent's message that it carries. */
export function recordsWithCarried({ records }: ParsedRow): readonly TranscriptRecord[] {
  return records.some(carries) ? records.flatMap(withMessage) : records
}

function carries(record: TranscriptRecord): boolean {
  return record.kind === 'progress' && record.carried !== null
}

function withMessage(record: TranscriptRecord): readonly TranscriptRecord[] {
  return record.kind === 'progress' && record.carried !== null ? [record, record.carried] : [record]
}
