/** What lists of subagents, branches, files and prompts print with `--json`. */
import type { LineStatus } from '@dagline/core'
import type { WasteKind } from '@dagline/core/waste'
import type { FromFiles, LabelledJson } from './shared.js'

/** The session of a row. */
export interface OfSessionJson {
  /** The session. */
  readonly session: string
  /** The folder of its project, below the root. */
  readonly project: string
  /** The directory that the session was last in. */
  readonly cwd: string | null
  /** The title of the session. */
  readonly title: string | null
}

/** Subagents. */
export interface AgentsJson extends FromFiles {
  /** The subagents, and calls that left no conversation; the newest first. */
  readonly agents: readonly ListedAgentJson[]
}

/** A subagent. */
export interface ListedAgentJson extends OfSessionJson {
  /** What other commands take for it: its line, or the entry with its call. */
  readonly ref: string | null
  /** Its id; null where the call left no conversation. */
  readonly agent: string | null
  /** Its line; null where the call left no conversation. */
  readonly line: string | null
  /** Its first entry, or the entry with its call. */
  readonly node: string | null
  /** Its type. */
  readonly type: string
  /** What it was for: the beginning of its description or prompt. */
  readonly description: string | null
  /** How far it came; `missing` where the call left no conversation. */
  readonly state: 'complete' | 'incomplete' | 'orphaned' | 'warmup' | 'empty' | 'missing'
  /** 1 for a subagent of the session itself. */
  readonly depth: number
  /** When it was called. */
  readonly first: string | null
  /** The time of its last entry. */
  readonly last: string | null
  /** Prompts that it got. */
  readonly turns: number
  /** Its tool calls. */
  readonly tools: number
  /** Tool calls and requests that failed. */
  readonly errors: number
  /** How long it worked, in milliseconds. */
  readonly duration: number | null
  /** All tokens of its messages. */
  readonly tokens: number
  /** What they cost, in USD; null where no price is known. */
  readonly costUSD: number | null
}

/** A branch that was abandoned. */
export interface AbandonedBranchJson extends OfSessionJson, LabelledJson {
  /** What other commands take for it: its line. */
  readonly ref: string
  /** Its line. */
  readonly line: string
  /** The subagent whose branch it is. */
  readonly agent: string | null
  /** What became of it. */
  readonly status: LineStatus
  /** What kind of fork it begins at. */
  readonly kind: string | null
  /** The entry before the fork. */
  readonly at: string | null
  /** The time of its first entry. */
  readonly first: string | null
  /** The time of its last entry. */
  readonly last: string | null
  /** Its messages. */
  readonly messages: number
  /** The beginning of its first prompt. */
  readonly prompt: string | null
  /** The beginning of the first prompt of what replaced it. */
  readonly instead: string | null
  /** All tokens of its messages, those of subagents included. */
  readonly tokens: number
  /** What they cost, in USD; null where no price is known. */
  readonly costUSD: number | null
}

/** Files that tool calls name. */
export interface FilesJson extends FromFiles {
  /** The files, the last touched first. */
  readonly files: readonly TouchedFileJson[]
}

/** A file that tool calls name. */
export interface TouchedFileJson {
  /** Its path, as calls spell it. */
  readonly path: string
  /** The folder of the project of the last session that touched it. */
  readonly project: string
  /** The directory of that session. */
  readonly cwd: string | null
  /** How often it was read. */
  readonly reads: number
  /** How often it was edited. */
  readonly edits: number
  /** How often it was written as a whole. */
  readonly writes: number
  /** Calls of other tools that name it. */
  readonly others: number
  /** Of all these, calls in the main conversation. */
  readonly main: number
  /** Of all these, calls of subagents. */
  readonly subagents: number
  /** The sessions that touched it, the last one first. */
  readonly sessions: readonly string[]
  /** The time of the first call. */
  readonly first: string | null
  /** The time of the last call. */
  readonly last: string | null
}

/** What was typed. */
export interface PromptsJson extends FromFiles {
  /** The prompts, the newest first. */
  readonly prompts: readonly PromptJson[]
}

/** Something that was typed. */
export interface PromptJson extends OfSessionJson {
  /** What other commands take for it: its entry. */
  readonly ref: string | null
  /** Its entry; null for queued text that never arrived. */
  readonly node: string | null
  /** When it was typed. */
  readonly time: string | null
  /** All of its text. */
  readonly text: string
  /** `live`: the next request carries it; `kept`: it is on a live branch; `lost`, `recalled`: queued text that never arrived. */
  readonly state: 'live' | 'kept' | 'abandoned' | 'lost' | 'recalled'
}

/** The sessions that are running. */
export interface NowJson extends FromFiles {
  /** Those that wait for the user first, then by state. */
  readonly sessions: readonly RunningSessionJson[]
}

/** A session whose process is running. */
export interface RunningSessionJson extends OfSessionJson {
  /** What it is doing; `waiting` for a permission or an answer, `idle` for the next prompt. */
  readonly state: 'waiting' | 'failed' | 'working' | 'idle'
  /** The same in a few words. */
  readonly doing: string
  /** How that is known: from the record of its process, or from the end of its transcript. */
  readonly evidence: 'process' | 'transcript'
  /** Since when. */
  readonly since: string | null
  /** Its process. */
  readonly pid: number | null
  /** Tokens of the last request and its answer. */
  readonly context: number | null
  /** What its messages of today cost, in USD. */
  readonly costTodayUSD: number | null
  /** What all its messages cost, in USD. */
  readonly costUSD: number | null
  /** Subagents at work. */
  readonly agents: readonly RunningAgentJson[]
  /** Prompts that wait until the turn ends. */
  readonly queued: readonly string[]
}

/** A subagent at work. */
export interface RunningAgentJson {
  /** Its id. */
  readonly agent: string
  /** Its type. */
  readonly name: string
  /** What it is for. */
  readonly description: string | null
  /** What it is doing, in a few words. */
  readonly doing: string
}

/** The answer to a query; with `--list`, the built-in queries; without a query, or with the name of a table, tables. */
export interface SqlJson {
  /** The columns of the answer. */
  readonly columns?: readonly {
    /** The name. */
    readonly name: string
    /** The type, as DuckDB names it. */
    readonly type: string
  }[]
  /** The rows of the answer: values by the names of the columns. */
  readonly rows?: readonly Readonly<Record<string, string | number | boolean | null>>[]
  /** With `--out`: the file. */
  readonly written?: {
    /** The path. */
    readonly path: string
    /** The size. */
    readonly bytes: number
  }
  /** With `--list`: the built-in queries. */
  readonly queries?: readonly {
    /** The name, without the @. */
    readonly name: string
    /** The question that it answers. */
    readonly about: string
    /** The query. */
    readonly sql: string
  }[]
  /** Without a query: the tables. */
  readonly tables?: readonly {
    /** The name. */
    readonly name: string
    /** What a row stands for. */
    readonly about: string
    /** The columns. */
    readonly columns: readonly {
      /** The name. */
      readonly name: string
      /** What it holds. */
      readonly type: 'text' | 'integer' | 'double' | 'boolean' | 'time'
      /** What it means. */
      readonly about: string
    }[]
  }[]
}

/** What was tried, and how it ended. */
export interface LessonsJson extends FromFiles {
  /** The lessons, the newest first. */
  readonly lessons: readonly LessonJson[]
}

/** Something that was tried. */
export interface LessonJson {
  /** What it was: a turn that a rewind abandoned, an edit that was undone, or a command that failed. */
  readonly kind: 'rewind' | 'edit' | 'command'
  /** How it ended; `open` where the transcript does not tell. */
  readonly outcome: 'rejected' | 'solved' | 'open'
  /** The session. */
  readonly session: string
  /** The folder of its project, below the root. */
  readonly project: string
  /** The beginning of the prompt. */
  readonly asked: string | null
  /** What was tried, in a few words each. */
  readonly tried: readonly string[]
  /** How it ended, in one sentence. */
  readonly ended: string
  /** What shows it: branches and entries, as other commands take them. */
  readonly refs: readonly string[]
  /** When it ended. */
  readonly time: string | null
}

/** What was paid for in vain, or for longer than needed. */
export interface WasteJson extends FromFiles {
  /** The most expensive first. */
  readonly waste: readonly WasteItemJson[]
  /** The kinds of which there is some, the most expensive first. */
  readonly kinds: readonly WasteKindJson[]
  /** Everything that was found, of all kinds: each token counts once. */
  readonly wasted: WasteSumJson
  /** What `dagline usage` counts for the same options. */
  readonly used: WasteSumJson & {
    /** API messages. */
    readonly messages: number
  }
}

/** Tokens and what they cost. */
export interface WasteSumJson {
  /** All tokens, cached or not. */
  readonly tokens: number
  /** What they cost, in USD; null where no price is known. */
  readonly costUSD: number | null
}

/** All waste of one kind. */
export interface WasteKindJson extends WasteSumJson {
  /** The kind. */
  readonly kind: WasteKind
  /** How often it was found. */
  readonly count: number
  /** What would avoid it. */
  readonly avoid: string
}

/** Something that was wasted. */
export interface WasteItemJson extends WasteSumJson {
  /** What it was; a token counts for one kind only. */
  readonly kind: WasteKind
  /** The session. */
  readonly session: string
  /** What it was about: the beginning of a prompt, or a tool call. */
  readonly what: string
  /** What happened, in one sentence. */
  readonly why: string
  /** What shows it: branches and entries, as other commands take them. */
  readonly refs: readonly string[]
  /** When it happened, or began. */
  readonly time: string | null
  /** Every message that the sum is made of. */
  readonly shares: readonly {
    /** `message.id`. */
    readonly message: string
    /** Its first entry. */
    readonly ref: string
    /** The tokens that count here. */
    readonly tokens: number
    /** What they cost, in USD; null where the price is not known. */
    readonly costUSD: number | null
  }[]
}
