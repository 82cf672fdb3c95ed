/**
 * What the lab tries. A source gives cases; each is a session as it lies on disk, and belongs to a class, which is a row of
 * the table in docs/LAB.md. To add cases, write a file beside this one and list its source in `all.ts`.
 */

/** A session to resume. */
export interface LabCase {
  /** The class: what is broken, or what was done. */
  readonly kind: string
  /** Unique within its source. */
  readonly name: string
  readonly session: string
  /** The transcript as it is on disk. */
  readonly text: string
  /** The session's folder with agents and outputs, or null. */
  readonly folder: string | null
  /** Entries that the request must carry, in order, where dagline has promised so; else only the model is checked. */
  readonly promise: readonly string[] | null
}

/** Whether cases of a class are wanted. */
export type Wants = (kind: string) => boolean

/** Where cases come from. */
export interface CaseSource {
  readonly name: string
  /** Makes the cases one after another: only those of wanted classes, and fewer where it need not be thorough. */
  readonly cases: (wants: Wants, isThorough: boolean) => Iterable<LabCase>
}

/** A case with nothing but a text. */
export function caseOf(kind: string, name: string, session: string, text: string): LabCase {
  return { kind, name, session, text, folder: null, promise: null }
}
