/**
 * Questions about single nodes: the only way to the graph's columns for everything outside this folder.
 *
 * A node is a number, valid for the graph it came from. Numbers of one file ascend in the order of its rows. A function that
 * may find nothing returns `none`; functions that take a node must not be given `none` unless they say so.
 */

import type { Diagnostic } from '../model/diagnostic.js'
import type { Entry, ResultState } from '../model/entry.js'
import type { FileId, MessageId, SessionId, ToolUseId } from '../model/ids.js'
import type { SourceSpan } from '../model/source.js'
import type { CompactionRecord } from './compactions.js'
import * as compactions from './compactions.js'
import { originalOf, repeatsIn } from './copies.js'
import { type Domain, domainOf as domainIn } from './domains.js'
import * as facts from './facts.js'
import type { FileRecord } from './file-record.js'
import type { Graph } from './graph.js'
import * as live from './live.js'
import * as messages from './messages.js'
import { nameOf } from './names.js'
import { foreignEntries as foreignIn } from './sessions.js'
import * as conversation from './sightings.js'
import { fileOf as fileIn, isPlaced as isPlacedIn, sessionOf as sessionIn, sightingIn } from './sightings.js'
import { type SpawnCall, stateOf } from './state.js'
import * as t from './table.js'
import * as tools from './tools.js'
import { findNotifications } from './tools.js'

/** No node, no message, no tool. */
export const none: number = t.none

/** The kind of an entry. */
type NodeKind = (typeof t.kinds)[number]
/** What a `user` entry is in the conversation; `none` for other kinds. */
export type UserRole = (typeof t.meanings)[number]

/** How many numbers nodes can have: the length of an array with a cell for each. */
export const nodeCount = (graph: Graph): number => stateOf(graph).table.size

// What a node is

/** The kind of its entry. */
export function kindOf(graph: Graph, node: number): NodeKind {
  return t.kinds[t.byte(stateOf(graph).table.kind, node)] ?? 'opaque'
}

/** What a `user` entry is in the conversation: a prompt, a result, a command ...; `none` for other kinds. */
export function roleOf(graph: Graph, node: number): UserRole {
  return t.meanings[t.byte(stateOf(graph).table.says, node)] ?? 'none'
}

/** The subtype of a system, attachment, progress or unknown entry; the first tool that an assistant entry calls. */
export const subtypeOf = (graph: Graph, node: number): string => compactions.subtypeOf(stateOf(graph), node)

/** A `user` entry. False for `none`. */
export function isUser(graph: Graph, node: number): boolean {
  return t.byte(stateOf(graph).table.kind, node) === t.User
}

/** An `assistant` entry. False for `none`. */
export function isAssistant(graph: Graph, node: number): boolean {
  return t.byte(stateOf(graph).table.kind, node) === t.Assistant
}

/** A `user` or `assistant` entry: a part of the conversation itself. False for `none`. */
export function isConversation(graph: Graph, node: number): boolean {
  return conversation.isConversation(stateOf(graph).table, node)
}

/** Text that began a turn: typed by a person or, in a subagent's conversation, given by the caller. False for `none`. */
export function isPrompt(graph: Graph, node: number): boolean {
  return t.byte(stateOf(graph).table.says, node) === t.SaysPrompt
}

/** The note that a person stopped the work. */
export function isInterrupt(graph: Graph, node: number): boolean {
  return t.byte(stateOf(graph).table.says, node) === t.SaysInterrupt
}

/** An assistant entry by the model: no notice of a failed request, nothing that the client wrote. */
export function isAnswer(graph: Graph, node: number): boolean {
  return isAssistant(graph, node) && !isMarked(graph, node, t.ApiError | t.Synthetic)
}

/** An entry with tool results. False for `none`. */
export function isResult(graph: Graph, node: number): boolean {
  return t.byte(stateOf(graph).table.says, node) === t.SaysResult
}

/** Whether a node is the summary that a compaction wrote. False for `none`. */
export function isSummary(graph: Graph, node: number): boolean {
  return t.byte(stateOf(graph).table.says, node) === t.SaysSummary
}

/** The boundary of a compaction. */
export const isBoundary = (graph: Graph, node: number): boolean => isMarked(graph, node, t.Boundary)

/** An assistant entry with tool calls. */
export const hasCalls = (graph: Graph, node: number): boolean => isMarked(graph, node, t.HasCalls)

/** An assistant entry with calls or results of tools that the API itself runs. */
export const hasApiTools = (graph: Graph, node: number): boolean => isMarked(graph, node, t.ApiTools)

/** An assistant entry with a block that is neither text nor thinking. */
export function hasBlocks(graph: Graph, node: number): boolean {
  return isMarked(graph, node, t.HasCalls | t.ApiTools | t.OtherBlocks)
}

/** Whether a node is an assistant entry with thinking only. */
export const isThinkingOnly = (graph: Graph, node: number): boolean => isMarked(graph, node, t.ThinkingOnly)

/** The notice of a failed request. */
export const isApiError = (graph: Graph, node: number): boolean => isMarked(graph, node, t.ApiError)

/** An entry of a subagent's conversation. */
export const isSidechain = (graph: Graph, node: number): boolean => isMarked(graph, node, t.Sidechain)

/** A row whose uuid stands on an earlier row of the same file. */
export const isRepeated = (graph: Graph, node: number): boolean => isMarked(graph, node, t.Repeated)

/** A9: the message of a subagent that a progress row carries. */
export const isCarried = (graph: Graph, node: number): boolean => isMarked(graph, node, t.Carried)

/** Text that a person typed during a turn and that was delivered within it. */
export const isQueuedPrompt = (graph: Graph, node: number): boolean => isMarked(graph, node, t.QueuedPrompt)

/** G3: an entry whose parent link closed a cycle and was cut. */
export const isCutFromParent = (graph: Graph, node: number): boolean => isMarked(graph, node, t.CutParent)

function isMarked(graph: Graph, node: number, mark: number): boolean {
  return t.marked(stateOf(graph).table, node, mark)
}

/** The parsed entry where it says more than these functions can (calls, results, prompts, boundaries); otherwise null. */
export function entryOf(graph: Graph, node: number): Entry | null {
  return stateOf(graph).table.entries[node] ?? null
}

/** A hash of its text, equal for equal texts; 0 without text. */
export const textHashOf = (graph: Graph, node: number): number => t.real(stateOf(graph).table.hash, node)

/** Milliseconds since 1970; NaN where the entry has no time, and for `none`. */
export function timeOf(graph: Graph, node: number): number {
  return node === t.none ? Number.NaN : t.real(stateOf(graph).table.time, node)
}

/** The same as null where the entry has no time. */
export function knownTimeOf(graph: Graph, node: number): number | null {
  const time = timeOf(graph, node)
  return Number.isNaN(time) ? null : time
}

/** The session that the entry names. */
export const sessionOf = (graph: Graph, node: number): SessionId => sessionIn(stateOf(graph), node)

/** The release that wrote the entry; empty where it names none. */
export function versionOf(graph: Graph, node: number): string {
  const state = stateOf(graph)
  return nameOf(state.versions, t.word(state.table.version, node))
}

// Where a node stands

/** The file that holds its row. */
export const fileOf = (graph: Graph, node: number): FileRecord => fileIn(stateOf(graph), node)

/** The file of a path; null where the graph has none. */
export function fileAt(graph: Graph, path: FileId): FileRecord | null {
  const state = stateOf(graph)
  return state.files[state.fileByPath.get(path) ?? t.none] ?? null
}

/** Whether a node stands in a file. False for `none`. */
export function isInFile(graph: Graph, node: number, file: FileRecord): boolean {
  return t.int(stateOf(graph).table.file, node) === file.index
}

/** Whether two nodes stand in the same file. */
export function isSameFile(graph: Graph, a: number, b: number): boolean {
  const { file } = stateOf(graph).table
  return t.int(file, a) === t.int(file, b)
}

/** The number of its row, from 1. */
export const rowOf = (graph: Graph, node: number): number => t.int(stateOf(graph).table.row, node)

/** How many bytes its row has. */
export const lengthOf = (graph: Graph, node: number): number => t.real(stateOf(graph).table.length, node)

/** Its row and the bytes of it. */
export function locationOf(graph: Graph, node: number): SourceSpan {
  const { row, offset, length } = stateOf(graph).table
  return { row: t.int(row, node), offset: t.real(offset, node), length: t.real(length, node) }
}

/** The node of a uuid in one file, or `none`. */
export function nodeInFile(graph: Graph, id: string, file: FileRecord): number {
  return sightingIn(stateOf(graph), id, file.index)
}

/** The last entry of the same conversation on the rows before this one, or `none`. */
export function entryBefore(graph: Graph, node: number): number {
  return compactions.lastBefore(stateOf(graph), node)
}

/** Whose conversation it belongs to. */
export const domainOf = (graph: Graph, node: number): Domain => domainIn(stateOf(graph), node)

/** The node that stands for its uuid in the graph: one of several where several files hold the entry. */
export const ownerOf = (graph: Graph, node: number): number => t.int(stateOf(graph).table.owner, node)

/** G7: the node it repeats under another uuid, or `none`. */
export const copiedFrom = (graph: Graph, node: number): number => t.int(stateOf(graph).table.copyOf, node)

/** The node on a line that stands for this one: its owner, or what that one is a copy of. `none` for `none`. */
export function placedNode(graph: Graph, node: number): number {
  return node === t.none ? node : originalOf(stateOf(graph).table, node)
}

/** Whether it is on a line: it stands for its uuid and is not a copy. */
export const isPlaced = (graph: Graph, node: number): boolean => isPlacedIn(stateOf(graph), node)

// Parents and children

/** The uuid that the entry names as its parent; null for a root. */
export function parentIdOf(graph: Graph, node: number): string | null {
  return stateOf(graph).table.parentIds[node] ?? null
}

/** The parent as recorded; `none` for roots, for entries whose parent was never written, and for `none`. */
export const parentOf = (graph: Graph, node: number): number => t.int(stateOf(graph).table.parent, node)

/** The node before it on its line, or the one its line hangs on: over compactions, past copies (C1, G7). `none` for roots. */
export const lineParentOf = (graph: Graph, node: number): number => t.int(stateOf(graph).table.up, node)

/** The nearest of a node and its recorded ancestors that passes a test, or `none`. */
export function findAncestor(graph: Graph, node: number, test: (node: number) => boolean): number {
  const { parent } = stateOf(graph).table
  let above = node
  while (above !== t.none && !test(above)) above = t.int(parent, above)
  return above
}

/** The same by `lineParentOf`: over compactions, past copies. */
export function findLineAncestor(graph: Graph, node: number, test: (node: number) => boolean): number {
  const { up } = stateOf(graph).table
  let above = node
  while (above !== t.none && !test(above)) above = t.int(up, above)
  return above
}

/** The nodes that hang on it by `lineParentOf`, in the order of writing. */
export function children(graph: Graph, node: number): readonly number[] {
  return t.childrenOf(stateOf(graph).table, node)
}

/** A copy of all recorded parents, by node. */
export function parentLinks(graph: Graph): Int32Array {
  const { table } = stateOf(graph)
  return table.parent.slice(0, table.size)
}

/** Whether a `user` or `assistant` entry is here or below it. */
export function holdsConversation(graph: Graph, node: number): boolean {
  return (t.byte(stateOf(graph).table.facts, node) & facts.Conversation) !== 0
}

// Messages, calls and results

/** The number of the API message that an assistant entry is a part of; `none` without one. */
export const messageOf = (graph: Graph, node: number): number => t.int(stateOf(graph).table.message, node)

/** The id of a message. */
export const messageIdOf = (graph: Graph, message: number): MessageId =>
  messages.messageIdOf(stateOf(graph), message)

/** The parts of a message in the order of reading, in all files; nothing for `none`. */
export const partsOf = (graph: Graph, message: number): readonly number[] =>
  messages.partsOf(stateOf(graph), message)

/** The unit of conversation: one number for a message and all its results, another for each other `user` entry. */
export const unitOf = (graph: Graph, node: number): number => facts.unitOf(stateOf(graph), node)

/** T1: the tools that an assistant entry calls, or a `user` entry answers: a number for each tool use. */
export const toolsOf = (graph: Graph, node: number): readonly number[] => tools.toolsOf(stateOf(graph), node)

/** The number of a tool use, or `none`. */
export const findTool = (graph: Graph, id: string): number => tools.findTool(stateOf(graph), id)

/** The id of a tool use. */
export const toolIdOf = (graph: Graph, tool: number): ToolUseId => tools.toolId(stateOf(graph), tool)

/** The nodes that make a call, by path and row. */
export const callsOf = (graph: Graph, tool: number): readonly number[] => tools.callsOf(stateOf(graph), tool)

/** The nodes that answer it, by path and row. */
export function resultsOf(graph: Graph, tool: number): readonly number[] {
  return tools.resultsOf(stateOf(graph), tool)
}

/** The result that a call means: of its own file first, then of its session; or `none`. */
export function resultFor(graph: Graph, tool: number, call: number): number {
  return tools.resultFor(stateOf(graph), tool, call)
}

/** T2: how the call ended that a `user` entry answers; the nth of them where it answers several. */
export function endingOf(graph: Graph, node: number, nth: number): ResultState {
  return tools.endingOf(stateOf(graph), node, nth)
}

/** Whether a result tells of an error or a denial; of several in one entry the last counts. */
export function isFailedResult(graph: Graph, node: number): boolean {
  const ending = t.endings[t.byte(stateOf(graph).table.ending, node)]
  return isResult(graph, node) && (ending === 'error' || ending === 'denied')
}

/** A6: entries that tell the end of a task in the background, by the task and by the call they name. */
export function taskNotifications(graph: Graph): ReadonlyMap<string, number> {
  return findNotifications(stateOf(graph))
}

/** Every call that starts a subagent, in the order of reading. */
export const spawnCalls = (graph: Graph): readonly SpawnCall[] => stateOf(graph).spawnCalls

// Compactions, and what is sent

/** The compaction that a boundary or summary belongs to; null for other nodes. */
export function compactionAt(graph: Graph, node: number): CompactionRecord | null {
  return stateOf(graph).compactionOf.get(node) ?? null
}

/** The newest compaction between an entry and its parent; null where there is none. */
export function compactionBetween(graph: Graph, node: number, parent: number): CompactionRecord | null {
  return compactions.compactionBetween(stateOf(graph), node, parent)
}

/** L2: the last entry of a file's live conversation, or `none`. */
export function liveLeaf(graph: Graph, { index }: FileRecord): number {
  const file = stateOf(graph).files[index]
  return file === undefined ? t.none : live.liveLeaf(stateOf(graph), file)
}

/** The chain of a leaf, last entry first, up to the root or the boundary of the newest compaction. */
export function liveChain(graph: Graph, leaf: number): readonly number[] {
  return live.liveChain(stateOf(graph), leaf)
}

/** Who sends a chain: the process that wrote it or one that loads the file; and the entry that the conversation ends in. */
export interface ChainSending {
  readonly by: 'writer' | 'loader'
  /** `none` where a prompt follows: then nothing is under way. */
  readonly leaf?: number
}

/** L3: what is sent of a chain, or of the lower part of one. */
export function sentOnChain(
  graph: Graph,
  file: FileRecord,
  chain: readonly number[],
  { by, leaf = t.none }: ChainSending,
): readonly number[] {
  const send = by === 'writer' ? live.sendChain : live.resumeChain
  const state = stateOf(graph)
  const own = state.files[file.index]
  return own === undefined ? [] : send(state, own, chain, leaf).nodes
}

// What is odd in files

/** What was odd about rows when they were read. */
export const readingDiagnostics = (graph: Graph): readonly Diagnostic[] => stateOf(graph).diagnostics

/** G3: the entries whose parent link closed a cycle. */
export const cycleCuts = (graph: Graph): readonly number[] => stateOf(graph).cuts

/** G7: the nodes of a list that repeat an earlier one of it under another uuid, each with the first. */
export function copiesAmong(graph: Graph, nodes: readonly number[]): ReadonlyMap<number, number> {
  return repeatsIn(stateOf(graph).table, nodes)
}

/** The entries of a file that carry another session's id and are not copied from there. */
export function foreignEntries(graph: Graph, file: FileRecord, session: string): readonly number[] {
  return foreignIn(stateOf(graph), file, session)
}
