/** What the bytes of a file say, in plain data: it may be found in one process and kept by another. */
import type { Diagnostic, MessageUsage, SourceSpan, TextField } from '@dagline/core'
import type { FileState } from '../files/state.js'
import type { Damage } from '../files/transcript.js'

/** The fields as the index numbers them. */
export const FIELDS: readonly TextField[] = [
  'prompt',
  'answer',
  'thinking',
  'input',
  'output',
  'note',
  'queued',
]

/** A text to be found. Tuples, not objects: names would be most of what crosses between processes. */
export type TextFact = readonly [
  /** Which entry of the file it is in, from 0; -1 for a queued text. */
  nth: number,
  place: SourceSpan,
  time: number | null,
  field: number,
  /** The tool's name. */
  tool: string | null,
  failed: boolean,
  text: string,
  /** For an output whose call was not read along with it: the call, whose tool the index knows. */
  call: string | null,
]

/** A message's usage, as one of its parts says it. */
export interface MessageFact extends MessageUsage {
  readonly nth: number
  readonly version: string | null
}

export type TouchedFact = readonly [nth: number, path: string, tool: string]

/** Some rows of a file, one after another. */
export interface Stretch {
  /** Number of its first row. */
  readonly row: number
  /** Which entry of the file its first one is, from 0. */
  readonly firstNode: number
  /** The parsed rows, packed. */
  readonly rows: string
  readonly texts: readonly TextFact[]
  readonly messages: readonly MessageFact[]
  readonly touched: readonly TouchedFact[]
}

/** Where reading ended, what the file was like, and what was repaired up to there. */
export interface ReadState extends FileState {
  readonly damage: Damage
}

/** How a reading ended. */
export interface ReadingEnd {
  /** Null where the file could not be read; it is tried again next time. */
  readonly state: ReadState | null

  /** Bytes that were read, those of an unfinished last row included. */
  readonly bytes: number
  readonly findings: readonly Diagnostic[]
}

/** A place to read on from. */
export interface ReadFrom {
  readonly offset: number
  readonly row: number
  /** Entries before it. */
  readonly nodes: number
  readonly damage: Damage
}

/** Where to read, and from where on. */
export interface ReadJob {
  readonly root: string
  readonly path: string
  /** What there is to read, as far as discovery saw it. */
  readonly bytes: number
  /** The archive that holds the file, where it is on disk no more. */
  readonly archive: string | null

  readonly from: ReadFrom | null
}
