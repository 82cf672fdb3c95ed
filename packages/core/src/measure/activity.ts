/** J2: what a conversation is doing at the end of its transcript. */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import {
  fileAt,
  isApiError,
  isAssistant,
  isConversation,
  isInterrupt,
  isPrompt,
  isSidechain,
  knownTimeOf,
  liveChain,
  liveLeaf,
  messageOf,
  none,
  partsOf,
  roleOf,
} from '../graph/nodes.js'
import type { QueueStep } from '../graph/queue.js'
import type { FileId } from '../model/ids.js'
import { callsIn } from './tools.js'

/** A tool call without a result. */
export interface OpenCall {
  readonly tool: string
  /** The entry with the call. */
  readonly node: number
}

/**
 * What a conversation is doing, by its last entries. `working`: a request is under way, or about to be sent. `calling`: tool
 * calls have no result yet; they run, or wait for a permission. `asking`: a call puts a question to the user. `idle`: the
 * answer is complete. `failed`: the last request failed. `interrupted`: the user stopped it.
 */
export type Doing = 'working' | 'calling' | 'asking' | 'idle' | 'failed' | 'interrupted'

/** What a conversation is doing at the end of its transcript. */
export interface Activity {
  readonly doing: Doing
  /** The calls that have no result. */
  readonly calls: readonly OpenCall[]
  /** The last entry of the conversation; null where there is none. */
  readonly node: number | null
  /** Its time, in milliseconds since 1970. */
  readonly since: number | null
}

/** Tools that wait for the user. */
const QUESTIONS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode'])

/** What the conversation of a transcript is doing at its end; null where the graph has no such file. */
export function activityOf(graph: Graph, path: FileId): Activity | null {
  const file = fileAt(graph, path)
  if (file === null) return null
  const node = lastEntry(graph, file)
  if (node === none) return { doing: 'idle', calls: [], node: null, since: null }
  const calls = openCalls(graph, liveLeaf(graph, file))
  return { doing: doingAt(graph, node, calls), calls, node, since: knownTimeOf(graph, node) }
}

/** The notice of a failed request stands behind what is live, and does not belong to it. */
function lastEntry(graph: Graph, file: FileRecord): number {
  const leaf = liveLeaf(graph, file)
  const isOwn = (node: number): boolean => file.facts.kind === 'agent' || !isSidechain(graph, node)
  const last = file.nodes.findLast(node => isOwn(node) && isConversation(graph, node)) ?? none
  return last !== none && isApiError(graph, last) ? last : leaf
}

function doingAt(graph: Graph, node: number, calls: readonly OpenCall[]): Doing {
  if (isApiError(graph, node)) return 'failed'
  if (isInterrupt(graph, node)) return 'interrupted'
  if (calls.some(({ tool }) => QUESTIONS.has(tool))) return 'asking'
  if (calls.length > 0) return 'calling'
  return isAwaited(graph, node) ? 'working' : 'idle'
}

/** Whether an answer is to follow. What local commands print, and the summary of a compaction, call for none. */
function isAwaited(graph: Graph, node: number): boolean {
  if (isAssistant(graph, node) || graph.isLocal(node)) return false
  return roleOf(graph, node) !== 'summary'
}

/**
 * The calls of the last turn that have no result; those of earlier turns were given up. Results of parallel calls hang on
 * different parts of a message, so all parts count.
 */
function openCalls(graph: Graph, leaf: number): readonly OpenCall[] {
  const found = new Map<string, OpenCall>()
  for (const node of liveChain(graph, leaf)) {
    if (isPrompt(graph, node)) break
    for (const part of partsWith(graph, node))
      for (const { id, tool, result } of callsIn(graph, part))
        if (result === none) found.set(id, { tool, node: part })
  }
  return [...found.values()].toSorted((a, b) => a.node - b.node)
}

function partsWith(graph: Graph, node: number): readonly number[] {
  const message = messageOf(graph, node)
  return message === none ? [node] : partsOf(graph, message)
}

/** Q1: texts that were typed during the turn and wait in the queue of a transcript, as long as its process runs. */
export function queuedIn(graph: Graph, path: FileId): readonly QueueStep[] {
  const queue = graph.queues().find(({ file }) => file.facts.path === path)
  return (queue?.steps ?? []).filter(
    ({ note, became, node }) => note.operation === 'enqueue' && became === 'lost' && node === null,
  )
}
