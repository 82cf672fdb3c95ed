/** What the application reports while it works, and to whom. A command shows it on the terminal; a worker collects it. */

import type { FoundRoot, IndexStore, Project, RangeReader, SessionFact } from '@dagline/store'

/** A file or folder that exists and could not be read, or not to its end. */
export interface Unread {
  readonly path: string
  /** The message, without the path. */
  readonly message: string
  /** Edits and exports are refused: the file may belong to what they are made from. */
  readonly isInTheWay: boolean
}

/** I16: what the index says of the files as they are now. It spares reading all of them. */
export interface KnownFiles {
  /** What there is below the roots. */
  readonly found: readonly FoundRoot[]
  /**
   * The part of a project that holds a file and all that it is linked with: the same object for the same part. Null where
   * that is not known.
   */
  readonly linkedPart: (location: KnownProject, path: string) => KnownProject | null
  /** The files with an id that begins so; null where that is not known, or there are so many. */
  readonly locate: (what: 'uuid' | 'session', start: string, most: number) => readonly LocatedFile[] | null
}

/** A project and the root it was found under. */
interface KnownProject {
  readonly root: string
  readonly project: Project
}

/** A file that has an id. */
interface LocatedFile {
  readonly id: string
  readonly root: string
  readonly path: string
}

/**
 * HU48: what was pushed to a hub and one person may see. Names are looked up in it, and nothing on the machine that answers:
 * neither its disk nor its names, its archive or its index.
 */
export interface PushedFiles {
  readonly index: IndexStore
  readonly ranges: RangeReader
  /** The numbers of the roots in the index. */
  readonly roots: readonly number[]
  readonly sessions: () => readonly SessionFact[]
  /** The session that a word means. Throws `UserError` where there is none, or more than one. */
  readonly idOf: (word: string) => string
}

/** The program that runs the application. */
export interface Host {
  /** The projects roots to read instead of the default ones; empty for the default. */
  readonly roots: readonly string[]
  /** The working directory whose project is meant where none is named; null where everything is. */
  readonly here: string | null
  /** Receives a message for the user. */
  readonly note: (text: string) => void
  /** Shows one line about work in progress, or removes it with null. */
  readonly progress: (text: string | null) => void
  /** What could not be read so far, by path. */
  readonly unread: Map<string, Unread>
  /** Marks the answer as incomplete: a command then ends with exit code 1. */
  readonly fail: () => void
  /** Set by a history for the time of one call: what is known of the files. Without it they are looked at. */
  readonly known?: KnownFiles
  /** Set by a history for the time of one call: what was found below the roots, once somebody has looked. */
  readonly look?: { found: readonly FoundRoot[] | null }
  /** Set by a hub: answers are about what was pushed, and about nothing else. */
  readonly pushed?: PushedFiles
}

/** A host that shows nothing and only collects what could not be read. */
export function silentHost(roots: readonly string[]): Host {
  return { roots, here: null, note: () => {}, progress: () => {}, unread: new Map(), fail: () => {} }
}

/** A host for one answer: the folders below the roots are listed at most once. */
export function lookingOnce(host: Host): Host {
  return { ...host, look: { found: null } }
}

/** A host for what was asked for by name: it is not narrowed to the project of the working directory. */
export function everywhere(host: Host): Host {
  return { ...host, here: null }
}
