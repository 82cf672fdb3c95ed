/** The proof of an edit: its rows are read again by the same reader, here or by another process, while they are written. */
import { type EditPlan, type PlanProof, proofOf, startRereading } from '@dagline/core/edit'

/** A proof under way. */
export interface Proving {
  /** The next row of the new file, without its newline; a row too long to hold is shown reduced. */
  readonly row: (text: string) => void
  /** After the last row, when all bytes of the file are written. */
  readonly end: (bytes: number) => Promise<PlanProof>
  /** Lets go of whatever is still held; may be called after `end`. */
  readonly close: () => void
}

/** Starts to prove a plan whose rows are written to a path that is not there yet. */
export type Prover = (plan: EditPlan, path: string) => Proving

/** Proves in this process: each row is read as it passes by. */
export const proveHere: Prover = plan => {
  const reading = startRereading(plan)
  return { row: reading.row, end: async bytes => proofOf(plan, reading.end(bytes)), close: () => {} }
}
