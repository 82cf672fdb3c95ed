/**
 * What the lab tries. A source gives cases; each is a session as it lies on disk, and belongs to a class, which is a row of
 * the tables in docs/LAB.md. To add cases, write a file beside this one and list its source in `run.ts`.
 */

/** A session to resume. */
export interface LabSession {
  readonly session: string
  /** The transcript as it is on disk. */
  readonly text: string
  /** The session's folder with agents and outputs, or null. */
  readonly folder: string | null
  /** Entries that the request must carry, where dagline has promised so; else only the model is checked. */
  readonly promise: readonly string[] | null
  /** The project's folder is renamed, and `dagline mv` has to take the session along. */
  readonly isMoved?: boolean
  /** Days since it was written to; one without it, and nothing is swept. */
  readonly age?: number
  /** What `doctor` reports of it, where that is checked. */
  readonly advice?: Advice
}

/** What `doctor` reports of a session, and which command was followed. */
export interface Advice {
  /** The command that was followed; null where the session is resumed as it is. */
  readonly command: string | null
  /** Kinds of the faults that it has named. */
  readonly faults: readonly string[]
  /** What was called possible and the command does not bring; empty where it brings all. */
  readonly shortfall: string
}

/** No session: dagline found nothing to do, or refused with a sentence. */
export interface NoSession {
  readonly why: 'nothing to do' | 'refused'
  readonly sentence: string
  readonly advice?: Advice
}

export type Making = LabSession | NoSession

/**
 * What is held against what was sent: what the model says of a session as it is; what the doctor says, or its command
 * promises; what `repair` promises; what another command promises.
 */
export type Question = 'model' | 'doctor' | 'repair' | 'edit'

/** One thing to try. */
export interface LabCase {
  readonly asks: Question
  /** The class: what is broken, or what was done. */
  readonly kind: string
  /** Unique within its class and question. */
  readonly name: string
  /** Makes the session for a release when its turn has come: only some cases are tried with older ones. */
  readonly make: (version: string, cli: string) => Making | Promise<Making>
}

/** Where cases come from. */
export interface CaseSource {
  readonly name: string
  readonly cases: () => Iterable<LabCase>
}

/** A session that lies there ready, and of which nothing is promised. */
export interface FoundSession extends Pick<LabCase, 'kind' | 'name'>, LabSession {}

/** A session with nothing but a text. */
export function foundSession(kind: string, name: string, session: string, text: string): FoundSession {
  return { kind, name, session, text, folder: null, promise: null }
}

/** The case of a session as it is: what the model says is checked. */
export function asItIs(found: FoundSession): LabCase {
  return { asks: 'model', kind: found.kind, name: found.name, make: () => found }
}
