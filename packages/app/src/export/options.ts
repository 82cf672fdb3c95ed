/** What was asked of an export. */
import type { RedactWhat } from '@dagline/core/redact'

export const FORMATS = ['html', 'md', 'json', 'jsonl', 'parquet', 'otel'] as const

/** What a session can be exported as. */
export type Format = (typeof FORMATS)[number]

/** What is exported, in which format, and where to. */
export interface ExportOptions {
  readonly format: Format
  /** A file or folder; `-` for stdout; null for a name made from the session's id. */
  readonly out: string | null
  readonly project: string | null
  /** All sessions of a tree, or of the project, in one file. */
  readonly tree: boolean
  /** `live`, `all`, or the id of a branch or agent. */
  readonly branch: string
  /** Agents nested deeper than this are left out; 0 for none. */
  readonly depth: number
  readonly tools: boolean
  /** What is replaced; null for nothing. */
  readonly redact: readonly RedactWhat[] | null
  /** Names of people to replace, beside those that are known. */
  readonly names: readonly string[]
  readonly allowSecrets: boolean
  readonly force: boolean
}
