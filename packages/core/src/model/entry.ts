/**
 * The records of a transcript in our own vocabulary. Names of the format (`parentUuid`, `toolUseResult`) end in `parse/`.
 *
 * An **entry** has an id and is a node of the graph. A **note** has none: titles, queue operations, settings. Both keep
 * their location in the file, never a copy of their JSON; of texts they keep a digest.
 */
import type { AgentId, EntryId, Instant, MessageId, SessionId, ToolUseId } from './ids.js'
import type { AgentMeta, SourceSpan } from './source.js'

/** Enough of a text to compare and to name it. */
export interface TextDigest {
  /** Of both ends of the text, 512 characters each, and its length. Equal texts have equal hashes. */
  readonly hash: number
  /** The same after white space is folded and case dropped: for agents' prompts that were re-flowed; else 0. */
  readonly folded: number
  readonly head: string
}

/** The fields of every entry. */
export interface EntryBase {
  readonly id: EntryId
  readonly parent: EntryId | null
  readonly session: SessionId | null
  readonly time: Instant | null
  readonly version: string | null
  readonly cwd: string | null
  readonly sidechain: boolean
  readonly agent: AgentId | null
  /** `is_active` of the described format; null where absent. */
  readonly active: boolean | null
  /** `nestingLevel` of the described format. */
  readonly nesting: number | null
  /** The entry this one is a stamped copy of (`/branch`, SDK forks). */
  readonly forkedFrom: { readonly session: SessionId | null; readonly entry: EntryId } | null
  /** A background session forked off by `/fork`. */
  readonly background: boolean
  readonly source: SourceSpan
}

/**
 * What a user entry means, by the first test that holds (docs/FORMAT.md):
 * `prompt` typed by a person · `result` of tool calls · `summary` after a compaction · `caveat`, `command`,
 * `output`: local commands and what they printed · `interrupt` note · `notification` of a task or teammate ·
 * `meta` other injected text (image notes, skill bodies, reminders).
 */
export type UserMeaning =
  | 'prompt'
  | 'result'
  | 'summary'
  | 'caveat'
  | 'command'
  | 'output'
  | 'interrupt'
  | 'notification'
  | 'meta'

/** How a tool call ended. */
export type ResultState = 'ok' | 'error' | 'denied' | 'interrupted' | 'spilled'

/** The result of a tool call. */
export interface ToolResult {
  readonly id: ToolUseId
  readonly state: ResultState
}

/** The agent, team mate or workflow run that a call has started, as its result says. */
export interface Spawn {
  readonly agent: AgentId | null
  readonly run: string | null
  /** The name of the run's workflow. */
  readonly workflow: string | null
  readonly mate: boolean
  /** Launched in the background: the result is not an end. */
  readonly async: boolean
}

/** A tool call in an answer. */
export interface ToolCall {
  readonly id: ToolUseId
  readonly name: string
  /** For calls that spawn agents. */
  readonly prompt: TextDigest | null
  readonly agentType: string | null
}

/** A prompt, a tool result, or text that Claude Code writes as the user. */
export interface UserEntry extends EntryBase {
  readonly kind: 'user'
  readonly says: UserMeaning
  readonly text: TextDigest | null
  /** The hash of each block's text, 0 for a block without text; empty where the content is a single block. */
  readonly blocks: readonly number[]
  readonly results: readonly ToolResult[]
  readonly spawn: Spawn | null
  readonly promptId: string | null
}

/** Tokens of one API message. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
}

/** A part of an answer: one block of a message, in one row. */
export interface AssistantEntry extends EntryBase {
  readonly kind: 'assistant'
  readonly message: MessageId | null
  readonly text: TextDigest | null
  readonly calls: readonly ToolCall[]
  /** Why the reply ended; null on rows written before its end, and on all rows of releases that never say it. */
  readonly stopReason: string | null
  /** Thinking and nothing else. */
  readonly thinkingOnly: boolean
  /** Its other content: calls and results of tools that the API runs, or other kinds of blocks. */
  readonly others: 'none' | 'api-tools' | 'blocks'
  /** A notice that a request failed; never sent to the model. */
  readonly apiError: boolean
  /** Written by the client, not the model (`<synthetic>`). */
  readonly synthetic: boolean
  readonly usage: Usage | null
  /** The agent's type, as newer answers carry it (`attributionAgent`). */
  readonly attribution: string | null
}

/** A compaction as its boundary records it. */
export interface Compaction {
  readonly logicalParent: EntryId | null
  readonly trigger: string | null
  readonly preTokens: number | null
  readonly postTokens: number | null
  readonly durationMs: number | null
  readonly anchor: EntryId | null
  readonly preserved: readonly EntryId[]
  readonly segment: { readonly head: EntryId; readonly tail: EntryId } | null
  /** How many messages a summary of a part of the conversation replaced; null where all of it was compacted. */
  readonly summarized: number | null
}

/** An entry that Claude Code wrote about the session: a compaction, an API error, a turn that ended. */
export interface SystemEntry extends EntryBase {
  readonly kind: 'system'
  readonly subtype: string
  readonly text: TextDigest | null
  readonly compaction: Compaction | null
  /** `microcompact_boundary`: the calls whose results are sent without their content from here on. */
  readonly cleared: readonly ToolUseId[]
}

/** Text typed while the model worked, delivered within the turn. */
export interface QueuedCommand {
  readonly text: TextDigest
  readonly typed: boolean
  readonly source: string | null
  readonly delivery: string | null
}

/** What Claude Code attached to a prompt: files, hooks, a queued message. */
export interface AttachmentEntry extends EntryBase {
  readonly kind: 'attachment'
  readonly subtype: string
  /** What a hook said that runs when a process starts, with a new conversation or one that it has loaded. */
  readonly startsProcess: boolean
  readonly queued: QueuedCommand | null
}

/** The status of a hook, a shell command or a subagent while it runs. */
export interface ProgressEntry extends EntryBase {
  readonly kind: 'progress'
  readonly subtype: string
  /** `hook_progress`: a hook that runs when a process starts, with a new conversation or one that it has loaded. */
  readonly startsProcess: boolean
  /** `agent_progress`: the agent, and the call that spawned it. */
  readonly spawned: { readonly agent: AgentId; readonly call: ToolUseId } | null
  /** `agent_progress`: the subagent's message that the row repeats, as an entry of the subagent. Its parent is unknown. */
  readonly carried: UserEntry | AssistantEntry | null
}

/** An entry of an unknown type. It keeps its ids, so that it does not break a chain. */
export interface OpaqueEntry extends EntryBase {
  readonly kind: 'opaque'
  readonly subtype: string
}

/** A record with a uuid. */
export type Entry = UserEntry | AssistantEntry | SystemEntry | AttachmentEntry | ProgressEntry | OpaqueEntry

/** What all notes have. */
export interface NoteBase {
  readonly session: SessionId | null
  readonly time: Instant | null
  readonly source: SourceSpan
}

/** A change of the queue of typed messages. */
export type QueueOperation = 'enqueue' | 'dequeue' | 'remove' | 'popAll' | 'other'

/** One step of the input queue. */
export interface QueueNote extends NoteBase {
  readonly kind: 'queue'
  readonly operation: QueueOperation
  readonly text: TextDigest | null
  readonly command: string | null
  readonly delivery: string | null
}

/** A name for a session; `summary` names the conversation that ends in `leaf`, which may lie in another file. */
export interface TitleNote extends NoteBase {
  readonly kind: 'title'
  readonly by: 'custom' | 'ai' | 'summary' | 'agent'
  readonly title: string
  readonly leaf: EntryId | null
}

/** Written when a process ends: another one writes what follows. `cost-state` since 2.1.2xx, before that `last-prompt`. */
export interface ProcessNote extends NoteBase {
  readonly kind: 'process-end'
  readonly by: 'cost-state' | 'last-prompt'
}

/** A workflow journal row. */
export interface JournalNote extends NoteBase {
  readonly kind: 'journal'
  readonly agent: AgentId | null
  readonly step: string
  /** What the script calls the subagent, and the phase it was started in. */
  readonly label: string | null
  readonly phase: string | null
}

/** A12: what is known of a subagent, as a row of its file: the Agent SDK writes its `.meta.json` so into a session store. */
export interface AgentMetaNote extends NoteBase {
  readonly kind: 'agent-meta'
  readonly meta: AgentMeta
}

/** Any other record without an id. */
export interface OtherNote extends NoteBase {
  readonly kind: 'other'
  readonly type: string
}

/** A record without a uuid. */
export type Note = QueueNote | TitleNote | ProcessNote | JournalNote | AgentMetaNote | OtherNote

/** A record of a transcript. */
export type TranscriptRecord = Entry | Note

/** The end of a `switch` over a union: fails to compile when a variant is forgotten. */
export function never(value: never): never {
  throw new RangeError(`unexpected variant ${String(value)}`)
}
