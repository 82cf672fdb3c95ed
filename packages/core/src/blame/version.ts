/** A version of a file: its lines, and where each of them came from. */
import type { OriginEvidence } from '../model/file-change.js'

/** Where a line came from. Edits are numbers of events. */
export type LineOrigin =
  /** A call of a session wrote it. */
  | { readonly kind: 'edit'; readonly edit: number; readonly evidence: OriginEvidence }
  /** No recorded call wrote it: it appeared between two known versions. Null: before the first, or since the last one. */
  | { readonly kind: 'outside'; readonly after: number | null; readonly before: number | null }
  /** The calls that may have written it; what is recorded does not tell which, or whether one of them did. */
  | { readonly kind: 'undecided'; readonly edits: readonly number[] }

/** Lines with their origins, at a time. */
export interface Version {
  readonly time: number | null
  readonly track: string
  /** All lines, joined with line feeds. */
  readonly text: string
  readonly lines: readonly string[]
  readonly origins: readonly LineOrigin[]
}

/** The lines of a text. Line breaks of Windows are line breaks, and a last one ends the last line. */
export function linesOf(text: string): readonly string[] {
  const lines = unixText(text).split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** A text as versions have it: its lines, joined. */
export function textOf(content: string): string {
  return linesOf(content).join('\n')
}

/** The origin of a line that a call wrote. */
export function editOrigin(edit: number, evidence: OriginEvidence): LineOrigin {
  return { kind: 'edit', edit, evidence }
}

/** Transcripts have contents with line feeds alone, whatever the file has. */
export function unixText(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}

/** Whether a line says enough to be known again: blank lines and brackets stand everywhere. */
export function isTelling(line: string): boolean {
  return (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3
}
