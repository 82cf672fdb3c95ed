/**
 * L13: what the request behind an answer carried.
 *
 *   answer -> its chain of parents -> what was sent of it (sending.ts), as of the answer's first row (moment.ts)
 *
 * The contexts of one conversation share their beginnings, so each is held as so many entries of the one before it, and the
 * entries that follow them (grow-context.ts).
 */
import type { FileId, MessageId } from '../model/ids.js'
import { type Answer, answerOf, answersIn, chainAbove } from './answers.js'
import { isGap, isShorter, isShrunk, isUnmarked, mayLoseRest } from './context-doubts.js'
import { domainOf } from './domains.js'
import type { OpenFile } from './file-record.js'
import { createGrowing, type Growing, growTo } from './grow-context.js'
import { filesOn } from './live.js'
import { messageIdOf } from './messages.js'
import { positionsIn } from './positions.js'
import { endsByPrompt, lastProcessEnd } from './processes.js'
import { answeredAt, lastStartOn, type Sending } from './sending.js'
import { sendingOrder } from './sending-order.js'
import { attachmentsOf } from './sent-attachments.js'
import { isAnswer, isInput, isOldest, startsTurn } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { findTool, toolsOf } from './tools.js'
import { lostUpTo, overtakenFrom } from './unsent.js'

/** L14: why a transcript cannot tell what a request carried; the entries are then the likely ones. */
export type UnknownContext =
  /** Another process may have sent it, and would have sent less. Releases before 2.1.70 do not mark its start. */
  | 'unmarked-process'
  /** The request was far smaller than the one before, and nothing tells why: 1.x compacts without a trace. */
  | 'unseen-compaction'
  /** The request was shorter than the one before it in the same turn, and nothing tells what it left out. */
  | 'shorter-request'
  /** Only progress rows hold the subagent's messages. They name no parents, and may not be all. */
  | 'progress-rows'
  /** An entry of the conversation hangs on one that is in no file. */
  | 'missing-entries'

/** The first so many items of an earlier list, then others. */
export interface ListChange {
  readonly kept: number
  readonly added: readonly number[]
}

/** What a request carried: the first `kept` entries of an earlier one, then `added`; and the attachments beside them. */
export interface ContextChange extends ListChange {
  readonly base: Context | null
  readonly attachments: ListChange
}

/** What the request behind an answer carried; `contextEntries` lists it. */
export interface Context extends ContextChange {
  readonly file: FileId
  readonly message: MessageId | null
  /** The entries of the answer, in the order of rows. */
  readonly reply: readonly number[]
  readonly unknown: UnknownContext | null
}

/** How many entries a request carried. */
export const contextSize = ({ kept, added }: ListChange): number => kept + added.length

/** The user and assistant entries that a request carried, in the order of sending. */
export function contextEntries(context: ContextChange): readonly number[] {
  return listOf(context, change => change)
}

/** The attachments on the way of a request, in the order of rows. What each put into it, if anything, its content tells. */
export function contextAttachments(context: ContextChange): readonly number[] {
  return listOf(context, ({ attachments }) => attachments).sort((a, b) => a - b)
}

/** L15: results that a request carried without their content: a small compaction on its way had cleared it. */
export function clearedIn(state: State, context: Context): readonly number[] {
  const first = context.reply[0]
  if (first === undefined) return []
  const tools = new Set<number>()
  for (const node of chainAbove(answerOf(state, first), () => false)) {
    const entry = t.byte(state.table.kind, node) === t.System ? state.table.entries[node] : undefined
    if (entry?.kind === 'system') for (const id of entry.cleared) tools.add(findTool(state, id))
  }
  if (tools.size === 0) return []
  const isCleared = (node: number): boolean => toolsOf(state, node).some(tool => tools.has(tool))
  return contextEntries(context).filter(
    node => t.byte(state.table.says, node) === t.SaysResult && isCleared(node),
  )
}

function listOf(context: ContextChange, pick: (change: ContextChange) => ListChange): number[] {
  const { kept, added } = pick(context)
  const list = new Array<number>(kept + added.length)
  let end = list.length
  for (let at: ContextChange | null = context; at !== null && end > 0; at = at.base) {
    const change = pick(at)
    for (let i = end - 1; i >= change.kept; i--) list[i] = change.added[i - change.kept] ?? t.none
    end = Math.min(end, change.kept)
  }
  return list
}

/** The context of the answer that an entry is a part of; null for an entry that is not an answer of the model. */
export function contextAt(state: State, node: number): Context | null {
  if (!isAnswer(state, node)) return null
  const answer = answerOf(state, node)
  const plain = isOfDoubtfulRelease(answer) ? null : alone(answer)
  if (plain !== null) return plain
  const growing = createGrowing(state, answer.file)
  const change = growTo(growing, answer)
  return contextOf(answer, change, unknownIn(growing, answer))
}

/** The contexts of all answers in a file, in the order of their first rows. */
export function contextsIn(state: State, file: OpenFile): readonly Context[] {
  const conversations = new Map<number, Growing>()
  const promptEnds = endsByPrompt(state, file)
  const contexts: Context[] = []
  for (const answer of answersIn(state, file)) {
    const domain = domainOf(state, answer.first).index
    const growing = conversations.get(domain) ?? createGrowing(state, file, promptEnds)
    conversations.set(domain, growing)
    const change = growTo(growing, answer)
    growing.last = contextOf(answer, change, unknownIn(growing, answer))
    contexts.push(growing.last)
  }
  return contexts
}

/** A context by itself: much quicker than growing one from nothing. Null where files of other sessions may be lost (L21). */
function alone(answer: Answer): Context | null {
  const { state, file, moment } = answer
  const { table } = state
  const chain = chainAbove(answer, () => false).toReversed()
  const files = filesOn(table, chain)
  if (files.size > 1) return null
  const prompt = chain.findLast(node => isInput(table, node)) ?? t.none
  const loadedUpTo = lastProcessEnd(state, file, prompt, moment)
  const turn = chain.findLastIndex(node => startsTurn(table, node))
  const sending: Sending = {
    ...{ state, file, chain, moment, loadedUpTo },
    positions: positionsIn(chain, table.size),
    files,
    lastStart: lastStartOn(state, file, chain),
    lostUpTo: lostUpTo({ state, file, chain, moment, loadedUpTo }),
    ...{ turn, overtakenFrom: overtakenFrom(table, chain, turn, moment) },
    ...answeredAt(table, chain),
  }
  const added = sendingOrder(sending)
  const hasGap = state.orphans.size > 0 && chain.some(node => isGap(state, node))
  const change = {
    base: null,
    kept: 0,
    added,
    attachments: { kept: 0, added: attachmentsOf(sending, added) },
  }
  const isDoubtful = mayLoseRest(state, file, chain)
  return contextOf(answer, change, isDoubtful ? 'unmarked-process' : unknownBecause(answer, hasGap))
}

function contextOf(
  { state, file, first, reply }: Answer,
  change: ContextChange,
  unknown: UnknownContext | null,
): Context {
  const message = t.int(state.table.message, first)
  const id = message === t.none ? null : messageIdOf(state, message)
  return { file: file.facts.path, message: id, reply, ...change, unknown }
}

// L14: what a transcript cannot tell.

function unknownIn(growing: Growing, answer: Answer): UnknownContext | null {
  if (dependsOnStart(growing, answer)) return 'unmarked-process'
  if (growing.shrinks.length > 0 || isShrunk(answer.state, answer.first)) return 'unseen-compaction'
  return unknownBecause(answer, growing.gaps.length > 0)
}

/** Whether a process may have begun behind an entry that only the process before would send, or would not lose. */
function dependsOnStart(
  { starts, partials, rests, progress, borders, doubtfulStarts, lostUpTo: lost }: Growing,
  answer: Answer,
): boolean {
  const last = starts.at(-1) ?? -1
  if (last > (rests[0] ?? last)) return true
  const border = borders.at(-1) ?? lost
  if (border > lost && (doubtfulStarts.at(-1) ?? lost) > border) return true
  if (!isUnmarked(answer)) return false
  const lossy = answer.moment.losesProgress ? progress.find(at => at >= lost) : undefined
  return last > Math.min(partials[0] ?? last, lossy ?? last)
}

function unknownBecause({ state, first }: Answer, hasGap: boolean): UnknownContext | null {
  if (t.marked(state.table, first, t.Carried)) return 'progress-rows'
  if (isShorter(state, first)) return 'shorter-request'
  return hasGap ? 'missing-entries' : null
}

function isOfDoubtfulRelease(answer: Answer): boolean {
  return isUnmarked(answer) || isOldest(answer.state, answer.first)
}
