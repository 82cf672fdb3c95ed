/** Who wrote the lines of files and commits. Times are milliseconds. */
import type { EditFate, OriginEvidence } from '../model/file-change.js'

/** A call of a session that changed a file. */
export interface BlamedEdit {
  readonly session: string
  readonly title: string | null
  /** The entry with the call. */
  readonly node: string
  readonly tool: string
  /** The file, as the call spells it: another one where it was renamed since, or is in another checkout. */
  readonly path: string
  /** When the result was written. */
  readonly time: number | null
  readonly prompt: BlamedPrompt | null
  readonly agent: BlamedAgent | null
  /** The branch or line that the call is on, and what became of it. */
  readonly line: string | null
  readonly status: string
  readonly fate: EditFate
  /** Lines that it wrote, and how many of them are in the file. */
  readonly written: number
  readonly present: number
}

/** What a person typed at the beginning of the turn in which a call was made; null where that is not known. */
export interface BlamedPrompt {
  readonly node: string
  readonly time: number | null
  /** Its first words. */
  readonly text: string
  /** Which turn of its conversation it begins; from 1. */
  readonly turn: number
}

/** The subagent that made a call. */
export interface BlamedAgent {
  readonly id: string
  /** Its type. */
  readonly name: string
}

/** A line of a file. */
export interface BlamedLine {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** `edit`: a call wrote it; `outside`: no recorded call did; `undecided`: what is recorded does not tell. */
  readonly origin: 'edit' | 'outside' | 'undecided'
  /** The calls that wrote it, or may have, by their numbers in `edits`. */
  readonly edits: readonly number[]
  /** How it is known that the call wrote it; null for other lines. */
  readonly evidence: OriginEvidence | null
  /** For a line that no call wrote: the times of the known versions that it appeared between. */
  readonly after: number | null
  readonly before: number | null
  /** For such a line: the commit that git names, by its number in `commits`; null where it is not committed. */
  readonly commit: number | null
}

/** A commit of git. */
export interface BlamedCommit {
  readonly hash: string
  readonly author: string
  readonly time: number | null
  readonly subject: string
}

/** A file, line by line. */
export interface BlamedFile {
  /** Its absolute path. */
  readonly path: string
  /** `disk`: the file as it is; `sessions`: it is not there any more, and its content is what sessions knew last. */
  readonly source: 'disk' | 'sessions'
  readonly lines: readonly BlamedLine[]
  /** The calls that changed it, the first one first. */
  readonly edits: readonly BlamedEdit[]
  /** Calls that failed or were denied. */
  readonly failed: number
  readonly commits: readonly BlamedCommit[]
}

/** A commit, and the sessions behind it. */
export interface CommitSessions extends BlamedCommit {
  /** Lines that it added: all of them, those that no recorded call wrote, and those of which it is not known. */
  readonly added: number
  readonly outside: number
  readonly undecided: number
  /** Files that are too large or have no text, and were not looked at. */
  readonly skipped: number
  /** Those with the most lines first. */
  readonly sessions: readonly CommitSession[]
}

/** A session behind a commit. */
export interface CommitSession {
  readonly session: string
  readonly title: string | null
  /** Lines of the commit that its calls wrote. */
  readonly lines: number
  readonly files: readonly string[]
  /** The prompts that led to them, and how many lines each. */
  readonly prompts: readonly (BlamedPrompt & { readonly lines: number })[]
  /** The call that made the commit, by its output; null where this session did not. */
  readonly committed: string | null
}
