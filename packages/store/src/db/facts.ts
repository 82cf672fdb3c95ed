/** The facts in a file, as plain data: one process may read them and another one store them. */
import type { Diagnostic, FileFacts, SourceSpan } from '@dagline/core'
import type { Damage } from '@dagline/core/files'
import type { MessageUsage } from '@dagline/core/measure'
import type { TextField } from '@dagline/core/protocol'
import type { FileState } from '../files/state.js'

/** What discovery says of a file, as far as the graph depends on it. */
export interface IndexedFacts extends FileFacts {
  /** A title that was given to the session in a file of its own. */
  readonly title: string | null
}

/** The fields as the index numbers them: in the order in which hits are ranked (rank.ts). */
export const FIELDS: readonly TextField[] = [
  'prompt',
  'answer',
  'queued',
  'thinking',
  'input',
  'output',
  'note',
  'memory',
  'skill',
  'hook',
  'file',
  'context',
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

export type CallFact = readonly [nth: number, call: string, tool: string]

/** Some rows of a file, one after another. */
export interface Chunk {
  /** Number of its first row. */
  readonly row: number
  /** Which entry of the file its first one is, from 0. */
  readonly firstNode: number
  /** How many rows there are. */
  readonly count: number
  /** The parsed rows, packed. */
  readonly rows: string
  /** The uuids of its entries. */
  readonly uuids: readonly string[]
  readonly calls: readonly CallFact[]
  readonly texts: readonly TextFact[]
  readonly messages: readonly MessageFact[]
  readonly touched: readonly TouchedFact[]
  /** What links the file to others (`linkKeysOf`). */
  readonly linkKeys: readonly string[]
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
  readonly diagnostics: readonly Diagnostic[]
}

/** Where to continue reading. */
interface ReadFrom {
  readonly offset: number
  readonly row: number
  /** Entries before it. */
  readonly nodes: number
  readonly damage: Damage
}

/** What to read, and from where on. */
export interface ReadJob {
  /** Its number in the index. */
  readonly file: number
  readonly root: string
  readonly path: string
  readonly project: string
  readonly facts: IndexedFacts
  /** What there is to read, as far as discovery saw it. */
  readonly bytes: number
  /** The archive that holds the file, where it is no longer on disk. */
  readonly archive: string | null

  readonly from: ReadFrom | null
}
