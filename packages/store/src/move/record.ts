/** What the journal keeps of a move: enough to take it back, also where it was cut off. */
import type { Move } from './paths.js'

/** A file that was to change, to move, or both. */
export interface RecordedFile {
  readonly path: string
  /** The same as `path` where it stays. */
  readonly target: string
  /** The original, where its bytes were to change. */
  readonly backup: string | null
  /** Milliseconds since 1970, of the original. */
  readonly mtime: number
  readonly mode: number
  /** Paths inside of what was said were to change, too. */
  readonly deep: boolean
  /** A file of all projects, which Claude Code writes at any time. */
  readonly isCommon: boolean
}

/** A whole move. New bytes are not kept: they follow from the original and the moves. */
export interface MoveRecord {
  /** The projects root. */
  readonly root: string
  readonly from: string
  readonly to: string
  readonly moves: readonly Move[]
  readonly files: readonly RecordedFile[]
}
