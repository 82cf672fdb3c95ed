/** X41: waste: tokens that were paid for and did not help, each with the messages that show it. */

/** What kind of waste, in the order in which tokens are counted: those of an earlier kind are not counted again. */
export const WASTE_KINDS = [
  'rewind',
  'retry',
  'subagent',
  'cache-expiry',
  'failed-call',
  'repeated-read',
  'compaction',
  'carried-result',
  'lost-prompt',
] as const

/** One of the kinds. */
export type WasteKind = (typeof WASTE_KINDS)[number]

/** What one message wasted. */
export interface WasteShare {
  /** `message.id`. */
  readonly message: string
  /** The first entry of the message: a REF. */
  readonly ref: string
  readonly tokens: number
  /** Null where the price is not known. */
  readonly costUSD: number | null
}

/** Something that was wasted. Entries are named by their uuids. */
export interface Waste {
  readonly kind: WasteKind
  readonly session: string
  /** What it was about: the beginning of a prompt, or a tool call. */
  readonly what: string
  /** What happened, in one sentence. */
  readonly why: string
  /** What shows it beside the messages: branches and entries, in the order of what happened. */
  readonly refs: readonly string[]
  /** Milliseconds since 1970. */
  readonly time: number | null
  /** Every message that the sum is made of; none for what cost no tokens. */
  readonly shares: readonly WasteShare[]
}

/** What would avoid each kind. */
export const HOW_TO_AVOID: Readonly<Record<WasteKind, string>> = {
  rewind: 'Ask for a plan first, or stop the turn as soon as it goes wrong.',
  retry:
    'Nothing you did: a reply broke off and was asked for again. If it happens often, check the network.',
  subagent: 'Give subagents smaller tasks, and let them finish.',
  'cache-expiry':
    'Run /compact before a long pause, or start a new session after it; run long commands in the background.',
  'failed-call':
    'Stop Claude after the first failure and say what is wrong; put commands that work into CLAUDE.md.',
  'repeated-read': 'Point Claude to what it has read, or name the lines it needs.',
  compaction: 'Let a subagent read large outputs, or limit them with head, grep or a range of lines.',
  'carried-result': 'Limit the output, let a subagent read it, or run /clear when the task is done.',
  'lost-prompt': 'Check that a queued message was delivered before you leave the session.',
}

/** What a tool call asked for, and what its result said, as far as they are compared. */
export interface CallFacts {
  readonly id: string
  /** The call in one line. */
  readonly label: string
  /** Equal for equal calls. */
  readonly key: string
}

/** The text of a result. */
export interface ResultFacts {
  /** The call. */
  readonly id: string
  /** Equal for equal texts. */
  readonly hash: string
  readonly characters: number
}
