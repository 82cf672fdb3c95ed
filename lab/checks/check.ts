/** Checks beside the cases: they need more than one resume. */

/** One sentence, and whether it holds with a release. */
export interface Check {
  readonly version: string
  readonly what: string
  readonly isRight: boolean
  /** What was seen where it does not hold. */
  readonly seen: string
  /** Kinds of faults that the doctor has named in it. */
  readonly faults?: readonly string[]
}
