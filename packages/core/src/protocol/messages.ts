/**
 * Everything that crosses HTTP between server and page.
 *
 *   GET /api/home                                Home
 *   GET /api/sessions/:id                        Sheet            :id an id or a unique prefix
 *   GET /api/sessions/:id?known=VERSION          SheetUpdate      rows from the first that differs
 *   GET /api/sessions/:id/contents?from=&to=     RowContent[]     rows of the sheet, `to` not included
 *   GET /api/sessions/:id/labels                 GivenLabel[]     of the session and of what is in it
 *   GET /api/nodes/:uuid                         NodePlace        where a uuid is
 *   GET /api/nodes/:uuid/why?session=            Why              the answer of `dagline explain`, as that session has it
 *   GET /api/nodes/:uuid/raw                     text/plain       the record as it stands in the file
 *   GET /api/nodes/:uuid/text?block=             text/plain       a cut text, whole
 *   GET /api/nodes/:uuid/image?block=            an image
 *   GET /api/search?q=&...                       SearchPage
 *   GET /api/usage?by=&since=&until=&project=    UsagePage
 *   GET /api/agents?project=&session=            AgentsPage
 *   GET /api/health                              HealthPage
 *   GET /api/compare?a=REF&b=REF                 Comparison       REF a uuid, a session or a branch
 *   GET /api/compare?session=ID                  CompareChoices
 *   GET /api/export/:id.html?secrets=            the session as one file, as a download; where likely secrets are in it
 *                                                only with `secrets=redact` or `secrets=allow`
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

/** How far bringing the index up to date is. */
export interface SyncStatus {
  readonly state: 'running' | 'done' | 'failed'
  readonly files: number
  readonly filesDone: number
  readonly bytes: number
  readonly bytesDone: number
  /** A sentence where it failed. */
  readonly message: string | null
  /** What could not be read, the first 50: sessions in it are not listed, or not all of them. */
  readonly unread: readonly UnreadPath[]
}

/** A file or folder that is there and could not be read, with a sentence why. */
export interface UnreadPath {
  readonly path: string
  readonly message: string
}

/** What the server tells the page without being asked. */
export type ServerEvent =
  | { readonly kind: 'sync'; readonly status: SyncStatus }
  /** Sessions that were written to, or came or went; an empty list: look at everything anew. */
  | { readonly kind: 'changed'; readonly sessions: readonly string[] }

/** The picture of a session: what leaves its trunk, where and how much. Places and sizes are thousandths of its rows. */
export interface SessionShape {
  readonly rows: number
  /** `[kind, place, size]`, by place; kinds are `b`ranch, `a`gent, `c`ompaction, `e`rror. */
  readonly marks: readonly (readonly ['b' | 'a' | 'c' | 'e', number, number])[]
}

/** What somebody calls a session, a branch, an agent or an entry: a name, tags, a note. */
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
  /** The first words that were typed. */
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
}

/** Whether nothing was said in a copy yet: turns are counted where they were taken. */
export function isBareCopy({
  turns,
  parent,
}: {
  readonly turns: number
  readonly parent: object | null
}): boolean {
  return turns === 0 && parent !== null
}

/** What the first page shows. */
export interface Home {
  readonly roots: readonly string[]
  /** Where sessions were looked for: the roots, unless these are the samples. */
  readonly looked: readonly string[]
  /** The bundled samples are shown, because there is nothing else. */
  readonly isSample: boolean
  readonly sync: SyncStatus
  readonly sessions: readonly SessionCard[]
}

/**
 * `keep` rows stay as they are; the sheet's columns hold only those after them. So it is with the first `keepWords` of
 * its words and the first `keepLive` of its live rows. All else is whole.
 */
export interface SheetUpdate {
  readonly keep: number
  readonly keepWords: number
  readonly keepLive: number
  readonly sheet: Sheet
}

/** The session in which an entry is shown. */
export interface NodePlace {
  readonly node: string
  readonly session: string
}

/** The answer of `dagline explain`. */
export interface Why {
  readonly node: string
  readonly file: string
  readonly row: number
  readonly line: string | null
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
  readonly time: number | null
  readonly actor: string
  readonly tool: string | null
  /** Pieces of the text around the words; every second one is a mark. */
  readonly snippet: readonly string[]
  readonly label: {
    readonly live: boolean
    readonly branch: string | null
    readonly status: string | null
    readonly agent: string | null
    /** Compactions that came after it. */
    readonly compacted: number
    readonly queue: string | null
    readonly archived: boolean
  }
}

/** What the search page shows. */
export interface SearchPage {
  readonly query: string
  readonly hits: readonly SearchHit[]
  /** To go on: the value of `below` for the next page; null at the end. */
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
  /** The title of a session, or of a branch's session. */
  readonly title: string | null
  /** Where to see it: the session of a session or branch. */
  readonly session: string | null
  readonly project: string | null
  /** What became of a branch. */
  readonly status: string | null
}

/** Usage from `since` to `until`, both included, of one project or all. */
export interface UsagePage {
  readonly totals: UsageCell
  /** In their order, only those with usage; the last may be `undated`. */
  readonly days: readonly UsageDay[]
  /** The models of all days, those that cost most first. */
  readonly models: readonly string[]
  /** The groups that cost most, and how many there are in all. */
  readonly groups: readonly UsageGroupCell[]
  readonly groupCount: number
  readonly by: string
  /** What branches cost that were left, and how many they are. */
  readonly abandoned: UsageCell
  readonly abandonedBranches: number
  readonly unknownModels: readonly string[]
  readonly undercounted: { readonly messages: number; readonly missing: number }
  readonly pricesAsOf: string
  /** All projects with usage, whatever was asked for. */
  readonly projects: readonly { readonly name: string; readonly cwd: string | null }[]
}

/** One type of agent. */
export interface AgentKind {
  readonly name: string
  /** Without those that only warmed up. */
  readonly runs: number
  readonly complete: number
  /** Their conversation does not end with an answer. */
  readonly unfinished: number
  /** No conversation of them is there: they never began, or their files are gone. */
  readonly missing: number
  /** How deep they were called: 1 by Claude, 2 by an agent of Claude. */
  readonly depth: number
  readonly messages: number
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

/** How far work is that goes on behind the page. */
export interface Headway {
  readonly done: number
  readonly of: number
}

/** What the page of subagents shows. */
export interface AgentsPage {
  /** Families of files; the rest of the page knows of those that are done. */
  readonly survey: Headway
  readonly kinds: readonly AgentKind[]
  readonly delegation: readonly Delegation[]
  /** Some runs, the newest first. */
  readonly runs: readonly {
    readonly session: string
    readonly title: string | null
    readonly node: string | null
    readonly name: string
    readonly state: string
    readonly depth: number
    readonly time: number | null
    /** What it was for. */
    readonly words: string | null
  }[]
  /** Projects with sessions, for the filter. */
  readonly projects: readonly { readonly name: string; readonly cwd: string | null }[]
}

/** Faults of one kind, in the doctor's words. */
export interface HealthKind {
  /** The kind's stable name, as `dagline doctor --kind` takes it. */
  readonly id: string
  /** That of the gravest. */
  readonly severity: Diagnostic['severity']
  readonly count: number
  /** How many sessions have it. */
  readonly sessions: number
  readonly title: string
  readonly meaning: string
  /** What it costs the user. */
  readonly cost: string
  /** The command that mends it, `SESSION` standing for the session; null where there is none. */
  readonly fix: string | null
  /** Some of them, the gravest first, then those of the newest sessions. */
  readonly samples: readonly {
    readonly session: string
    readonly title: string | null
    readonly node: string | null
    readonly row: number | null
    readonly severity: Diagnostic['severity']
    readonly message: string
    readonly fix: string | null
  }[]
}

/** What the health page shows. */
export interface HealthPage {
  /** The gravest first, then as the doctor orders them. */
  readonly kinds: readonly HealthKind[]
  /** Whether sessions are being examined; what is shown is from the examination before, if there was one. */
  readonly isExamining: boolean
  /** A sentence where the examination failed. */
  readonly failure: string | null
  readonly sessions: number
  /** D13: sessions of which a resume loses something, or which the API refuses; null before the first examination. */
  readonly troubled: number | null
  /** Messages that a resume reaches, of all sessions together, and those that there are. */
  readonly reach: { readonly now: number; readonly possible: number }
  /** Files that could not be read, and the like. */
  readonly unread: readonly { readonly file: string; readonly title: string; readonly message: string }[]
  /** Sessions that Claude Code will delete within the next days, those first that are due first; some of them. */
  readonly swept: readonly SweptCard[]
  readonly sweptCount: number
  /** Of these, how many the archive has as they are; null where there is no archive. */
  readonly sweptKept: number | null
  /** After how many days Claude Code deletes; null where it does not. */
  readonly sweepDays: number | null
  /** Within how many days `swept` looks ahead. */
  readonly sweepAhead: number
  /** Types of records that dagline does not know, the most frequent first, as far as the survey is. */
  readonly unknownTypes: readonly {
    readonly type: string
    readonly count: number
    /** A session that has it. */
    readonly session: string | null
  }[]
  readonly survey: Headway
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
 * One way of two that are held against each other: what came after the last node that both have. What agents did that
 * were started on it counts as its own; what was left on branches beside it does not.
 */
export interface ComparedSide {
  /** The node that was asked for. */
  readonly ref: string
  readonly session: string
  /** The line on which it leaves the other way, and what became of that line. */
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
  /** Turns that begin on it; `turns` holds the first of them, after the rest of one that began before the ways part. */
  readonly turnCount: number
  readonly turns: readonly ComparedTurn[]
}

/** A turn on one side of a comparison. */
export interface ComparedTurn {
  /** The prompt; the first node where the ways part in the middle of a turn. */
  readonly node: string
  readonly time: number | null
  /** Null where the turn began before the ways part. */
  readonly prompt: string | null
  /** The last words of Claude in the turn. */
  readonly answer: string | null
  readonly calls: readonly ComparedCall[]
  readonly cost: number | null
}

/** A tool call on one side of a comparison. */
export interface ComparedCall {
  readonly node: string
  readonly tool: string
  /** The argument that says most. */
  readonly text: string
  readonly failed: boolean
}

/** Two paths of conversations, from where they part. */
export interface Comparison {
  /** Where the ways part; null where they share nothing, not even the session. */
  readonly fork: {
    /** The last node that both have; null where they part at the very beginning. */
    readonly node: string | null
    /** The session that has it. */
    readonly session: string
    /** How many nodes both have. */
    readonly shared: number
    /** Why the ways part there; null where nothing was left: another session goes on, or one way ends. */
    readonly evidence: string | null
  } | null
  readonly sides: readonly [ComparedSide, ComparedSide]
}

/** The places of a session at which ways can be compared. */
export interface CompareChoices {
  readonly session: string
  readonly title: string | null
  readonly forks: readonly ComparableFork[]
}

/** A fork whose branches can be compared. */
export interface ComparableFork {
  /** The last node before the ways part; null between roots. */
  readonly node: string | null
  readonly time: number | null
  /** `rewind`, `two-writers`, or how another session goes on: `fork`, `resume` ... */
  readonly kind: string
  readonly evidence: string | null
  /** In the order of writing. */
  readonly ways: readonly ComparableWay[]
}

/** A branch that can be compared. */
export interface ComparableWay {
  /** Its first node: what to compare. */
  readonly ref: string
  readonly session: string
  readonly line: string
  readonly status: string
  readonly time: number | null
  readonly turns: number
  /** The first words on it. */
  readonly words: string | null
}
