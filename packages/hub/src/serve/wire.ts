/** What crosses between the server and its readers, which may be threads: plain data. */
import type { PersonId, TenantId } from '../model/index.js'

/** Whose history a reader answers from, and which part of it. */
export interface Reader {
  readonly tenant: TenantId
  readonly person: PersonId
  /** Only what this person pushed; all that the reader may see where it is null. */
  readonly owner: PersonId | null
  /** HU47: only what was pushed from machines of this name; from all where it is null. */
  readonly machine: string | null
  /** HU46: figures of all persons of the tenant, and nothing that they said. */
  readonly isFigures: boolean
}

/** A question to a history: a GET request of the page. */
export interface ReadRequest {
  readonly reader: Reader
  /** Path and query. */
  readonly path: string
}

/** A session of another person that an answer shows. */
export interface ForeignRead {
  readonly how: 'read' | 'search' | 'fetch' | 'export'
  readonly owner: PersonId
  readonly session: string
}

export interface ReadAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  /** To be noted before the answer is sent. */
  readonly reads: readonly ForeignRead[]
}

/** HU63: a session whose files are to be copied, for what needs them on a disk. */
export interface CopyRequest {
  readonly reader: Reader
  readonly session: string
  /** An empty folder. */
  readonly folder: string
  readonly how: 'read' | 'export'
}

/** What was copied. */
export interface CopiedSession {
  readonly session: string
  /** The absolute path of its transcript. */
  readonly path: string
}

/** Answers requests of readers. */
export interface ReaderPool {
  /** Copies the files of a session. The answer is a `Reply` with the path of its transcript, or an error. */
  readonly copy: (request: CopyRequest) => Promise<ReadAnswer>
  readonly ask: (request: ReadRequest) => Promise<ReadAnswer>
  /** The sessions that changed for a reader since this was called for it before; null where that is not known. */
  readonly changes: (reader: Reader) => Promise<readonly string[] | null>
  readonly close: () => Promise<void>
}
