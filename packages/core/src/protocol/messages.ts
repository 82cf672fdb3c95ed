/**
 * Everything that crosses HTTP between server and page.
 *
 *   GET /api/home                                Home
 *   GET /api/sessions/:id                        Sheet            :id an id or a unique prefix
 *   GET /api/sessions/:id?known=VERSION          SheetUpdate      rows from the first that differs
 *   GET /api/sessions/:id/contents?from=&to=     RowContent[]     rows of the sheet, `to` not included
 *   GET /api/nodes/:uuid                         NodePlace        where a uuid is
 *   GET /api/nodes/:uuid/why                     Why              the answer of `dagline explain`
 *   GET /api/nodes/:uuid/raw                     text/plain       the record as it stands in the file
 *   GET /api/nodes/:uuid/text?block=             text/plain       a cut text, whole
 *   GET /api/nodes/:uuid/image?block=            an image
 *   GET /api/search?q=&...                       SearchPage
 *   GET /api/usage?by=&since=&until=&project=    UsagePage
 *   GET /api/agents?project=&session=            AgentsPage
 *   GET /api/health                              HealthPage
 *   GET /api/compare?a=REF&b=REF                 Comparison
 *   GET /api/export/:id.html                     the session as one file, as a download
 *   GET /api/events                              server-sent events: ServerEvent
 *
 * Every JSON reply is a `Reply`.
 */
import type { Diagnostic } from '../model/diagnostic.js'
import type { Sheet } from './sheet.js'

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
}

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
}

export interface Home {
  readonly roots: readonly string[]
  /** The bundled samples are shown, because there is nothing else. */
  readonly isSample: boolean
  readonly sync: SyncStatus
  readonly sessions: readonly SessionCard[]
}

/** `keep` rows stay as they are; the sheet's columns hold only those after them. All else is whole. */
export interface SheetUpdate {
  readonly keep: number
  readonly sheet: Sheet
}

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

export interface SearchHit {
  readonly node: string | null
  readonly session: string | null
  readonly title: string | null
  readonly project: string
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

export interface UsagePage {
  readonly totals: UsageCell
  readonly days: readonly UsageCell[]
  readonly groups: readonly UsageCell[]
  readonly by: string
  /** What abandoned branches cost. */
  readonly abandoned: UsageCell
  readonly unknownModels: readonly string[]
  readonly undercounted: { readonly messages: number; readonly missing: number }
  readonly pricesAsOf: string
  readonly projects: readonly string[]
}

export interface AgentKind {
  readonly name: string
  readonly runs: number
  readonly complete: number
  readonly failed: number
  readonly depth: number
  readonly messages: number
  readonly tools: number
  readonly errors: number
  readonly tokens: number
  readonly cost: number | null
  /** Milliseconds, the middle one. */
  readonly duration: number | null
}

export interface Delegation {
  readonly from: string
  readonly to: string
  readonly calls: number
  readonly parallel: number
}

export interface AgentsPage {
  readonly kinds: readonly AgentKind[]
  readonly delegation: readonly Delegation[]
  /** Some runs, the newest first. */
  readonly runs: readonly {
    readonly session: string
    readonly title: string | null
    readonly node: string | null
    readonly name: string
    readonly state: string
    readonly time: number | null
  }[]
}

export interface HealthKind {
  readonly rule: string
  readonly severity: Diagnostic['severity']
  readonly count: number
  /** What it means and what to do. */
  readonly meaning: string
  readonly samples: readonly {
    readonly session: string | null
    readonly node: string | null
    readonly file: string
    readonly row: number
    readonly message: string
  }[]
}

export interface HealthPage {
  readonly kinds: readonly HealthKind[]
  readonly sessions: number
  /** Sessions that Claude Code will delete within the next days. */
  readonly swept: readonly {
    readonly session: string
    readonly title: string | null
    readonly project: string
    readonly days: number
    readonly isArchived: boolean
  }[]
  readonly sweepDays: number | null
  readonly unknownTypes: readonly { readonly type: string; readonly count: number }[]
}

/** One way of two that are held against each other. */
export interface ComparedSide {
  readonly ref: string
  readonly session: string
  readonly line: string
  readonly status: string
  readonly title: string | null
  readonly first: number | null
  readonly last: number | null
  readonly messages: number
  readonly tokens: number
  readonly cost: number | null
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly errors: number }[]
  readonly files: readonly { readonly path: string; readonly edits: number }[]
  readonly turns: readonly ComparedTurn[]
}

export interface ComparedTurn {
  readonly node: string
  readonly time: number | null
  readonly prompt: string
  /** The last words of Claude in the turn. */
  readonly answer: string | null
  readonly calls: readonly { readonly node: string; readonly text: string; readonly failed: boolean }[]
  readonly cost: number | null
}

export interface Comparison {
  /** The last node that both have; null where they share nothing. */
  readonly fork: { readonly node: string; readonly shared: number; readonly evidence: string | null } | null
  readonly sides: readonly [ComparedSide, ComparedSide]
}
