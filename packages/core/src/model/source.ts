/** Locations on disk: rows as the store reads them, files, and the folders of projects. */
import type { AgentId, FileId, SessionId } from './ids.js'

/** One row of a file, decoded. The core reads rows, never files. */
export interface RawRow {
  /** From 1; blank and broken rows count too. */
  readonly row: number
  /** Byte offset of the row's first byte. */
  readonly offset: number
  /** Bytes without the newline. */
  readonly length: number
  readonly text: string
  /** False where the row is too large to hold in memory: then long strings are cut, and ids are whole. */
  readonly whole: boolean
  /** How many rows of the file it stands for, where these are several: a record over several rows, or blank rows. */
  readonly rows?: number
  /** It ended in CRLF; absent where it did not. */
  readonly crlf?: true
  /** It holds bytes that are not UTF-8; absent where it does not. */
  readonly invalidUtf8?: true
}

/** The location of a record. */
export interface SourceSpan {
  readonly row: number
  readonly offset: number
  readonly length: number
}

/** What a file in a project folder is. */
export type FileKind = 'session' | 'agent' | 'journal' | 'other'

/** A file as discovery describes it, before any row of it is read. */
export interface FileFacts {
  readonly path: FileId
  readonly kind: FileKind
  readonly session: SessionId | null
  readonly agent: AgentId | null
  /** The workflow run an agent file or journal belongs to. */
  readonly run: string | null
  readonly meta: AgentMeta | null
  /** The record of the run, where the file is its journal. */
  readonly runRecord?: RunRecord | null
  /** S4: the title in the session's `custom-title.json`, where the file is its transcript. */
  readonly title?: string | null
}

/** The fields of `workflows/<run>.json`, which is written when a run ends, that are used. */
export interface RunRecord {
  readonly name: string | null
  readonly summary: string | null
  /** `completed`, or another state. */
  readonly status: string | null
  readonly phases: readonly string[]
  readonly durationMs: number | null
}

/** The fields of an agent's `.meta.json` that are used. */
export interface AgentMeta {
  readonly agentType: string | null
  readonly description: string | null
  readonly toolUseId: string | null
  readonly parentAgentId: string | null
  readonly spawnDepth: number | null
  readonly finished: boolean | null
}

/** Names of project folders that are longer are cut here, and end in a hash of the whole path. */
const LONGEST = 200

/**
 * The folder below `projects/` in which Claude Code keeps the sessions of a working directory: every character but ASCII
 * letters and digits becomes `-`. Recorded from 2.1.197 and 2.1.325; characters are UTF-16 code units.
 */
export function projectFolder(path: string): string {
  const name = plainName(path)
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST)}-${hashOf(path)}`
}

/** Whether some release gives a path's sessions this folder: early ones do not cut, and not all have the same hash. */
export function isProjectFolder(name: string, path: string): boolean {
  const own = plainName(path)
  return name === own || (own.length > LONGEST && name.startsWith(`${own.slice(0, LONGEST)}-`))
}

function plainName(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-')
}

/** The hash that long names end in: the characters times powers of 31, in 32 bits, in base 36. */
function hashOf(path: string): string {
  let hash = 0
  for (let at = 0; at < path.length; at++) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0
  return Math.abs(hash).toString(36)
}
