/** What `graph --json` prints: the conversation graph without the contents of its entries. */
import type {
  AgentSource,
  AgentState,
  Fate,
  FileKind,
  ForkKind,
  ForkRule,
  LineKind,
  LineStatus,
  OperationKind,
  Severity,
  SpawnEvidence,
  TypedEdgeKind,
  WorkflowState,
} from '@dagline/core'
import type { ContinuedJson } from './shared.js'

/** The conversation graph; with `--summary` only `totals`, and diagnostics counted by rule. */
export interface GraphJson {
  /** Transcripts and journals. */
  readonly files?: readonly FileJson[]
  /** Sessions, each after the one that it continues. */
  readonly sessions?: readonly GraphSessionJson[]
  /** Trunks, branches and subagents. */
  readonly lines?: readonly LineJson[]
  /** Entries that are copies of others. */
  readonly folded?: readonly FoldedJson[]
  /** Entries that several others continue. */
  readonly forks?: readonly ForkJson[]
  /** By transcript: the entries that its next request would carry, in the order of sending. */
  readonly live?: Readonly<Record<string, readonly string[]>>
  /** Subagents. */
  readonly agents?: readonly AgentJson[]
  /** Compactions. */
  readonly epochs?: readonly EpochJson[]
  /** What happened to queued messages. */
  readonly queue?: readonly QueueStepJson[]
  /** What people did: compactions, rewinds, resumes, and so on. */
  readonly operations?: readonly OperationJson[]
  /** Runs of workflows. */
  readonly workflows?: readonly WorkflowJson[]
  /** Relations that are not parents, those between calls and results left out. */
  readonly edges?: readonly EdgeJson[]
  /** How calls and results match. */
  readonly tools?: {
    /** Tool calls. */
    readonly calls: number
    /** Tool results. */
    readonly results: number
    /** Calls without a result. */
    readonly unanswered: readonly ToolEndJson[]
    /** Results without a call. */
    readonly stray: readonly ToolEndJson[]
  }
  /** What is odd about the files; with `--summary` how often. */
  readonly diagnostics: readonly (DiagnosticJson | RuleCountJson)[]
  /** The sums. */
  readonly totals: TotalsJson
}

/** What became of rows. */
export interface RowCountsJson {
  /** The size in bytes. */
  readonly bytes: number
  /** Rows. `rows + joined = entries + blank + damaged + continuation`. */
  readonly rows: number
  /** Records. */
  readonly entries: number
  /** Rows with nothing. */
  readonly blank: number
  /** Rows that hold no record. */
  readonly damaged: number
  /** Rows that continue the record of the row before. */
  readonly continuation: number
  /** Records that share a row with another, counted without the first. */
  readonly joined: number
  /** Records that were read from damaged rows. */
  readonly pieces: number
}

/** A file with rows. */
export interface FileJson extends RowCountsJson {
  /** Its path below the root. */
  readonly path: string
  /** What it is. */
  readonly kind: FileKind
  /** The session that it is named after. */
  readonly session: string | null
  /** The subagent that it is named after. */
  readonly agent: string | null
}

/** A session of the graph. */
export interface GraphSessionJson {
  /** The session. */
  readonly id: string
  /** The folder of its project. */
  readonly project: string
  /** Its title. */
  readonly title: string | null
  /** The time of its first entry. */
  readonly first: string | null
  /** The time of its last entry. */
  readonly last: string | null
  /** Its files. */
  readonly files: readonly string[]
  /** What it continues. */
  readonly parent: ContinuedJson | null
}

/** A trunk, branch or subagent. */
export interface LineJson {
  /** Its id. */
  readonly id: string
  /** What it is. */
  readonly kind: LineKind
  /** The session that it belongs to. */
  readonly session: string | null
  /** The subagent that it belongs to. */
  readonly agent: string | null
  /** Where it leaves another line. */
  readonly parent: {
    /** The other line. */
    readonly line: string | null
    /** The entry. */
    readonly at: string
  } | null
  /** What became of it. */
  readonly status: LineStatus
  /** Its entries, in order. */
  readonly nodes: readonly string[]
}

/** A copy. */
export interface FoldedJson {
  /** The copy. */
  readonly node: string
  /** The entry that it copies. */
  readonly under: string
  /** Why it is one. */
  readonly why: string
}

/** An entry that several others continue. */
export interface ForkJson {
  /** The entry; null at the beginning. */
  readonly at: string | null
  /** The line that it is on. */
  readonly line: string | null
  /** What it is. */
  readonly kind: ForkKind
  /** The rule that says so. */
  readonly rule: ForkRule
  /** The entries that continue it. */
  readonly children: readonly string[]
  /** What was found. */
  readonly evidence: string
}

/** A subagent. */
export interface AgentJson {
  /** Its id. */
  readonly agent: string
  /** Its transcript; that of the session where it has none of its own. */
  readonly file: string | null
  /** Its name. */
  readonly name: string | null
  /** How deep it is, from 1. */
  readonly depth: number
  /** Its line. */
  readonly line: string | null
  /** How it ended. */
  readonly state: AgentState
  /** Where its conversation stands. */
  readonly source: AgentSource
  /** The call that started it. */
  readonly spawnedBy: {
    /** The id of the call. */
    readonly toolUse: string | null
    /** The entry with the call. */
    readonly node: string
    /** How that is known. */
    readonly evidence: SpawnEvidence
  } | null
}

/** A compaction. */
export interface EpochJson {
  /** The entry that marks it. */
  readonly boundary: string
  /** The line that it is on. */
  readonly line: string | null
  /** What started it: `auto`, `manual`. */
  readonly trigger: string | null
  /** Tokens before. */
  readonly preTokens: number | null
  /** Tokens after. */
  readonly postTokens: number | null
  /** How long it took. */
  readonly durationMs: number | null
  /** Entries that were kept. */
  readonly preserved: readonly string[]
  /** The summary. */
  readonly summary: string | null
}

/** A step of a queue of messages. */
export interface QueueStepJson {
  /** The transcript. */
  readonly file: string
  /** Its row, from 1. */
  readonly row: number
  /** What was done. */
  readonly operation: string
  /** What became of the message. */
  readonly became: Fate
  /** The entry that it became. */
  readonly node: string | null
}

/** Something that was done to a session. */
export interface OperationJson {
  /** What. */
  readonly kind: OperationKind
  /** The entry that shows it. */
  readonly node: string
  /** The session. */
  readonly session: string | null
  /** When. */
  readonly time: string | null
  /** It in words. */
  readonly label: string
}

/** A run of a workflow. */
export interface WorkflowJson {
  /** Its id. */
  readonly id: string
  /** The session that started it. */
  readonly session: string | null
  /** Its name. */
  readonly name: string | null
  /** What it was for. */
  readonly summary: string | null
  /** How it ended. */
  readonly state: WorkflowState
  /** The entry with the call. */
  readonly call: string | null
  /** How long it took. */
  readonly durationMs: number | null
  /** Its phases. */
  readonly phases: readonly {
    /** The title. */
    readonly title: string
    /** The subagents of the phase. */
    readonly agents: readonly {
      /** The subagent. */
      readonly agent: string
      /** What it was for. */
      readonly label: string | null
      /** Whether it returned a result. */
      readonly hasResult: boolean
    }[]
  }[]
}

/** A relation that is not a parent. */
export interface EdgeJson {
  /** What it is. */
  readonly kind: TypedEdgeKind
  /** The entry that names the other; null where a note does. */
  readonly from: string | null
  /** The transcript that has it. */
  readonly file: string
  /** Its row, from 1. */
  readonly row: number
  /** The other entry. */
  readonly to: string
}

/** A call or a result that is alone. */
export interface ToolEndJson {
  /** The id of the call. */
  readonly id: string
  /** The entry. */
  readonly node: string
}

/** Something odd about a file. */
export interface DiagnosticJson {
  /** The rule. */
  readonly rule: string
  /** How bad it is. */
  readonly severity: Severity
  /** The file. */
  readonly file: string
  /** The row, from 1. */
  readonly row: number | null
  /** The entry. */
  readonly node: string | null
  /** What was found. */
  readonly message: string
}

/** How many diagnostics a rule has. */
export interface RuleCountJson {
  /** The rule. */
  readonly rule: string
  /** How bad they are. */
  readonly severity: Severity
  /** How many. */
  readonly count: number
}

/** The sums of a graph. */
export interface TotalsJson extends RowCountsJson {
  /** Files. */
  readonly files: number
  /** Entries of the graph. `placed + folded = nodes`. */
  readonly nodes: number
  /** Entries that are on a line. */
  readonly placed: number
  /** Entries that are copies. */
  readonly folded: number
  /** Forks. */
  readonly forks: number
  /** Rewinds. */
  readonly rewinds: number
}
