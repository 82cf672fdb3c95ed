/** What was odd in the input. A diagnostic is data: nothing is thrown for it and nothing is dropped. */
import type { EntryId, FileId } from './ids.js'

/** How grave a diagnostic is. `info` needs no action. */
export type Severity = 'error' | 'warning' | 'info'

/** The stable name of a diagnostic; docs/SPEC.md lists them all. */
export type DiagnosticRule = `parse/${string}` | `dag/${string}` | `store/${string}`

/** Something odd in the input, with its location. */
export interface Diagnostic {
  readonly rule: DiagnosticRule
  readonly severity: Severity
  readonly file: FileId
  /** From 1; null where the diagnostic is about the file as a whole. */
  readonly row: number | null
  readonly node: EntryId | null
  /** One sentence with the values in it, and what to make of it. */
  readonly message: string
}
