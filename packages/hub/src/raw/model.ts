/** What a client and a hub tell each other about raw bytes. */
import type { Label } from '@dagline/store'
import type { MachineId } from '../model/index.js'
import type { NamedPack } from './pack.js'

/** A machine as it names itself. */
export interface MachineName {
  /** Made once on that machine. */
  readonly uuid: string
  /** What people call it. */
  readonly name: string
  /** `process.platform`. */
  readonly platform: string
}

/** What a client learns first. */
export interface Welcome {
  /** Identifies the database: what a client remembers of another one is not valid. */
  readonly hub: string
  readonly machine: MachineId
  /** The name under which its folders are shown: another machine of the person may have the same. */
  readonly name: string
  /** How often files of the machine have changed on the hub. Where a client knows another number, it asks for all files. */
  readonly changes: number
  /** Sessions of the person that were deleted on the hub: they are not taken again. */
  readonly gone: readonly string[]
  /** HU80: whether the hub takes names, tags and notes; an older one does not. */
  readonly takesLabels: boolean
}

/** A version of a file as the hub has it. */
export interface HubVersion {
  /** From 1. */
  readonly number: number
  /** Of what was sent. */
  readonly bytes: number
  /** Names what was sent (`chainOf`). */
  readonly chain: Buffer
  /** Of the file on its machine; the same as `bytes` where nothing was redacted. */
  readonly originalBytes: number
  readonly originalSha256: Buffer
}

/** A file of a machine, with its last version. */
export interface HubFile extends HubVersion {
  /** Absolute path on its machine. */
  readonly place: string
}

/** How many placeholders of each kind a version has. */
type Redacted = Readonly<Record<string, number>>

/** A version of a file that a client wants to be kept. */
export interface NewVersion {
  readonly place: string
  /** Below the root of the person, without the machine: the folder of the project, then the path in it. */
  readonly folder: string
  readonly path: string
  readonly kind: string
  readonly session: string | null
  /** The git remote, or the working directory, that the project is named by. */
  readonly remote: string | null
  readonly cwd: string | null
  readonly mtime: number
  /** What it grew from, number 0 from nothing; null for all pieces of a file, whatever the hub has of it. */
  readonly base: Pick<HubVersion, 'number' | 'chain'> | null
  /** The file was cut or replaced: it is another version even where it is the beginning of the last one. */
  readonly isOther: boolean
  /** Those behind the base. */
  readonly hashes: readonly Buffer[]
  readonly bytes: number
  readonly chain: Buffer
  readonly originalBytes: number
  readonly originalSha256: Buffer
  /** Null where redaction is off. */
  readonly redacted: Redacted | null
}

/**
 * What became of a version. `same`: the hub has it already. `older`: the hub has a longer one that begins with it.
 * `conflict`: the base is not the last version any more. `missing`: not all pieces are there. `gone`: its session was
 * deleted on the hub.
 */
export type Outcome = 'stored' | 'same' | 'older' | 'conflict' | 'missing' | 'gone'

export interface Committed {
  readonly changes: number
  readonly results: readonly {
    readonly outcome: Outcome
    /** The last version of the file now; null where it has none. */
    readonly version: HubVersion | null
  }[]
}

/** The raw bytes of one person, for a client: over HTTP or in the same process. */
export interface RawStore {
  readonly welcome: (machine: MachineName) => Promise<Welcome>
  /** All files of a machine. */
  readonly files: (machine: MachineId) => Promise<readonly HubFile[]>
  /** For each hash whether the hub lacks the piece. */
  readonly missing: (hashes: readonly Buffer[]) => Promise<readonly boolean[]>
  /** Stores pieces that are not there yet. Doing it twice changes nothing. */
  readonly put: (pack: NamedPack) => Promise<void>
  /**
   * Keeps versions whose pieces are there, all in one transaction. Doing it twice changes nothing. The judge is not called
   * where more of the same push follows at once.
   */
  readonly commit: (
    machine: MachineId,
    files: readonly NewVersion[],
    options?: { readonly hasMore?: boolean },
  ) => Promise<Committed>
  /**
   * HU80: keeps these labels of a machine instead of those that it had. Labels of sessions that are not there are left out;
   * returns how many are kept.
   */
  readonly keepLabels: (machine: MachineId, labels: readonly Label[]) => Promise<number>
  /** Versions of the files of the person, in order of path and number. */
  readonly versions: (filter: VersionFilter) => Promise<readonly StoredVersion[]>
  /** The bytes of one of them, in order. */
  readonly read: (version: number) => AsyncIterable<Uint8Array>
}

/** A version of a file of the hub, with what tells where it came from. */
export interface StoredVersion {
  readonly id: number
  readonly file: number
  /** Below the root of the person. */
  readonly path: string
  readonly kind: string
  readonly session: string | null
  readonly machine: string
  /** Absolute path on its machine. */
  readonly place: string
  readonly project: string
  readonly number: number
  readonly bytes: number
  readonly mtime: number
  /** The hash that the file had on its machine, in hexadecimal. */
  readonly originalSha256: string
  readonly originalBytes: number
  /** How many placeholders stand in it; 0 where it is what the file was. */
  readonly placeholders: number
}

/** Which versions to list; the last ones of all files unless given. */
export interface VersionFilter {
  /** The beginning of the id of a session. */
  readonly session?: string | undefined
  /** All states of a file instead of the last one. */
  readonly all?: boolean | undefined
}
