/**
 * The four forms of a conversation. They are equal in a healthy session, and most of the work on a broken one is to hold one
 * against another:
 *
 *   live      what the next request carries, by the graph alone        graph.live(file)
 *   loaded    what a release of Claude Code loads when it resumes      loadedBy(graph, path, { version })
 *   sent      what a request carries that goes on from any entry       sentAt(graph, leaf)
 *   promised  what a resume of an edited session has to load           draft.promised()
 *
 * All list user and assistant entries, each once, in the order of the request. Entries are nodes of the graph.
 */
import type { EntryId } from '../model/ids.js'
import type { Json } from '../parse/json.js'
import type { ChainStop } from './chain.js'

/** Live: what the next request of the process that wrote the file carries. It does not depend on any release's loader. */
export type LiveConversation = readonly number[]

/** Loaded: what a release of Claude Code loads from the file on resume, right or wrong (D1). */
export interface LoadedConversation {
  readonly nodes: readonly number[]
  /** Where the chain broke off before a root, and why; null where it did not. */
  readonly stop: { readonly node: number; readonly why: ChainStop } | null
  /** The entry that is taken for the end of the conversation; null in an empty file. */
  readonly leaf: number | null
}

/** Sent: what a request carries that continues at some entry of the graph, and the rows to write so that it does. */
export interface SentConversation {
  /** What the request carries; the calls of a message stand behind its texts. */
  readonly sent: readonly number[]
  /** The same in the order in which a file gives them that keeps its links. */
  readonly live: LiveConversation
  /** Every entry to write, in order: what is sent, and the attachments and notices of the chain between. */
  readonly nodes: readonly number[]
  /** Messages of the chain that are not sent: unanswered calls, thinking alone, notices of failed requests. */
  readonly left: readonly number[]
}

/** Promised: what a resume of an edited session has to load. The proof of an edit compares the result with it (E2). */
export type PromisedConversation = readonly ConversationItem[]

/** An entry of a conversation under edit: a node of the graph, or a row that the edit inserts. */
export type ConversationItem = number | InsertedRow

/** A row that no file has: a result for a call that never got one, or a first prompt. */
export interface InsertedRow {
  readonly id: EntryId
  readonly record: Json
  /** The node that it follows; none at the beginning. */
  readonly parent: number
}
