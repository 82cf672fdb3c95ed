/** What a node with several children turned out to be. */

/** The kinds of verdicts (F1 to F12). Only `rewind` and `two-writers` make branches. */
export type ForkKind =
  | 'parallel'
  | 'structural'
  | 'structural-result'
  | 'dead-end'
  | 'passthrough'
  | 'continuation'
  | 'replay'
  | 'companion'
  | 'retry'
  | 'taken-back'
  | 'two-writers'
  | 'rewind'

/** The rule of docs/SPEC.md that decided on a fork. */
export type ForkRule = 'F1' | 'F2' | 'F3' | 'F4' | 'F5' | 'F6' | 'F7' | 'F8' | 'F9' | 'F10' | 'F11' | 'F12'

/** A verdict: what the fork is, and what became of each child. Nothing is dropped (F13). */
export interface Verdict {
  readonly kind: ForkKind
  readonly rule: ForkRule
  /** Children that stay on the line, in the order they are placed. */
  readonly inline: readonly number[]
  /** Children that start a branch, in the order of writing. */
  readonly branches: readonly number[]
  /** Children that are folded as copies. */
  readonly copies: readonly number[]
  /** One sentence; made when asked for, since most verdicts are never read. */
  readonly evidence: () => string
}
