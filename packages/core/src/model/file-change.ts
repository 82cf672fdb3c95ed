/** What tool calls say about the content of a file. */

/** A text that a call replaced. */
export interface Replacement {
  /** Not empty. */
  readonly old: string
  readonly new: string
  /** Every occurrence was replaced; else there was exactly one. */
  readonly isAll: boolean
}

/** What a call did to a file, or saw of it. `before` is the whole content before the call; null where it is not recorded. */
export type FileChange =
  /** The whole file was written. Before a file that did not exist stood an empty text. */
  | { readonly kind: 'write'; readonly content: string; readonly before: string | null }
  /** Texts were replaced, one after the other. */
  | {
      readonly kind: 'replace'
      readonly replacements: readonly Replacement[]
      readonly before: string | null
    }
  /** A cell of a notebook was changed, and the content of the file is not recorded: the cell as lines of JSON. */
  | { readonly kind: 'cell'; readonly lines: readonly string[] }
  /** The whole file was read. */
  | { readonly kind: 'seen'; readonly content: string }

/**
 * What became of the lines of a call. `present`: some are in the file; `replaced`: calls replaced them later; `undone`: they
 * vanished without a call, as after a rewind that restores files; `elsewhere`: they are in another copy and never reached
 * this one; `removed`: the call wrote no line, it only removed some; `unplaced`: what is recorded does not tell.
 */
export type EditFate = 'present' | 'replaced' | 'undone' | 'elsewhere' | 'removed' | 'unplaced'

/**
 * How it is known that a call wrote a line. `changed`: the file before and after the call; `placed`: the text that the call
 * replaced, in the version known before; `found`: the call wrote a line with this text, which the next known version has once.
 */
export type OriginEvidence = 'changed' | 'placed' | 'found'
