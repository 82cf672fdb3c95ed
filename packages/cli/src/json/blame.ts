/** What `blame` and `commits` print with `--json`. */
import type { EditFate, OriginEvidence } from '@dagline/core/model'
import type { FromFiles } from './shared.js'

/** A file, line by line. */
export interface BlameJson extends FromFiles {
  /** The file. */
  readonly path: string
  /** `disk`: the file as it is; `sessions`: it is not there any more, and this is what sessions knew last. */
  readonly source: 'disk' | 'sessions'
  /** The lines that were asked for. */
  readonly lines: readonly BlamedLineJson[]
  /** The calls that changed the file, the first one first. */
  readonly edits: readonly BlamedEditJson[]
  /** Calls that failed or were denied. */
  readonly failed: number
  /** Commits of git that lines without a call come from. */
  readonly commits: readonly CommitJson[]
}

/** A line of a file. */
export interface BlamedLineJson {
  /** Its number, from 1. */
  readonly number: number
  /** Its text. */
  readonly text: string
  /** `edit`: a call wrote it; `outside`: no recorded call did; `undecided`: what is recorded does not tell. */
  readonly origin: 'edit' | 'outside' | 'undecided'
  /** The calls that wrote it, or may have, by their positions in `edits`, from 0. */
  readonly edits: readonly number[]
  /** How it is known that the call wrote it: the file before and after the call, the text that it replaced, or the text alone. */
  readonly evidence: OriginEvidence | null
  /** The same as a sentence. */
  readonly because: string
  /** For a line without a call: the time of the last known version without it. */
  readonly after: string | null
  /** For a line without a call: the time of the first known version with it. */
  readonly before: string | null
  /** For a line without a call: its commit by its position in `commits`, from 0. */
  readonly commit: number | null
}

/** A call that changed a file. */
export interface BlamedEditJson {
  /** What other commands take for it: the entry with the call. */
  readonly ref: string
  /** The session. */
  readonly session: string
  /** The title of the session. */
  readonly title: string | null
  /** The entry with the call. */
  readonly node: string
  /** The tool. */
  readonly tool: string
  /** The file, as the call spells it; another path where the file was renamed since, or is in another checkout. */
  readonly path: string
  /** When it was changed. */
  readonly time: string | null
  /** What a person typed at the beginning of the turn; for a subagent that of the turn that started it. */
  readonly prompt: BlamedPromptJson | null
  /** The subagent that made the call. */
  readonly agent: {
    /** Its id. */
    readonly id: string
    /** Its type. */
    readonly name: string
  } | null
  /** The line of the conversation that it is on. */
  readonly line: string | null
  /** What became of that line. */
  readonly status: string
  /** What became of the lines that the call wrote. */
  readonly fate: EditFate
  /** Lines that it wrote. */
  readonly written: number
  /** How many of them are in the file. */
  readonly present: number
}

/** A prompt behind lines. */
export interface BlamedPromptJson {
  /** Its entry. */
  readonly node: string
  /** When it was typed. */
  readonly time: string | null
  /** Its first words. */
  readonly text: string
  /** Which turn of its conversation it begins, from 1. */
  readonly turn: number
}

/** A commit of git. */
export interface CommitJson {
  /** Its hash. */
  readonly hash: string
  /** Its author. */
  readonly author: string
  /** When it was made. */
  readonly time: string | null
  /** The first line of its message. */
  readonly subject: string
}

/** Commits, and the sessions behind them. */
export interface CommitsJson extends FromFiles {
  /** The commits, the newest first. */
  readonly commits: readonly CommitSessionsJson[]
}

/** A commit, and the sessions behind it. */
export interface CommitSessionsJson extends CommitJson {
  /** Lines that it added. */
  readonly added: number
  /** Of these, lines that no recorded call wrote. */
  readonly outside: number
  /** Of these, lines of which it is not known whether a call wrote them. */
  readonly undecided: number
  /** Files that were not looked at: binary ones, those without added lines, and those beyond the first 300. */
  readonly skipped: number
  /** The sessions, those with the most lines first. */
  readonly sessions: readonly CommitSessionJson[]
}

/** A session behind a commit. */
export interface CommitSessionJson {
  /** What other commands take for it: the session. */
  readonly ref: string
  /** The session. */
  readonly session: string
  /** Its title. */
  readonly title: string | null
  /** Lines of the commit that its calls wrote. */
  readonly lines: number
  /** The files that they are in. */
  readonly files: readonly string[]
  /** The prompts behind them. */
  readonly prompts: readonly CommitPromptJson[]
  /** The entry with the call that made the commit; null where the session did not make it. */
  readonly committed: string | null
}

/** A prompt behind lines of a commit. */
export interface CommitPromptJson extends BlamedPromptJson {
  /** Lines of the commit that came from its turn. */
  readonly lines: number
}
