/** Diagnostics report what is odd in the input as data: nothing is thrown, and nothing is dropped. */
import type { EntryId, FileId } from './ids.js'

/** The severity of a diagnostic. `info` needs no action. */
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

/** A heading for each rule. */
export const DIAGNOSTIC_TITLES: Readonly<Record<string, string>> = {
  'parse/not-json': 'A row is not JSON',
  'parse/not-an-object': 'A row is not a record',
  'parse/joined-rows': 'Several records on one row',
  'parse/multi-row': 'A record over several rows',
  'parse/nul-bytes': 'NUL bytes in a row',
  'parse/bom': 'A byte order mark',
  'parse/invalid-utf8': 'Bytes that are not valid UTF-8',
  'parse/crlf': 'Windows line endings',
  'parse/torn-row': 'The last row is not finished',
  'parse/reduced-row': 'A very long row',
  'parse/lone-surrogate': 'Half of a character',
  'parse/no-type': 'A record without a type',
  'dag/orphan': 'The parent is missing',
  'dag/cycle': 'A cycle of parents',
  'dag/self-parent': 'An entry is its own parent',
  'dag/second-root': 'A second start',
  'dag/missing-parent': 'An answer or a result without a parent',
  'dag/unplaced-nodes': 'Entries that are on no line',
  'dag/duplicate-row': 'An entry twice in one file',
  'dag/stray-result': 'A result without its call',
  'dag/unanswered-call': 'A call without a result',
  'dag/unknown-agent': 'A subagent without a call',
  'dag/missing-agent-file': "A subagent's file is missing",
  'dag/broken-compaction': 'A compaction names missing entries',
  'dag/unfinished-compaction': 'A compaction was not finished',
  'dag/lost-input': 'Input that never arrived',
  'dag/ambiguous-live': 'Two live readings',
  'dag/forgotten-turns': 'Turns that were forgotten',
  'dag/foreign-session': 'Rows of another session',
  'store/unreadable': 'A file could not be read',
  'store/vanished': 'A file disappeared',
  'store/rewritten': 'A file kept changing',
  'store/erasure': 'Traces of forgotten sessions',
  'store/linked-twice': 'A folder is linked twice',
  'store/odd-sidecar': 'A sidecar file is not readable',
}

/** The heading for a diagnostic; the rule itself where it is not known. */
export function diagnosticTitle(rule: string): string {
  return Object.hasOwn(DIAGNOSTIC_TITLES, rule) ? (DIAGNOSTIC_TITLES[rule] ?? rule) : rule
}

/** What to do about a diagnostic, for the rules where there is something to do. */
export const DIAGNOSTIC_ADVICE: Readonly<Record<string, string>> = {
  'parse/not-json': 'Look at the row. If the archive or a backup has the file, restore it from there.',
  'parse/not-an-object': 'Find out which program wrote to the file, so that it does not do so again.',
  'parse/joined-rows': '`dagline doctor` shows what a resume loses. Do not run two processes on one session.',
  'parse/nul-bytes': 'If the row matters, compare it with a backup.',
  'parse/no-type': 'Run `dagline census` to list unknown types.',
  'dag/orphan': 'A file of the project is probably missing: deleted, or not copied along.',
  'dag/cycle': 'The file was edited or merged by hand. Restore it from a copy if you can.',
  'dag/self-parent': 'The file was edited by hand. Restore it from a copy if you can.',
  'dag/second-root': 'If the session starts in another file, put both files into one project folder.',
  'dag/missing-parent': 'Claude Code loads nothing before it. `dagline doctor` shows what that loses.',
  'dag/unplaced-nodes': 'Please report it, with the shape of the session (`dagline graph --json`).',
  'dag/stray-result': 'Look for a missing file of the session or of a subagent.',
  'dag/unknown-agent': 'The conversation that called it is probably in a file that was deleted.',
  'dag/missing-agent-file': 'Copy the folder named after the session together with its file.',
  'dag/broken-compaction': 'Claude Code may load less than is live. Run `dagline doctor` before you resume.',
  'dag/unfinished-compaction': 'Nothing is lost. Resume the session and compact again if you need to.',
  'dag/lost-input': 'The message shows the text: send it again if it still matters.',
  'dag/forgotten-turns': 'If they matter, check them out (`dagline checkout`) and continue from there.',
  'store/unreadable': 'Check the permissions of the file and of its folder.',
  'store/vanished': 'Run the command again. The session may be in another project folder now.',
  'store/rewritten': 'Run `dagline archive` again.',
  'store/erasure': 'Make room on the disk and run `dagline archive` again.',
}

/** What to do about a diagnostic; null where there is nothing to do. */
export function diagnosticAdvice(rule: string): string | null {
  return Object.hasOwn(DIAGNOSTIC_ADVICE, rule) ? (DIAGNOSTIC_ADVICE[rule] ?? null) : null
}
