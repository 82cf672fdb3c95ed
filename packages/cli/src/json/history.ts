/** What commands that look at many sessions print with `--json`. */
import type { LineStatus, Severity } from '@dagline/core'
import type { ContinuedJson, DurationJson, FromFiles, LabelledJson, UsageJson } from './shared.js'

/** All sessions. */
export interface LsJson extends FromFiles {
  /** The sessions, by project, the newest first. */
  readonly sessions: readonly SessionJson[]
}

/** A session of a list. */
export interface SessionJson extends LabelledJson {
  /** The session. */
  readonly session: string
  /** The folder of its project, below the root. */
  readonly project: string
  /** The directory that it was last in. */
  readonly cwd: string | null
  /** Its title. */
  readonly title: string | null
  /** Its transcript, below the root. */
  readonly file: string | null
  /** The time of its first entry. */
  readonly first: string | null
  /** The time of its last entry. */
  readonly last: string | null
  /** Its turns: prompts, and commands that led to an answer. */
  readonly turns: number
  /** Its branches. */
  readonly branches: number
  /** Subagents that have a conversation. */
  readonly agents: number
  /** Its compactions. */
  readonly compactions: number
  /** The size of its files. */
  readonly bytes: number
  /** Whether only the archive has it. */
  readonly archivedOnly: boolean
  /** Faults that have an effect on a resume, or could have. */
  readonly problems: number
  /** Subagents that were called and left no conversation. */
  readonly called?: number
  /** With `--hub`: the person whose it is. */
  readonly person?: string
}

/** Sessions, and what continues them. */
export interface TreeJson extends FromFiles {
  /** The sessions, depth first. */
  readonly sessions: readonly TreeSessionJson[]
}

/** A session of a tree. */
export interface TreeSessionJson extends LabelledJson {
  /** The session. */
  readonly session: string
  /** The folder of its project. */
  readonly project: string
  /** Its title. */
  readonly title: string | null
  /** The time of its first entry. */
  readonly first: string | null
  /** The time of its last entry. */
  readonly last: string | null
  /** Its turns. */
  readonly turns: number
  /** Whether it began with `/clear`. */
  readonly cleared: boolean
  /** How many sessions it is below the first. */
  readonly depth: number
  /** What it continues. */
  readonly parent: ContinuedJson | null
}

/** Texts that a search found. */
export interface SearchJson {
  /** How many texts match, those that are not listed included. */
  readonly total: number
  /** Whether all texts were searched. */
  readonly complete: boolean
  /** What a second try did, in words. */
  readonly note: string | null
  /** Words that nothing has, and what was searched for instead. */
  readonly replaced: readonly {
    /** What was typed. */
    readonly typed: string
    /** `parts`: words that contain it; `closest`: words that are written nearly so; `apart`: its words, not in sequence. */
    readonly kind: 'parts' | 'closest' | 'apart'
    /** What was searched for, the most frequent first. */
    readonly searched: readonly string[]
  }[]
  /** Why texts were skipped. */
  readonly warning: string | null
  /** Files that are not in the index and were read. */
  readonly scanned?: {
    /** How many were read. */
    readonly files: number
    /** How many there are. */
    readonly of: number
  }
  /** The best matches. */
  readonly hits?: readonly HitJson[]
  /** With `--sessions`: the sessions that have matches. */
  readonly sessions?: readonly FoundSessionJson[]
}

/** A session with matches. */
export interface FoundSessionJson {
  /** The session. */
  readonly session: string | null
  /** The folder of its project. */
  readonly project: string
  /** The directory that it was last in. */
  readonly cwd: string | null
  /** Its title. */
  readonly title: string | null
  /** How many texts of it match. */
  readonly matches: number
  /** The time of the last of them. */
  readonly last: string | null
}

/** A text that was found. */
export interface HitJson extends LabelledJson {
  /** The entry. */
  readonly node: string | null
  /** Its session. */
  readonly session: string | null
  /** The folder of its project. */
  readonly project: string
  /** The transcript that it is in. */
  readonly file: string
  /** Its row, from 1. */
  readonly row: number
  /** When it was written. */
  readonly time: string | null
  /** Who it is from. */
  readonly actor: string
  /** The tool that was called. */
  readonly tool: string | null
  /** Which part of the entry it is. */
  readonly field: string
  /** The text around the first match. */
  readonly snippet: string
  /** Where the matches are in the snippet, as pairs of positions. */
  readonly marks: readonly (readonly number[])[]
  /** False where the text was found without the index: its labels are not known. */
  readonly indexed?: boolean
  /** Where it is in the conversation. */
  readonly label: HitLabelJson
  /** With `--context`: what was said and called before it. */
  readonly before?: readonly AroundHitJson[]
  /** With `--context`: what was said and called after it. */
  readonly after?: readonly AroundHitJson[]
}

/** A text beside one that was found. */
export interface AroundHitJson {
  /** The entry. */
  readonly node: string | null
  /** When it was written. */
  readonly time: string | null
  /** Who it is from. */
  readonly actor: string
  /** The tool that was called. */
  readonly tool: string | null
  /** Which part of the entry it is. */
  readonly field: string
  /** Its first words. */
  readonly snippet: string
}

/** Where a text is in the conversation; null where that is not known. */
export interface HitLabelJson extends LabelledJson {
  /** Whether the next request would carry it. */
  readonly live: boolean | null
  /** The branch that it is on. */
  readonly branch: string | null
  /** The name or id of the subagent that it belongs to. */
  readonly agent: string | null
  /** Whether a compaction came after it. */
  readonly epoch: boolean | number | null
  /** What became of it, where it was queued. */
  readonly queue: string | null
  /** What became of its branch. */
  readonly status: LineStatus | null
  /** Whether only the archive has it. */
  readonly archived: boolean | null
}

/** Tokens and cost. With the name of a report (`daily`, `blocks` and so on), fields that ccusage has are added. */
export interface UsageReportJson {
  /** What a row stands for. */
  readonly by: string
  /** The sums over all rows. */
  readonly totals: UsageTotalsJson
  /** The sums over everything, where only abandoned branches were counted. */
  readonly whole?: UsageTotalsJson
  /** The rows. */
  readonly rows: readonly UsageRowJson[]
  /** Models without a known price. */
  readonly unknownModels: readonly string[]
  /** What was used of them. */
  readonly unpriced: readonly UsageRowJson[]
  /** Messages of which only the first count of tokens is written. */
  readonly undercounted: {
    /** How many. */
    readonly messages: number
    /** Why. */
    readonly why: string
    /** Their output tokens, as written. */
    readonly output: number
    /** Output tokens that are missing at least. */
    readonly missingOutput: number
  }
  /** The day of the prices. */
  readonly pricesAsOf: string
  /** `usage daily`: days, with the names of ccusage. */
  readonly daily?: readonly Readonly<Record<string, unknown>>[]
  /** `usage weekly`: the same for weeks. */
  readonly weekly?: readonly Readonly<Record<string, unknown>>[]
  /** `usage monthly`: the same for months. */
  readonly monthly?: readonly Readonly<Record<string, unknown>>[]
  /** `usage session`: the same for sessions. */
  readonly sessions?: readonly Readonly<Record<string, unknown>>[]
  /** `usage blocks`: the same for windows of five hours. */
  readonly blocks?: readonly Readonly<Record<string, unknown>>[]
}

/** Sums of API messages. */
export interface UsageTotalsJson extends UsageJson {
  /** Searches of the web. */
  readonly webSearches: number
  /** As ccusage: `input`. */
  readonly inputTokens?: number
  /** As ccusage: `output`. */
  readonly outputTokens?: number
  /** As ccusage: what was written to the cache. */
  readonly cacheCreationTokens?: number
  /** As ccusage: `cacheRead`. */
  readonly cacheReadTokens?: number
  /** As ccusage: all tokens. */
  readonly totalTokens?: number
  /** As ccusage: `costUSD`. */
  readonly totalCost?: number | null
}

/** A row of usage. */
export interface UsageRowJson extends UsageJson {
  /** The day, project, model and so on. */
  readonly key: string
  /** Searches of the web. */
  readonly webSearches: number
  /** The models, that with the most messages first. */
  readonly models: readonly string[]
  /** Of a session: its title. */
  readonly title?: string | null
  /** Of a window: when it begins, in milliseconds since 1970. */
  readonly start?: number
  /** Of a window: when it ends. */
  readonly end?: number
  /** Of a window: its first message. */
  readonly first?: number
  /** Of a window: its last message. */
  readonly last?: number
  /** Of a window: whether it goes on. */
  readonly isActive?: boolean
}

/** What sessions did: times are in milliseconds. */
export interface StatsJson extends FromFiles {
  /** The sums. */
  readonly totals: StatsTotalsJson
  /** Subagents by type, the most called first. */
  readonly agents: readonly AgentTypeJson[]
  /** Who called whom. */
  readonly delegation: readonly DelegationJson[]
  /** How subagents were asked again. */
  readonly patterns: readonly PatternJson[]
  /** Turns by what happened in them. */
  readonly flows: readonly FlowJson[]
  /** Tools, the most called first. */
  readonly tools: readonly ToolJson[]
  /** Compactions by what started them. */
  readonly compactions: readonly CompactionsJson[]
  /** Rewinds, and what they abandoned. */
  readonly rewinds: RewindsJson
  /** What became of queued messages. */
  readonly queue: QueueJson
  /** Prompts by the hour of the day, from midnight. */
  readonly hours: readonly number[]
}

/** Sums of API messages, some of which may have no price. */
export interface SpentJson extends UsageJson {
  /** Messages without a known price. */
  readonly unpriced: number
}

/** The sums of `stats`. */
export interface StatsTotalsJson extends SpentJson {
  /** Projects with sessions. */
  readonly projects: number
  /** Sessions, without those that are idle. */
  readonly sessions: number
  /** Sessions that are not counted: nothing but warm-ups, or empty. */
  readonly idle: number
  /** Entries. */
  readonly entries: number
  /** The time of the first entry. */
  readonly first: string | null
  /** The time of the last entry. */
  readonly last: string | null
}

/** Subagents of one type. */
export interface AgentTypeJson extends SpentJson {
  /** The type. */
  readonly agent: string
  /** How many were called, those without a conversation included. */
  readonly invocations: number
  /** How they ended; `missing` where there is no conversation. */
  readonly states: Readonly<Record<string, number>>
  /** How many at each depth, from 1. */
  readonly depths: readonly number[]
  /** Prompts that they got. */
  readonly prompts: number
  /** Their entries. */
  readonly entries: number
  /** Their tool calls. */
  readonly toolCalls: number
  /** Tool results that are errors, and requests that failed. */
  readonly errors: number
  /** How many were called on each day. */
  readonly days: Readonly<Record<string, number>>
  /** From each prompt to the last entry before the next. */
  readonly durationMs: DurationJson
}

/** Calls of one type of subagent by another. */
export interface DelegationJson {
  /** `Claude`, or the type of the caller; null where the call is not known. */
  readonly from: string | null
  /** The type that was called. */
  readonly to: string
  /** How often. */
  readonly calls: number
  /** Calls that are alone in their message. */
  readonly single: number
  /** Calls beside others in their message. */
  readonly parallel: number
  /** Calls by subagents. */
  readonly nested: number
  /** The greatest depth. */
  readonly deepest: number
}

/** How often a subagent was asked again. */
export interface PatternJson {
  /** Why, as far as the words tell. */
  readonly pattern: string
  /** Who asked. */
  readonly from: string
  /** Who was asked. */
  readonly to: string
  /** By a further prompt, or by a further call. */
  readonly by: 'prompt' | 'call'
  /** How often. */
  readonly count: number
}

/** Turns of one kind. */
export interface FlowJson {
  /** The kind. */
  readonly flow: string
  /** How many. */
  readonly turns: number
  /** Their entries. */
  readonly entries: number
  /** Their tool calls. */
  readonly toolCalls: number
  /** Subagents that they called. */
  readonly agents: number
  /** From the prompt to the last entry of the turn. */
  readonly durationMs: DurationJson
}

/** Calls of one tool. */
export interface ToolJson {
  /** The tool. */
  readonly tool: string
  /** How often it was called. */
  readonly calls: number
  /** Calls by subagents. */
  readonly byAgents: number
  /** How the calls ended; `unanswered` where there is no result. */
  readonly ends: Readonly<Record<string, number>>
  /** Errors after which the same tool succeeded in the same turn. */
  readonly recovered: number
  /** From the call to its result. */
  readonly durationMs: DurationJson
}

/** Compactions of one kind. */
export interface CompactionsJson {
  /** `auto` or `manual`; null where the file does not tell. */
  readonly trigger: string | null
  /** How many. */
  readonly count: number
  /** How many in subagents. */
  readonly inAgents: number
  /** How many have no summary. */
  readonly unfinished: number
  /** Tokens before, of those that tell. */
  readonly tokensBefore: number
  /** How many tell the tokens before. */
  readonly saidBefore: number
  /** Tokens after, of those that tell. */
  readonly tokensAfter: number
  /** How many tell the tokens after. */
  readonly saidAfter: number
}

/** Rewinds. */
export interface RewindsJson {
  /** How many. */
  readonly rewinds: number
  /** Forks where two processes wrote to one session. */
  readonly twoWriters: number
  /** What was left, by what became of it. */
  readonly left: readonly LeftJson[]
}

/** Lines that were left. */
export interface LeftJson extends SpentJson {
  /** What became of them. */
  readonly status: string
  /** Branches. */
  readonly branches: number
  /** Subagents. */
  readonly agents: number
  /** Entries. */
  readonly entries: number
}

/** Queued messages. */
export interface QueueJson {
  /** What became of them. */
  readonly fates: readonly {
    /** What. */
    readonly became: string
    /** How many. */
    readonly count: number
  }[]
  /** Those that were never delivered. */
  readonly lost: readonly {
    /** The transcript that has it. */
    readonly file: string
    /** Its row, from 1. */
    readonly row: number
    /** When it was queued. */
    readonly time: string | null
    /** Its beginning. */
    readonly text: string
  }[]
}

/** Which kinds of records there are, and which of them dagline does not know. */
export interface CensusJson extends FromFiles {
  /** Records. */
  readonly records: number
  /** Rows that do not hold exactly one record. */
  readonly odd: number
  /** Records by type. */
  readonly types: readonly RecordTypeJson[]
  /** What dagline does not know. */
  readonly unknown: {
    /** Types. */
    readonly types: readonly RecordTypeJson[]
    /** Fields. */
    readonly fields: readonly {
      /** The type of the record. */
      readonly type: string
      /** The field. */
      readonly field: string
      /** How many records have it. */
      readonly count: number
      /** The releases that write it. */
      readonly versions: readonly string[]
    }[]
  }
}

/** Records of one type. */
export interface RecordTypeJson {
  /** The type. */
  readonly type: string
  /** How many. */
  readonly count: number
  /** How many by each release. */
  readonly versions: Readonly<Record<string, number>>
}

/** What is wrong with sessions. */
export interface DoctorJson extends FromFiles {
  /** Sessions with faults; with `--all` all sessions. */
  readonly sessions: readonly ExaminedJson[]
  /** The kinds of faults that were found. */
  readonly kinds: readonly {
    /** The kind. */
    readonly id: string
    /** It in a few words. */
    readonly title: string
    /** What it means. */
    readonly meaning: string
    /** What it costs. */
    readonly cost: string
    /** What the command does about it, or why there is none. */
    readonly remedy: string
    /** The command that repairs it, with `SESSION` for the session; null where there is none for all sessions. */
    readonly fix: string | null
    /** Its rule in `docs/SPEC.md`. */
    readonly rule: string
  }[]
  /** The sums over all sessions that were examined. */
  readonly totals: {
    /** Sessions. */
    readonly sessions: number
    /** Sessions that a resume does not load whole. */
    readonly ill: number
    /** What a resume loads of them. */
    readonly reach: Pick<ReachJson, 'now' | 'possible'>
  }
  /** With `--ci`: what violates the policy. */
  readonly violations?: readonly ViolationJson[]
}

/** Something that the policy of `doctor --ci` does not allow. */
export interface ViolationJson {
  /** The part of the policy. */
  readonly part: 'secrets' | 'resume' | 'unknown'
  /** The file, with its folder. */
  readonly file: string
  /** The row or line; null where the whole file is meant. */
  readonly row: number | null
  /** What was found. */
  readonly message: string
}

/** A session that was examined. */
export interface ExaminedJson {
  /** The session. */
  readonly session: string
  /** Its transcript. */
  readonly file: string
  /** What a resume loads of it. */
  readonly reach: ReachJson
  /** Its faults. */
  readonly faults: readonly FaultJson[]
}

/** What a resume loads of a conversation. */
export interface ReachJson {
  /** Entries that it loads today. */
  readonly now: number
  /** Entries that it loads after a repair. */
  readonly possible: number
  /** Entries that it loads and that are not part of the conversation. */
  readonly more: number
}

/** A fault of a session. */
export interface FaultJson {
  /** Its kind. */
  readonly id: string
  /** How bad it is. */
  readonly severity: Severity
  /** What comes of it. */
  readonly effect: 'loss' | 'refused' | 'none'
  /** The entry. */
  readonly node: string | null
  /** The row, from 1. */
  readonly row: number | null
  /** How many of its kind it stands for. */
  readonly count: number
  /** What was found. */
  readonly message: string
  /** The command that repairs it. */
  readonly fix: string | null
}
