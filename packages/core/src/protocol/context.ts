/** X17, X18: what the request behind an answer held, as plain data. */

/** Why an entry of the transcript was not in a request. */
export type LeftOutReason =
  /** A compaction had replaced it by a summary. */
  | 'compacted'
  /** It stands on a branch that the conversation had left, or that another process wrote. */
  | 'abandoned'
  /** It belongs to the conversation of a subagent. */
  | 'subagent'
  /** It was typed and waited in the queue. */
  | 'queued'
  /** The client never sends it: notices of failed requests, calls without a result, a reply that broke off. */
  | 'never-sent'
  /** L15: a result that was sent without its content. */
  | 'cleared'

/** Why entries were left out, in words that follow a count. */
export const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, string>> = {
  compacted: 'replaced by the summary of a compaction',
  abandoned: 'on abandoned branches, or of another process',
  subagent: 'in conversations of subagents',
  queued: 'typed, and waiting in the queue',
  cleared: 'sent without their content: old tool results that were cleared',
  'never-sent': 'never sent: failed requests, replies that broke off, calls without a result',
}

/** A category of a request in words: `results of Bash`. */
export function categoryText(category: string): string {
  if (category === 'system') return 'system and tools (the rest)'
  if (category === 'other') return 'other categories'
  return category.replace(/^results:/, 'results of ')
}

/** Why the entries of a request are only likely, as a sentence. */
export function unknownText(reason: string): string {
  return `The transcript cannot tell for sure: ${UNKNOWN[reason] ?? reason}.`
}

const UNKNOWN: Readonly<Record<string, string>> = {
  'unmarked-process':
    'another process may have sent this request, and this release would then have sent less of the conversation',
  'unseen-compaction': 'the request was far smaller than the one before, so it was compacted without a trace',
  'shorter-request': 'the request was shorter than the one before it, and nothing tells what it left out',
  'progress-rows': 'only progress rows hold the messages of this subagent',
  'missing-entries': 'an entry of the conversation is in no file',
}

/** The tokens of a request. */
export interface RequestTokens {
  /** Input, cache reads and cache writes, as the answer tells; null where it does not. */
  readonly total: number | null
  /**
   * By category, estimated and made to add up to the total. `results:TOOL` are the results of one tool; `system` is what no
   * row shows: system prompt, tools, reminders that were not written.
   */
  readonly parts: Readonly<Record<string, number>>
}

/** What a request carried. */
export interface RequestContext {
  /** The transcript, below the root. */
  readonly file: string
  /** The id of the API message; null where the answer has none. */
  readonly message: string | null
  /** The entries of the answer. */
  readonly reply: readonly string[]
  /** The user and assistant entries that the request carried, in the order of sending. */
  readonly entries: readonly string[]
  /** Why the transcript cannot tell for sure; null where it can. */
  readonly unknown: string | null
  readonly tokens: RequestTokens
}

/** An entry or attachment of a request. */
export interface ContextItem {
  readonly node: string
  readonly time: number | null
  readonly kind: string
  readonly text: string
  /** The category that most of its tokens are of. */
  readonly category: string
  readonly tokens: number
}

/** Entries that were not in a request for the same reason. */
export interface LeftOutEntries {
  readonly reason: LeftOutReason
  readonly entries: number
  /** Uuids, the newest first; queued texts have none. */
  readonly nodes: readonly string[]
}

/** A request with all that is known of it. */
export interface ContextReport {
  readonly context: RequestContext
  readonly session: string
  readonly agent: string | null
  readonly time: number | null
  /** Its number among the answers of its conversation, and how many there are. */
  readonly answer: number
  readonly answers: number
  /** Tokens that the model can read at once, as far as the session shows: 200,000, or 1,000,000. */
  readonly window: number
  /** Entries and attachments in the order of sending, attachments last. */
  readonly items: readonly ContextItem[]
  readonly out: readonly LeftOutEntries[]
  /** The last compaction before it: the requests around it; null where there was none. */
  readonly compaction: {
    readonly boundary: string
    readonly time: number | null
    readonly before: RequestTokens | null
    readonly after: RequestTokens | null
    /** Entries that the request before had and the one after had not. */
    readonly dropped: number
  } | null
  /** The heaviest that the last compaction dropped, with the tokens that they had before it. */
  readonly dropped: readonly ContextItem[]
}

/** What entered and what left between two requests. */
export interface ContextDifference {
  readonly from: ContextReport
  readonly to: ContextReport
  readonly entered: readonly ContextItem[]
  readonly left: readonly ContextItem[]
}

/** V27: a conversation of a session whose requests can be drawn. */
export interface ContextConversation {
  /** The id of the subagent; null for the conversation of the session itself. */
  readonly agent: string | null
  readonly name: string
}

/** What began at a request of a band: it is the first one after a compaction, or the first on a branch. */
export type ContextMark = 'compaction' | 'rewind'

/** V27: the requests of one conversation over time, in columns: item for item, in the order of answers. */
export interface ContextBand {
  /** Tokens that the model can read at once, as far as the session shows: 200,000, or 1,000,000. */
  readonly window: number
  /** How many answers there are. Where they are many, an item stands for several: for the largest of them. */
  readonly answers: number
  /** The number of the answer, from 1. */
  readonly answer: readonly number[]
  /** The uuid of the answer's first entry. */
  readonly node: readonly string[]
  readonly time: readonly (number | null)[]
  /** Null where the answer does not tell it; the parts are estimates then. */
  readonly total: readonly (number | null)[]
  readonly mark: readonly (ContextMark | null)[]
  /** Tokens by category, the heaviest first; the smallest ones are in `other`. */
  readonly parts: readonly { readonly category: string; readonly tokens: readonly number[] }[]
}

/** V27: the band of a conversation, and the conversations of the session that have one. */
export interface ContextBandPage {
  readonly agent: string | null
  readonly conversations: readonly ContextConversation[]
  readonly band: ContextBand
}

/** V27: one request in detail. */
export interface ContextPage extends Omit<ContextReport, 'items'> {
  /** Attachments that the request carried, by uuid. */
  readonly attachments: readonly string[]
  /** The heaviest entries and attachments. */
  readonly heaviest: readonly ContextItem[]
}
