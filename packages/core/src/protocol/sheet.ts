/**
 * A session for the page: a sheet with all of its rows in one order, without contents. The page folds, filters and draws
 * it (`foldSheet`, `layOutLanes`), and loads the contents of the rows it shows. An exported file holds the same sheet.
 *
 *   Sheet
 *     session      its title and origin
 *     lines        trunk, branches, agents; rows name theirs by number
 *     rows         columns, one place per row, from top to bottom
 *     forks, epochs, junctions, queue, diagnostics   what happens at some rows
 */
import type { Severity } from '../model/diagnostic.js'

/** Kinds of rows. Replies hold their numbers, so the order must not change within a release. */
export const ROW_KINDS = [
  'prompt',
  'text',
  'thinking',
  'call',
  'result',
  'summary',
  'compaction',
  'command',
  'output',
  'interrupt',
  'notification',
  'queued',
  'error',
  'system',
  'attachment',
  'progress',
  'meta',
  'caveat',
  'other',
] as const
/** The kind of a row. */
export type RowKind = (typeof ROW_KINDS)[number]

/** How a row is connected to the row above it that decides its lane; see `EdgeKind`. */
export const EDGE_KINDS = ['none', 'line', 'branch', 'spawn'] as const

/** Bits of `SheetRows.marks`. */
export const ROW_MARKS = {
  /** The next request carries it: that of the sheet's session, or of the agent whose row it is. */
  live: 1,
  /** A compaction, drawn as a line across. */
  landmark: 2,
  /** A call that failed or was denied, or an API error. */
  failed: 4,
  /** It holds text of Claude. */
  speaks: 8,
  /** It holds calls. */
  calls: 16,
  /** A root beside the main conversation. */
  aside: 32,
  /** A later compaction removed it from what the model has. */
  compacted: 64,
  /** It begins a message: one that was typed, or a message of the assistant, counted once on its line. */
  message: 128,
  /** S6: it begins a turn: a prompt, or a command that the model answered. */
  turn: 256,
} as const

/** The rows as columns of equal length. Distances count rows upwards; 0 is none. */
export interface SheetRows {
  readonly node: readonly string[]
  /** Index into `Sheet.lines`. */
  readonly line: readonly number[]
  /** Index into `ROW_KINDS`. */
  readonly kind: readonly number[]
  /** Sum of `ROW_MARKS`. */
  readonly marks: readonly number[]
  /** Milliseconds since 1970; null where it is not dated. */
  readonly time: readonly (number | null)[]
  /** Index into `Sheet.names`: who speaks. */
  readonly actor: readonly number[]
  /** Index into `Sheet.names`: the tool, or the subtype of system rows, attachments and progress; -1 for none. */
  readonly name: readonly number[]
  /** Distance to the row that decides its lane. */
  readonly up: readonly number[]
  /** Index into `EDGE_KINDS`: how it is connected to that row. */
  readonly edge: readonly number[]
  /** Distance to the call that a result is shown with; such a result has no row of its own. See `Sheet.late`. */
  readonly joins: readonly number[]
  /** Bytes of the record. */
  readonly size: readonly number[]
}

/** A trunk, a branch or an agent. */
export interface SheetLine {
  readonly id: string
  readonly kind: 'trunk' | 'branch' | 'agent'
  /** Its status in the sheet's session: shared history is live there, whatever its status in its own session. */
  readonly status: 'live' | 'abandoned' | 'taken-back' | 'retry' | 'copy'
  /** Its first row; -1 where it has none. */
  readonly head: number
  /** The row that it leaves, or that spawned it; -1 for none. */
  readonly at: number
  /** The line that row is on; -1 for none. */
  readonly parent: number
  /** L12: the line by which it goes on at its last fork; -1 where it ends by itself. */
  readonly next: number
  /** Number of agents around it. */
  readonly depth: number
  /** In USD, of the messages on it with a known price; null where there are none. */
  readonly cost: number | null
  readonly tokens: number
  readonly agent: SheetAgent | null
  /** History that the session shares with the one it comes from: what its next request carries of another session. */
  readonly isShared: boolean
  /** The first words of it. */
  readonly words: string | null
}

/** A subagent of the session. */
export interface SheetAgent {
  readonly id: string
  readonly name: string
  readonly state: 'complete' | 'incomplete' | 'orphaned' | 'warmup' | 'empty'
  /** Where its messages were read. */
  readonly source: 'file' | 'sidechain' | 'progress'
  /** How its call was found. */
  readonly evidence: string | null
  /** A6: its step in a workflow run: `lab: One, wfa`. */
  readonly step: string | null
}

/** The label of a subagent without a file: its messages were read from the progress rows of its session. */
export const FROM_PROGRESS = 'from progress rows'

/** S8: the note on a session whose own transcript is gone. */
export const AGENTS_ONLY = 'Only subagents are left of this session: its transcript is gone.'

/** A fork with branches that can be chosen. */
export interface SheetFork {
  /** The last row before the branches part; -1 at the beginning of the session. */
  readonly row: number
  readonly kind: string
  readonly rule: string
  readonly evidence: string
  /** Indexes of lines, in the order of writing; -1 for the line of the row itself, which continues. */
  readonly branches: readonly number[]
}

/** A compaction of the session. */
export interface SheetEpoch {
  readonly row: number
  readonly label: string
  readonly trigger: string | null
  readonly preTokens: number | null
  readonly postTokens: number | null
  readonly durationMs: number | null
  /** C4: it has no summary, and removed nothing. */
  readonly isUnfinished: boolean
  /** Messages before it that the model no longer has, and the rows that it kept. */
  readonly dropped: number
  readonly kept: readonly number[]
  /** The row of its summary; -1 for none. */
  readonly summary: number
}

/** Another session that continues from a row. */
export interface SheetJunction {
  /** Where an export leaves the row out: the next one above it. */
  readonly row: number
  /** The uuid that the session continues from. */
  readonly node: string
  readonly session: string
  readonly title: string | null
  readonly how: string
}

/** Queued input that never arrived. */
export interface SheetQueued {
  /** The row it was queued after; -1 before all. */
  readonly row: number
  readonly time: number | null
  readonly became: 'lost' | 'recalled'
  readonly words: string
}

/** A diagnostic of the session. */
export interface SheetDiagnostic {
  /** -1 for none in particular. */
  readonly row: number
  readonly rule: string
  readonly severity: Severity
  readonly message: string
}

/** What is known of the session as a whole. */
export interface SheetSession {
  readonly id: string
  readonly project: string
  readonly cwd: string | null
  readonly title: string | null
  readonly file: string | null
  readonly first: number | null
  readonly last: number | null
  readonly archivedOnly: boolean
  readonly parent: {
    readonly session: string
    readonly node: string
    readonly how: string
    readonly title: string | null
  } | null
}

/** A session as the page gets it: rows in columns, lines, forks, subagents, compactions. */
export interface Sheet {
  readonly dagline: 1
  /** Changes whenever the sheet does. */
  readonly version: string
  readonly session: SheetSession
  readonly names: readonly string[]
  readonly lines: readonly SheetLine[]
  readonly rows: SheetRows
  /** The rows that the next request of the session carries, in the order of sending. */
  readonly live: readonly number[]
  /** An agent's last row, joined to the row that has its result: `[row of the result, last row of the agent]`. */
  readonly returns: readonly (readonly [number, number])[]
  /**
   * T4: results that came after the assistant had gone on: they have rows of their own.
   * `[row of the result, row of its call]`.
   */
  readonly late: readonly (readonly [number, number])[]
  /** The first words of prompts and commands: `[row, words]`. */
  readonly words: readonly (readonly [number, string])[]
  /** What turns cost in USD, their agents included: `[row of the prompt, cost]`; those without a known price are not there. */
  readonly turns: readonly (readonly [number, number])[]
  /** Other uuids that lead to a row: copies that are folded into it. `[row, uuid]`. */
  readonly also: readonly (readonly [number, string])[]
  readonly forks: readonly SheetFork[]
  readonly epochs: readonly SheetEpoch[]
  readonly junctions: readonly SheetJunction[]
  readonly queue: readonly SheetQueued[]
  readonly diagnostics: readonly SheetDiagnostic[]
}
