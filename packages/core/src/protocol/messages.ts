/**
 * Everything that crosses HTTP between server and page.
 *
 *   GET /api/home?q=&sort=&...&from=&count=      Home             some rows of the list of sessions
 *   GET /api/sessions/:id                        Sheet            :id an id or a unique prefix
 *   GET /api/sessions/:id?known=VERSION          SheetUpdate      rows from the first that differs
 *   GET /api/sessions/:id/contents?from=&to=     RowContent[]     rows of the sheet, `to` not included
 *   GET /api/sessions/:id/labels                 GivenLabel[]     of the session and of what is in it
 *   GET /api/nodes/:uuid                         NodeLocation     the session of an entry
 *   GET /api/nodes/:uuid/why?session=            Why              the answer of `dagline explain`, as that session has it
 *   GET /api/nodes/:uuid/raw                     text/plain       the record as it stands in the file
 *   GET /api/nodes/:uuid/text?block=             text/plain       a cut text, whole
 *   GET /api/nodes/:uuid/image?block=            an image
 *   GET /api/search?q=&...                       SearchPage
 *   GET /api/usage?by=&since=&until=&project=    UsagePage
 *   GET /api/waste                               WastePage        what was paid for in vain
 *   GET /api/agents?project=&session=&type=&state=&q=&count=   AgentsPage
 *   GET /api/health                              HealthPage
 *   GET /api/now                                 NowPage          the sessions that are running
 *   GET /api/compare?a=REF&b=REF                 Comparison       REF a uuid, a session or a branch
 *   GET /api/compare?session=ID                  CompareChoices
 *   GET /api/blame?file=PATH                     BlamedFile       a file that a session changed in its working directory
 *   GET /api/commits?session=ID&rev=HASH         CommitSessions[] the sessions behind a commit
 *   GET /api/sessions/:id/findings               ShareFindings    what a file of it would tell about its author
 *   GET /api/export/:id.html?secrets=&also=&branch=&depth=   the session as one file, as a download; where likely secrets
 *                                                are in it only with `secrets=redact` or `secrets=allow`; what was
 *                                                replaced is in the header `X-Dagline-Redacted`
 *   GET /api/events                              server-sent events: ServerEvent
 *
 * Every JSON reply is a `Reply`.
 */
import type { Diagnostic } from '../model/diagnostic.js'
import type { Sheet } from './sheet.js'

/** What every request to the server returns: a value, or an error. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }

/** The progress of a sync of the index. */
export interface SyncStatus {
  readonly state: 'running' | 'done' | 'failed'
  readonly bytes: number
  readonly bytesDone: number
  /** A sentence where it failed. */
  readonly message: string | null
  /** What could not be read, the first 50: its sessions may be missing from the list. */
  readonly unread: readonly UnreadPath[]
}

/** A file or folder that could not be read, with the reason as a sentence. */
export interface UnreadPath {
  readonly path: string
  readonly message: string
}

/** Events that the server sends to the page. */
export type ServerEvent =
  | { readonly kind: 'sync'; readonly status: SyncStatus }
  /** Sessions that were written to, added or removed; an empty list: load everything again. */
  | { readonly kind: 'changed'; readonly sessions: readonly string[] }
  /** A process of Claude Code began, ended, or does something else now. */
  | { readonly kind: 'running' }

/** The shape of a session: what leaves its trunk, where and how much. Positions and sizes are thousandths of its rows. */
export interface SessionShape {
  readonly rows: number
  /** `[kind, position, size]`, by position; kinds are `b`ranch, `a`gent, `c`ompaction, `e`rror. */
  readonly marks: readonly (readonly ['b' | 'a' | 'c' | 'e', number, number])[]
}

/** The name, tags and note that a user gave to a session, a branch, a subagent or an entry. */
export interface GivenLabel {
  readonly kind: 'session' | 'branch' | 'agent' | 'entry'
  /** The id of the session or line, or the uuid of the entry. */
  readonly id: string
  readonly name: string | null
  readonly tags: readonly string[]
  readonly note: string | null
}

/** A session in the list. */
export interface SessionCard {
  readonly session: string
  readonly project: string
  readonly cwd: string | null
  readonly title: string | null
  /** The first words of the first prompt. */
  readonly prompt: string | null
  readonly first: number | null
  readonly last: number | null
  readonly turns: number
  readonly branches: number
  readonly agents: number
  readonly compactions: number
  readonly problems: number
  readonly bytes: number
  readonly cost: number | null
  readonly isIdle: boolean
  readonly archivedOnly: boolean
  readonly parent: { readonly session: string; readonly how: string } | null
  readonly shape: SessionShape | null
  readonly label: GivenLabel | null
  /** HU60: on a hub, the number of the person whose it is; null at home. */
  readonly owner: number | null
}

/** Whether a copy has no turn of its own yet. */
export function isBareCopy({ turns, parent }: { turns: number; parent: object | null }): boolean {
  return turns === 0 && parent !== null
}

/**
 * The first `keep` rows stay as they are; the sheet's columns hold only the rows after them. The same holds for the first
 * `keepWords` of its words and the first `keepLive` of its live rows. All else is whole.
 */
export interface SheetUpdate {
  readonly keep: number
  readonly keepWords: number
  readonly keepLive: number
  readonly sheet: Sheet
}

/** The session in which an entry is shown. */
export interface NodeLocation {
  readonly session: string
}

/** The answer of `dagline explain`. */
export interface Why {
  readonly file: string
  readonly row: number
  readonly live: boolean
  readonly because: readonly { readonly rule: string; readonly evidence: string }[]
}

/** An entry that a search found. */
export interface SearchHit {
  readonly node: string | null
  readonly session: string | null
  readonly title: string | null
  readonly project: string
  /** The folder that the session worked in. */
  readonly cwd: string | null
  /** HU60: on a hub, the number of the person whose it is; null at home. */
  readonly owner: number | null
  readonly time: number | null
  readonly actor: string
  readonly tool: string | null
  /** Pieces of the text around the hit; every second one is marked. */
  readonly snippet: readonly string[]
  /** Null where the file is not indexed yet: then nothing is known of it. */
  readonly label: {
    readonly live: boolean
    readonly branch: string | null
    readonly status: string | null
    readonly agent: string | null
    /** Compactions that came after it. */
    readonly compacted: number
    readonly queue: string | null
    readonly archived: boolean
  } | null
}

/** What the search page shows. */
export interface SearchPage {
  readonly hits: readonly SearchHit[]
  /** How many hits there are; at least so many where `isComplete` is false. */
  readonly total: number
  readonly isComplete: boolean
  /** What was searched for in place of words that no entry has, or in files that are not indexed yet, in a sentence. */
  readonly note: string | null
  /** Where a pattern took too long on texts: what was not searched. */
  readonly warning: string | null
  /** The value of `below` for the next page; null at the end. */
  readonly below: number | null
  /** Milliseconds it took. */
  readonly took: number
}

/** Tokens and cost of one group. */
export interface UsageCell {
  readonly key: string
  readonly messages: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cost: number | null
}

/** A day, with what each model cost on it. */
export interface UsageDay extends UsageCell {
  /** `[index into UsagePage.models, cost, tokens]`. */
  readonly models: readonly (readonly [number, number | null, number])[]
}

/** A project, model, agent, session or branch. */
export interface UsageGroupCell extends UsageCell {
  /** The title of a session; the first words of a branch, or else the title of its session. */
  readonly title: string | null
  /** Where to see it: the session of a session or branch. */
  readonly session: string | null
  readonly project: string | null
  /** The status of a branch. */
  readonly status: string | null
}

/** Usage from `since` to `until`, both included, of one project or all. */
export interface UsagePage {
  readonly totals: UsageCell
  /** In their order, only those with usage; the last may be `undated`. */
  readonly days: readonly UsageDay[]
  /** The models of all days, those that cost most first. */
  readonly models: readonly string[]
  /** The groups with the highest cost, and the number of all groups. */
  readonly groups: readonly UsageGroupCell[]
  readonly groupCount: number
  readonly by: string
  /** The cost of abandoned branches, and their number. */
  readonly abandoned: UsageCell
  readonly abandonedBranches: number
  readonly unknownModels: readonly string[]
  readonly undercounted: { readonly messages: number; readonly missing: number }
  readonly pricesAsOf: string
  /** All projects with usage, whatever the filter. */
  readonly projects: readonly { readonly name: string; readonly cwd: string | null }[]
}

/** One type of agent. */
export interface AgentKind {
  readonly name: string
  /** Without warm-ups. */
  readonly runs: number
  /** Their conversation does not end with an answer. */
  readonly unfinished: number
  /** Their call is not known, nor therefore whether they were done. */
  readonly orphaned: number
  /** They have no conversation: they never began, or their files are gone. */
  readonly missing: number
  /** How deep they were called: 1 by Claude, 2 by an agent of Claude. */
  readonly depth: number
  readonly tools: number
  readonly errors: number
  readonly tokens: number
  readonly cost: number | null
  /** Milliseconds, the middle one. */
  readonly duration: number | null
}

/** How often one speaker called a type of subagent. */
export interface Delegation {
  /** `Claude`, or a type of agent; null where the call is not known. */
  readonly from: string | null
  readonly to: string
  readonly calls: number
  /** Of these, several at once. */
  readonly parallel: number
}

/** The progress of work in the background. */
export interface WorkProgress {
  readonly done: number
  readonly of: number
}

/** The runs of subagents that are listed at first. */
export const AGENT_RUNS = 50

/** What the page of subagents shows. */
export interface AgentsPage {
  /** File groups; the rest of the page covers those that are done. */
  readonly survey: WorkProgress
  readonly kinds: readonly AgentKind[]
  readonly delegation: readonly Delegation[]
  /** The first runs that the filters let through, the newest first. */
  readonly runs: readonly {
    readonly session: string
    readonly title: string | null
    readonly node: string | null
    readonly name: string
    readonly state: string
    readonly depth: number
    readonly time: number | null
    /** Its task. */
    readonly words: string | null
  }[]
  /** How many runs the filters let through. */
  readonly found: number
  /** Projects with sessions, for the filter. */
  readonly projects: readonly { readonly name: string; readonly cwd: string | null }[]
}

/** Problems of one kind, as `dagline doctor` describes them. */
export interface HealthKind {
  /** The kind's stable name, as `dagline doctor --only` takes it. */
  readonly id: string
  /** That of the most severe one. */
  readonly severity: Diagnostic['severity']
  readonly count: number
  /** How many sessions have it. */
  readonly sessions: number
  readonly title: string
  readonly meaning: string
  /** What it costs the user. */
  readonly cost: string
  /** The command that repairs it, with `SESSION` for the session; null where there is none. */
  readonly fix: string | null
  /** Some of them, the most severe first, then those of the newest sessions. */
  readonly samples: readonly {
    readonly session: string
    readonly title: string | null
    readonly node: string | null
    readonly row: number | null
    readonly message: string
    readonly fix: string | null
  }[]
}

/** What the health page shows. */
export interface HealthPage {
  /** The most severe first, then in the order of `dagline doctor`. */
  readonly kinds: readonly HealthKind[]
  /** Whether sessions are being examined; until then the page shows the previous examination, if there is one. */
  readonly isExamining: boolean
  /** A sentence where the examination failed. */
  readonly failure: string | null
  /** Sessions that were examined; before the first examination those that Home lists. */
  readonly sessions: number
  /** D13: sessions that a resume does not load whole, or that the API rejects; null before the first examination. */
  readonly troubled: number | null
  /** Messages that a resume loads, of all sessions together, and all messages. */
  readonly reach: { readonly now: number; readonly possible: number }
  /** Files that could not be read. */
  readonly unread: readonly { readonly file: string; readonly title: string; readonly message: string }[]
  /** Some of the sessions that Claude Code will delete within the next days, by the day. */
  readonly swept: readonly SweptCard[]
  readonly sweptCount: number
  /** How many of them are in the archive in their current state; null without an archive. */
  readonly sweptKept: number | null
  /** After how many days Claude Code deletes sessions; null where it does not. */
  readonly sweepDays: number | null
  /** The number of days that `swept` covers. */
  readonly sweepAhead: number
  /** Types of records that dagline does not know, the most frequent first, as far as the survey is. */
  readonly unknownTypes: readonly {
    readonly type: string
    readonly count: number
    /** A session that has it. */
    readonly session: string | null
  }[]
  readonly survey: WorkProgress
}

/** A session that Claude Code will delete soon. */
export interface SweptCard {
  readonly session: string
  readonly title: string | null
  readonly project: string
  /** Milliseconds since 1970. */
  readonly due: number
  readonly isArchived: boolean
}

/**
 * One side of a comparison: what came after the last node that both sides have, with the subagents that were started on
 * it, without branches that leave it.
 */
export interface ComparedSide {
  /** The requested node. */
  readonly ref: string
  readonly session: string
  /** The line on which it leaves the other side, and the status of that line. */
  readonly line: string
  readonly status: string
  readonly title: string | null
  readonly first: number | null
  readonly last: number | null
  readonly messages: number
  readonly tokens: number
  readonly output: number
  /** In USD, of the messages with a known price; null where there are none. */
  readonly cost: number | null
  readonly agents: number
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly errors: number }[]
  /** Files that were written, by path. */
  readonly files: readonly { readonly path: string; readonly edits: number }[]
  /** The number of turns that begin on it; `turns` holds the first of them, after the rest of a turn that began before. */
  readonly turnCount: number
  readonly turns: readonly ComparedTurn[]
}

/** A turn on one side of a comparison. */
export interface ComparedTurn {
  /** The prompt; the first node where the sides part within a turn. */
  readonly node: string
  readonly time: number | null
  /** Null where the turn began before the sides part. */
  readonly prompt: string | null
  /** The last text of Claude in the turn. */
  readonly answer: string | null
  readonly calls: readonly ComparedCall[]
  readonly cost: number | null
}

/** A tool call on one side of a comparison. */
export interface ComparedCall {
  readonly node: string
  readonly tool: string
  /** The main argument. */
  readonly text: string
  readonly failed: boolean
}

/** Two sides of a comparison, from where they part. */
export interface Comparison {
  /** Where the sides part; null where they share nothing, not even the session. */
  readonly fork: {
    /** The last node that both have; null where they part at the beginning. */
    readonly node: string | null
    /** The session that has it. */
    readonly session: string
    /** How many nodes both have. */
    readonly shared: number
    /** Why the sides part there; null where another session continues there, or one side ends. */
    readonly evidence: string | null
  } | null
  readonly sides: readonly [ComparedSide, ComparedSide]
}

/** R5: what a file of a session would tell about its author: how often each kind occurs in its rows. */
export interface ShareFindings {
  /** Likely secrets, the most frequent kind first. */
  readonly secrets: readonly { readonly kind: string; readonly count: number }[]
  /** User names in paths of home folders, addresses of mail, and names of the user. */
  readonly paths: number
  readonly emails: number
  readonly names: number
}

/** The forks of a session whose branches can be compared. */
export interface CompareChoices {
  readonly session: string
  readonly title: string | null
  readonly forks: readonly ComparableFork[]
}

/** A fork whose branches can be compared. */
export interface ComparableFork {
  /** The last node before the branches part; null between roots. */
  readonly node: string | null
  readonly time: number | null
  /** `rewind`, `two-writers`, or how another session continues: `fork`, `resume` ... */
  readonly kind: string
  readonly evidence: string | null
  /** In the order of writing. */
  readonly branches: readonly ComparableBranch[]
}

/** A branch that can be compared. */
export interface ComparableBranch {
  /** Its first node: what to compare. */
  readonly ref: string
  readonly status: string
  readonly time: number | null
  readonly turns: number
  /** The first words of it. */
  readonly words: string | null
}
