/** What commands that show one session print with `--json`. */
import type { ForkKind, ForkRule, LineStatus } from '@dagline/core'
import type { AbandonedBranchJson } from './lists.js'
import type { ContinuedJson, FromFiles, LabelledJson } from './shared.js'

/** The conversation, row by row. */
export interface LogJson extends LabelledJson, FromFiles {
  /** The session. */
  readonly session: string
  /** With `--tree`: the sessions of the tree, depth first. */
  readonly sessions?: readonly LoggedSessionJson[]
  /** The rows, from top to bottom. */
  readonly rows: readonly LogRowJson[]
  /** What is not shown. */
  readonly left: {
    /** Branches that are folded. */
    readonly branches: number
    /** Subagents that are folded. */
    readonly agents: number
    /** Hooks, attachments and notes that are left out. */
    readonly structural: number
  }
  /** With `--all`: what happened to queued messages. */
  readonly queue?: readonly QueueEventJson[]
}

/** A session of a tree. */
export interface LoggedSessionJson extends LabelledJson {
  /** The session. */
  readonly session: string
  /** Its title. */
  readonly title: string | null
  /** How many sessions it is below the first. */
  readonly depth: number
  /** What it continues. */
  readonly parent: ContinuedJson | null
}

/** A row of a conversation: an entry, or a branch or subagent that is folded into one row. */
export interface LogRowJson extends LabelledJson {
  /** In `log --tree` and `tail`: the session of the row. */
  readonly session?: string
  /** The entry. */
  readonly node: string
  /** The entry of the row that this one is drawn under; in `tail` the parent of the entry. */
  readonly parent: string | null
  /** The line that the entry is on: trunk, branch or subagent. */
  readonly line: string | null
  /** The column that it is drawn in, from 0; null where nothing is drawn. */
  readonly lane: number | null
  /** How deep in subagents it is, from 0. */
  readonly depth: number
  /** Who it is from: `Human`, `Claude`, a tool, a subagent. */
  readonly actor: string
  /** What it is: `prompt`, `text`, `call`, `result`, and so on; `branch` and `agent` where a whole line is folded. */
  readonly kind: string
  /** When it was written. */
  readonly time: string | null
  /** Whether the next request would carry it. */
  readonly live: boolean
  /** Its first words. */
  readonly text: string
  /** How many messages are folded into the row. */
  readonly folded?: number
  /** In `tail`: the subagent that the entry belongs to. */
  readonly agent?: string | null
}

/** A step of the queue of messages. */
export interface QueueEventJson {
  /** What happened. */
  readonly kind: string
  /** When. */
  readonly time: string | null
  /** The transcript that tells. */
  readonly file: string
  /** Its row, from 1. */
  readonly row: number
  /** The message, and what became of it. */
  readonly text: string
}

/** One object for each row and event, each on a line of its own. */
export type TailJson = LogRowJson | TailEventJson

/** Something that happened to a session while it was followed. */
export interface TailEventJson extends Partial<Omit<LogRowJson, 'session' | 'text'>> {
  /** The session. */
  readonly session: string
  /** `agent-start`, `agent-end`, `rewind`, `two-writers`, `compaction`, `queued`, `recalled` or `lost`. */
  readonly event: string
  /** The event in words. */
  readonly text: string
  /** The branches that a rewind left. */
  readonly left?: readonly string[]
}

/** One message with all of its parts. */
export interface ShowJson {
  /** The id that the API gave the message. */
  readonly message: string | null
  /** Its parts, calls with their results. */
  readonly parts: readonly ShownPartJson[]
}

/** An entry of a message. */
export interface ShownPartJson extends LabelledJson {
  /** The entry. */
  readonly node: string
  /** The transcript that it is in. */
  readonly file: string
  /** Its row, from 1. */
  readonly row: number
  /** `user`, `assistant`, `system`, and so on. */
  readonly kind: string
  /** What it is: `prompt`, `command`, `result`, and so on. */
  readonly type: string
  /** Who it is from. */
  readonly actor: string
  /** The record, as it was written. */
  readonly record: unknown
}

/** Why dagline shows an entry as it does. */
export interface ExplainJson extends LabelledJson {
  /** The entry. */
  readonly node: string
  /** The transcript that it is in. */
  readonly file: string
  /** Its row, from 1. */
  readonly row: number
  /** Its parent, as it was written. */
  readonly parent: string | null
  /** The line that it is on. */
  readonly line: string | null
  /** Whether the next request would carry it. */
  readonly live: boolean
  /** The rules that applied, with what they found. */
  readonly because: readonly {
    /** The rule, as docs/SPEC.md has it. */
    readonly rule: string
    /** What was found. */
    readonly evidence: string
  }[]
}

/** The forks of a session, or the abandoned branches of all. */
export interface BranchesJson extends FromFiles {
  /** The session that was given. */
  readonly session?: string
  /** The forks of the session: rewinds and two writers, with `--all` all of them. */
  readonly forks?: readonly BranchForkJson[]
  /** Without a session: the branches of all that were abandoned, the newest first. */
  readonly branches?: readonly AbandonedBranchJson[]
}

/** A fork: an entry that several others continue. */
export interface BranchForkJson {
  /** The entry before the fork; null at the beginning. */
  readonly at: string | null
  /** The line that the fork is on. */
  readonly line: string | null
  /** What it is. */
  readonly kind: ForkKind
  /** The rule that says so. */
  readonly rule: ForkRule
  /** What continues it. */
  readonly children: readonly ForkSideJson[]
  /** What was found. */
  readonly evidence: string
}

/** One way of a fork. */
export interface ForkSideJson extends LabelledJson {
  /** Its first entry. */
  readonly node: string
  /** The line that it is on. */
  readonly line: string
  /** What became of the line. */
  readonly status: LineStatus
  /** Its entries. */
  readonly nodes: number
  /** The first words of its first prompt. */
  readonly prompt: string | null
  /** When it began. */
  readonly first: string | null
  /** When it ended. */
  readonly last: string | null
  /** When its prompt was typed. */
  readonly asked: string | null
  /** Its messages. */
  readonly messages: number
  /** What it cost in USD, with its subagents; null where it is not a branch or no price is known. */
  readonly costUSD: number | null
}

/** What happened to a session, by time. */
export interface TimelineJson {
  /** The session. */
  readonly session: string
  /** Its events. */
  readonly events: readonly TimelineEventJson[]
}

/** An event of a session. */
export interface TimelineEventJson extends QueueEventJson {
  /** The entry that shows it. */
  readonly node: string | null
}
