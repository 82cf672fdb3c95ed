/** L3, L10: from a chain to what is sent: whole messages with the results of their calls, less what is never sent. */

import { originalOf } from './copies.js'
import { callAnswered, unitOf } from './facts.js'
import type { OpenFile } from './file-record.js'
import { firstPartOf } from './messages.js'
import { hasCostStates, isWritten, type Moment } from './moment.js'
import { compareLocations, compareTimes } from './order.js'
import { createMarks, createNodeList, type Positions } from './positions.js'
import { mayBeStart } from './processes.js'
import { repeatsRequest } from './request-size.js'
import {
  forgetsNotices,
  isConversation,
  isEarly,
  isOldest,
  makesUpResults,
  sendsNotices,
  startsTurn,
  thoughtsOf,
} from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { isPair, resultFor, resultsOf, toolId, toolsOf } from './tools.js'

/** From the chain to what is sent: whole messages with their results, in order. */
export function sendingOrder(sending: Sending): readonly number[] {
  const { table, messages } = sending.state
  const { chain } = sending
  const sent = createNodeList(chain.length, table.size)
  const whole = createMarks(chain.length, messages.firstPart.length)
  for (const node of chain) {
    const message = messageAt(table, node)
    if (message !== t.none && whole.has(message)) continue
    const nodes = sentAt(sending, node)
    if (nodes === null) continue
    for (const each of nodes) sent.add(each)
    if (message !== t.none) whole.add(message)
  }
  return sent.list
}

/** The end of a conversation whose last request was answered: nothing before the answer is under way. */
export function answeredAt(
  table: t.Table,
  chain: readonly number[],
): Pick<Sending, 'leaf' | 'lastUnit' | 'isWhole'> {
  const leaf = chain.findLast(node => isConversation(table, node)) ?? t.none
  return { leaf, lastUnit: t.none, isWhole: false }
}

/**
 * What is sent where an entry stands on the chain: it alone, or the whole message that it is the first part of. Null for
 * entries that are never sent.
 */
export function sentAt(sending: Sending, node: number): readonly number[] | null {
  const { state } = sending
  if (!isConversation(state.table, node) || isUnsent(sending, node)) return null
  const message = messageAt(state.table, node)
  if (message === t.none) return isOfReplaced(sending, node) ? null : [node]
  return plainlySent(sending, node, message) ?? sentUnit(sending, message)
}

/**
 * What is sent of a message of one entry, with no call or one that the next entry of the conversation answers: it, and
 * the result. So are nearly all, and no rule about several parts, open calls or a resume has a say. Null for others.
 */
function plainlySent(sending: Sending, node: number, message: number): readonly number[] | null {
  const { state, moment } = sending
  const { table } = state
  if (message === sending.lastUnit || moment.walksParents) return null
  if (firstPartOf(state, message) !== node || t.int(table.nextPart, node) !== t.none) return null
  if (t.marked(table, node, t.Repeated | t.ThinkingOnly) || isReplaced(sending, [node])) return null
  const tool = t.int(table.tool, node)
  if (tool === t.none) return [node]
  if (!isPair(state, tool)) return null
  const result = nextOnChain(sending, node)
  const answer = resultFor(state, tool, node)
  if (answer !== result || t.marked(table, result, t.Repeated) || !isWritten(table, moment, result))
    return null
  return [node, result]
}

/** The message that an answer is a part of; none for other entries. */
export function messageAt(table: t.Table, node: number): number {
  return t.byte(table.kind, node) === t.Assistant ? t.int(table.message, node) : t.none
}

/** Whether an entry of the chain is not sent, whatever it is a part of. */
function isUnsent(sending: Sending, node: number): boolean {
  if (isUnsentNotice(sending, node) || isLost(sending, node)) return true
  return isOvertaken(sending, node) || isCompactedCommand(sending, node)
}

/**
 * L17: whether an entry came after the prompt that stands below it: a stop hook and what was typed had started two turns at once. The
 * requests of the later turn carry the conversation as it was when it began (recording random-2.0.1/81).
 */
function isOvertaken({ overtakenFrom, positions, turn }: Sending, node: number): boolean {
  const at = positions.get(node) ?? turn
  return at >= overtakenFrom && at < turn
}

/**
 * The position of the first of the entries above the prompt of a turn that came after it, and before the end of the turn; that of the
 * prompt for none. A turn that was copied there is older than all above it.
 */
export function overtakenFrom(
  table: t.Table,
  chain: readonly number[],
  turn: number,
  { time: asked }: Moment,
): number {
  const prompt = chain[turn] ?? t.none
  const last = chain.at(-1)
  const end = last === undefined || last === prompt ? asked : t.real(table.time, last)
  if (t.byte(table.says, prompt) !== t.SaysPrompt) return turn
  let first = turn
  for (let at = turn - 1; at >= 0; at--) {
    const node = chain[at] ?? t.none
    if (!isConversation(table, node)) continue
    const time = t.real(table.time, node)
    if (!(time > t.real(table.time, prompt) && time < end) || !isRowBefore(table, node, prompt)) break
    first = at
  }
  return first
}

function isRowBefore({ file, row }: t.Table, a: number, b: number): boolean {
  return t.int(file, a) === t.int(file, b) && t.int(row, a) < t.int(row, b)
}

/** Notices of failed requests are not sent, but by old releases from the next turn on. */
function isUnsentNotice(sending: Sending, node: number): boolean {
  const { state, leaf } = sending
  if (!t.marked(state.table, node, t.ApiError)) return false
  if (node === leaf || !sendsNotices(state, node) || isOfLastTurn(sending, node)) return true
  return forgetsNotices(state, node) && isInMemory(sending, node)
}

/** Whether an entry of the chain stands in the turn that the request belongs to. */
function isOfLastTurn({ positions, turn }: Sending, node: number): boolean {
  return turn >= 0 && (positions.get(node) ?? turn) > turn
}

/** Whether the process of the last prompt has an entry of 1.x or 2.0.x in memory, as far as these releases tell. */
function isInMemory(sending: Sending, node: number): boolean {
  return !isLoaded(sending, node) && sending.lastStart <= (sending.positions.get(node) ?? -1)
}

/**
 * C1: 1.x writes what was typed to compact behind the summary, with the time at which it was typed: the process that
 * compacted does not send it, one that has loaded the file does (walks of 1.0.128).
 */
function isCompactedCommand(sending: Sending, node: number): boolean {
  return isWrittenBehindSummary(sending, node) && isInMemory(sending, node)
}

function isWrittenBehindSummary({ state, chain }: Sending, node: number): boolean {
  const { table } = state
  const says = t.byte(table.says, node)
  if (says !== t.SaysCaveat && says !== t.SaysCommand) return false
  const first = chain[0] ?? t.none
  if (!isOldest(state, node) || !t.marked(table, first, t.Boundary)) return false
  return t.real(table.time, node) < t.real(table.time, first)
}

/** L13: whether an entry stands above a progress row, and a process of 2.1.8 has loaded both. */
export function isLost({ lostUpTo, positions }: Sending, node: number): boolean {
  return lostUpTo > 0 && (positions.get(node) ?? 0) < lostUpTo
}

/** The position of the last prompt on a chain that another process may have begun with; -1 for none. */
export function lastStartOn(state: State, file: OpenFile, chain: readonly number[]): number {
  return chain.findLastIndex(node => mayBeStart(state, file, node))
}

/** The position on the chain before which a process of 2.1.8 has lost all that it loaded; 0 where nothing was lost. */
export function lostUpTo(
  sending: Pick<Sending, 'chain' | 'file' | 'loadedUpTo' | 'moment' | 'state'>,
): number {
  const { state, chain, moment } = sending
  if (!moment.losesProgress) return 0
  const isProgress = (node: number): boolean => t.byte(state.table.kind, node) === t.Progress
  return chain.findLastIndex(node => isProgress(node) && isLoaded(sending, node)) + 1
}

/** A message as it is sent: its parts by their chain, then the results of their calls. */
function sentUnit(sending: Sending, message: number): readonly number[] {
  const { state, moment } = sending
  const isLast = message === sending.lastUnit
  const all = partsIn(sending, message)
  if (isReplaced(sending, all)) return []
  const hasOpen = !isLast && !moment.sendsOpenCalls && all.some(part => isUnanswered(sending, part))
  const whole =
    hasOpen && !isAskedAgain(sending, all) ? all.filter(part => !isUnanswered(sending, part)) : all
  const {
    parts,
    isBare,
    madeUp = t.none,
  } = isForgotten(sending, whole) ? forgottenParts(sending, whole) : cutWhereResumed(sending, whole)
  if (!isLast && parts.every(part => isThought(state, part)) && dropsThoughts(sending, all)) return []
  const results = resultsFollowing(sending, message, parts)
  if (results.length === 0) return parts
  if (!isBare) return [...parts, ...results]
  const isSent = (result: number): boolean =>
    sending.positions.has(result) || (madeUp !== t.none && callAnswered(state, result) === madeUp)
  return [...parts, ...results.filter(isSent)]
}

/**
 * L16: a reply that broke off, also behind a call that had run: the process asked again for the same, and the other reply of this turn
 * takes its place. Only the length of the request tells that it carried neither the first one nor its results.
 */
function isReplaced(sending: Sending, parts: readonly number[]): boolean {
  const last = parts.findLast(part => sending.positions.has(part))
  if (last === undefined || !isOfLastTurn(sending, last)) return false
  const next = replyBehind(sending, last)
  if (next === t.none || isAnsweredBehind(sending, parts, next)) return false
  return repeatsRequest(sending.state, next, last)
}

/** Whether the calls of a reply of 1.x were run together with those of the reply behind it: both are sent (walk of 1.0.24). */
function isAnsweredBehind({ state, positions }: Sending, parts: readonly number[], next: number): boolean {
  const at = positions.get(next)
  if (at === undefined || !isOldest(state, next)) return false
  const results = parts.flatMap(part => toolsOf(state, part)).flatMap(tool => resultsOf(state, tool))
  return results.some(result => (positions.get(result) ?? -1) > at)
}

/** Whether a result answers a call of a reply that broke off. */
function isOfReplaced(sending: Sending, node: number): boolean {
  if (t.byte(sending.state.table.says, node) !== t.SaysResult || !isOfLastTurn(sending, node)) return false
  const call = callAnswered(sending.state, node)
  return call !== t.none && isReplaced(sending, [call])
}

/** The reply that follows a part of an answer, its calls and their results, in the same turn; or none. */
function replyBehind({ state: { table }, chain, moment, positions }: Sending, part: number): number {
  const message = t.int(table.message, part)
  for (let i = (positions.get(part) ?? chain.length) + 1; i < chain.length; i++) {
    const next = chain[i] ?? t.none
    if (!isConversation(table, next) || t.byte(table.says, next) === t.SaysResult) continue
    if (t.byte(table.kind, next) !== t.Assistant) return t.none
    if (t.int(table.message, next) !== message) return next
  }
  return moment.answer
}

/**
 * A reply that broke off behind a call, and another one in the same turn: from the next turn on, the process that asked
 * again sends the call, too. One that has loaded the file does not (walks of 2.1.75 and 2.1.90 that lost connections).
 */
function isAskedAgain(sending: Sending, parts: readonly number[]): boolean {
  const next = replyAgain(sending, parts)
  return next !== t.none && (!isEarly(sending.state, next) || isInMemory(sending, next))
}

/** The reply of the same process and turn that follows one which broke off, once another turn has begun; or none. */
function replyAgain(sending: Sending, parts: readonly number[]): number {
  const { table } = sending.state
  const last = parts.findLast(part => sending.positions.has(part))
  if (last === undefined || isLoaded(sending, last) || isOfLastTurn(sending, last)) return t.none
  const next = nextOnChain(sending, last)
  if (next === t.none || t.marked(table, next, t.Synthetic)) return t.none
  return t.byte(table.kind, next) === t.Assistant ? next : t.none
}

/**
 * L14: whether it depends on the process what is sent of an entry of 1.x or 2.0.x, which do not mark where one ends: a
 * reply that broke off behind a call, a notice, or a command to compact.
 */
export function dependsOnProcess(sending: Sending, node: number): boolean {
  const { state } = sending
  if (isLoaded(sending, node)) return false
  if (isThought(state, node) && thoughtsOf(state, node) === 'sent-unless-loaded') return true
  if (!isEarly(state, node)) return false
  if (t.marked(state.table, node, t.ApiError)) return forgetsNotices(state, node)
  if (isWrittenBehindSummary(sending, node)) return true
  const message = messageAt(state.table, node)
  if (message === t.none || sending.moment.sendsOpenCalls) return false
  const parts = partsIn(sending, message)
  return parts.some(part => isUnanswered(sending, part)) && replyAgain(sending, parts) !== t.none
}

function isThought({ table }: State, part: number): boolean {
  return t.marked(table, part, t.ThinkingOnly)
}

/**
 * L7: whether the process drops a message of which only thinking is sent. Releases that look for such messages when they load a
 * file see them whole, before they cut one for `--resume-session-at` (walks of 2.1.31).
 */
function dropsThoughts(sending: Sending, parts: readonly number[]): boolean {
  const { state } = sending
  const thoughts = thoughtsOf(state, parts[0] ?? t.none)
  if (thoughts !== 'sent-unless-loaded') return thoughts === 'dropped'
  const last = parts.findLast(part => sending.positions.has(part)) ?? t.none
  if (!isLoaded(sending, last)) return false
  return parts.every(part => isThought(state, part)) || isLoaded(sending, nextOnChain(sending, last))
}

/** L7: a call that never got a result is not sent again, once the conversation has gone on. */
function isUnanswered(sending: Sending, part: number): boolean {
  if (t.int(sending.state.table.tool, part) === t.none) return false
  const tools = toolsOf(sending.state, part)
  return tools.length > 0 && tools.every(tool => isOpen(sending, part, tool))
}

/** The described form of a sidechain call has no tool id to answer to: its own uuid stands in. */
function isOpen({ state, moment, positions }: Sending, part: number, tool: number): boolean {
  const result = resultFor(state, tool, part)
  const isThere = (node: number): boolean => isWritten(state.table, moment, node) || positions.has(node)
  const isAnswered = result !== t.none && isThere(result)
  return !isAnswered && toolId(state, tool) !== t.idOf(state.table, part)
}

// A conversation about to be sent, and the parts of its messages in the order of sending (L3).

/** The parts of a message in the files of the chain, once each where the history is repeated, in the order of their chain. */
function partsIn(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const parts = partsAtHand(sending, message)
  if (parts.length < 2 || isOneLine(state.table, parts)) return parts
  const depths = new Map(parts.map(each => [each, depthIn(state, each)]))
  const depth = (each: number): number => depths.get(each) ?? 0
  return withoutRepeated(sending, parts).sort((a, b) => depth(a) - depth(b) || compareLocations(state, a, b))
}

function partsAtHand(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const parts: number[] = []
  let part = firstPartOf(state, message)
  for (; part !== t.none; part = t.int(state.table.nextPart, part)) {
    if (isAtHand(sending, part)) parts.push(part)
  }
  return parts
}

/** Whether parts hang on each other as they were read, and nothing repeats them: so do nearly all. */
function isOneLine({ owner, copyOf, parent }: t.Table, parts: readonly number[]): boolean {
  let before = t.none
  for (const part of parts) {
    if (t.int(owner, part) !== part || t.int(copyOf, part) !== t.none) return false
    if (before !== t.none && t.int(parent, part) !== before) return false
    before = part
  }
  return true
}

/** Whether an entry stands in a file that the chain passes through, on its first row, and had been written by then. */
function isAtHand({ state: { table }, files, moment, positions }: Sending, node: number): boolean {
  if (!files.has(t.int(table.file, node)) || t.marked(table, node, t.Repeated)) return false
  return isWritten(table, moment, node) || positions.has(node)
}

/** The parts on the chain, and those beside it that repeat none of them; of a uuid in two files only one. */
function withoutRepeated({ state, positions }: Sending, parts: readonly number[]): number[] {
  const { table } = state
  const onChain = parts.filter(part => positions.has(part))
  const originals = new Set(onChain.map(part => originalOf(table, part)))
  const beside = new Map<number, number>()
  for (const part of parts) {
    if (originals.has(originalOf(table, part))) continue
    const owner = t.int(table.owner, part)
    const known = beside.get(owner)
    if (known === undefined || compareLocations(state, part, known) < 0) beside.set(owner, part)
  }
  return [...onChain, ...beside.values()]
}

/** How deep a part stands within its message: the parent chain up to the entry before the message. */
function depthIn(state: State, part: number): number {
  const { table } = state
  const unit = t.int(table.message, part)
  let depth = 0
  for (
    let node = t.int(table.parent, part);
    node !== t.none && depth < 512;
    node = t.int(table.parent, node)
  ) {
    if (isConversation(table, node) && unitOf(state, node) !== unit) break
    depth++
  }
  return depth
}

/** The conversation of a file as it is about to be sent. */
export interface Sending {
  readonly state: State
  readonly file: OpenFile
  /** The oldest entry first. */
  readonly chain: readonly number[]
  /** The files that the chain passes through: a conversation may have begun in another one. */
  readonly files: ReadonlySet<number>
  /** Positions on the chain. */
  readonly positions: Positions
  /** The entry that the conversation ends in. */
  readonly leaf: number
  /** The message that may be under way still; none where the request was answered. */
  readonly lastUnit: number
  /** The position of the entry that began the last turn; negative where the chain has none. */
  readonly turn: number
  /** The position of the first entry that came after the prompt of that turn, and above it; that of the turn for none. */
  readonly overtakenFrom: number
  /** The row of the newest process end before the last prompt: what stands above was loaded from the file. */
  readonly loadedUpTo: number
  /** The position before which nothing is sent. */
  readonly lostUpTo: number
  /** The position of the last prompt that another process may have begun with, as far as no mark tells; -1 for none. */
  readonly lastStart: number
  /** No message is cut where it was resumed. */
  readonly isWhole: boolean
  /** When it is sent: what was written later is not in it. */
  readonly moment: Moment
}

/** Whether the process of the last prompt has loaded an entry from a file. */
export function isLoaded(
  { state: { table }, file, loadedUpTo }: Pick<Sending, 'file' | 'loadedUpTo' | 'state'>,
  node: number,
): boolean {
  return t.int(table.file, node) !== file.index || t.int(table.row, node) < loadedUpTo
}

/** The next conversation entry towards the leaf. */
function nextOnChain(sending: Sending, node: number): number {
  const { chain, positions, state } = sending
  for (let i = (positions.get(node) ?? chain.length) + 1; i < chain.length; i++) {
    const next = chain[i] ?? t.none
    if (isConversation(state.table, next)) return next
  }
  return t.none
}

// The results of a message's calls, in the order of sending.

/**
 * The results of the calls of these parts that follow the message at once, in the order of sending. Where something else
 * stands on the chain between two results, such as what a hook told (`<post-tool-use-hook>`, 1.0.x), those behind it are
 * sent behind it.
 */
function resultsFollowing(sending: Sending, message: number, parts: readonly number[]): readonly number[] {
  const results = resultsIn(sending, parts)
  const { chain, positions, state } = sending
  const last = lastPosition(positions, results)
  if (last < 0) return results
  let end = firstPosition(positions, parts, chain.length)
  while (end < last && isWithin(state, message, chain[end] ?? t.none)) end++
  return results.filter(result => (positions.get(result) ?? end) <= end)
}

/** The position of the last of these entries on the chain; negative where none is on it. */
function lastPosition(positions: Positions, nodes: readonly number[]): number {
  let last = Number.NEGATIVE_INFINITY
  for (const node of nodes) last = Math.max(last, positions.get(node) ?? last)
  return last
}

function firstPosition(positions: Positions, nodes: readonly number[], otherwise: number): number {
  let first = otherwise
  for (const node of nodes) first = Math.min(first, positions.get(node) ?? first)
  return first
}

/** Whether an entry of a chain belongs to a message and its results, or is not part of the conversation. */
function isWithin(state: State, message: number, node: number): boolean {
  return !isConversation(state.table, node) || unitOf(state, node) === message
}

/** The results of the calls of these parts, in the order of sending. */
function resultsIn(sending: Sending, parts: readonly number[]): readonly number[] {
  const { state } = sending
  const found: number[] = []
  for (const part of parts) {
    for (const tool of toolsOf(state, part))
      for (const result of resultsSent(sending, tool)) found.push(result)
  }
  if (found.length < 2) return found
  const results = [...new Set(found)]
  if (isResumedBehind(sending, parts)) return results
  return isSorted(sending, parts) ? loadedOrder(sending, parts, results) : writtenOrder(state, results)
}

/**
 * Whether the process of the last prompt has loaded a message up to one of its parts and begun a turn there
 * (`--resume-session-at`): no result is on the chain, and each is put back at its own call (walks of 2.1.81 and 2.1.327). The next
 * process sends them as written (recording random-2.1.325/2).
 */
function isResumedBehind(sending: Sending, parts: readonly number[]): boolean {
  const last = parts.findLast(part => sending.positions.has(part))
  if (last === undefined || !isLoaded(sending, last)) return false
  const next = nextOnChain(sending, last)
  return next !== t.none && isResumeAt(sending, next) && !isLoaded(sending, next)
}

/** The results of a tool in the files of the chain; where the history is repeated, only that on the chain, or the last. */
function resultsSent(sending: Sending, tool: number): readonly number[] {
  const { state, positions } = sending
  const all = resultsOf(state, tool)
  if (all.length < 2) return all[0] !== undefined && isAtHand(sending, all[0]) ? all : nothing
  const here = all.filter(result => isAtHand(sending, result))
  if (here.length < 2) return here
  const onChain = here.filter(result => positions.has(result))
  return onChain.length > 0 ? onChain : here.slice(-1)
}

const nothing: readonly number[] = []

/** Whether a process that sorts what it loads (up to 2.1.2xx, before `cost-state`) has read these parts from its file. */
function isSorted(sending: Sending, parts: readonly number[]): boolean {
  const { state, file } = sending
  if (hasCostStates(file, sending.moment)) return false
  const isOwn = (part: number): boolean => t.int(state.table.file, part) === file.index
  return parts.every(part => isOwn(part) && isLoaded(sending, part))
}

/**
 * A process sends results as it got them, which is the order of rows, and of times between files. Where a result stands on a row
 * before its call, rows do not tell, and times do: it was got after the call (walks of 2.1.250 and 2.1.44).
 */
function writtenOrder(state: State, results: readonly number[]): readonly number[] {
  const { file } = state.table
  if (isAscending(file, results)) return results
  const isUnordered = results.some(result => isBeforeItsCall(state, result))
  const byTime = (a: number, b: number): boolean => isUnordered || t.int(file, a) !== t.int(file, b)
  return [...results].sort(
    (a, b) =>
      (byTime(a, b) ? compareTimes(gotAt(state, a), gotAt(state, b)) : 0) || compareLocations(state, a, b),
  )
}

/** When a result was got. */
function gotAt(state: State, result: number): number {
  const { time } = state.table
  const at = t.real(time, result)
  const calledAt = isBeforeItsCall(state, result) ? t.real(time, callAnswered(state, result)) : at
  return calledAt > at ? calledAt : at
}

function isBeforeItsCall(state: State, result: number): boolean {
  const call = callAnswered(state, result)
  return call > result && t.int(state.table.file, call) === t.int(state.table.file, result)
}

/** Whether results stand in one file in this order already: nearly all do. */
function isAscending(file: Int32Array, results: readonly number[]): boolean {
  let before = t.none
  for (const result of results) {
    if (result < before || (before !== t.none && t.int(file, result) !== t.int(file, before))) return false
    before = result
  }
  return true
}

/**
 * After loading, results on the chain keep their position on it; those beside it are put in behind the last part on
 * the chain, by time (random-2.1.101/505: rows 54, 51, 57 then 63, which carries the conversation on).
 */
function loadedOrder(
  sending: Sending,
  parts: readonly number[],
  results: readonly number[],
): readonly number[] {
  const { table } = sending.state
  const lastPart = lastPosition(sending.positions, parts)
  const position = (result: number): number => sending.positions.get(result) ?? lastPart
  return [...results].sort(
    (a, b) =>
      position(a) - position(b) || compareTimes(t.real(table.time, a), t.real(table.time, b)) || a - b,
  )
}

/**
 * L13: what a request of 2.1.0 to 2.1.7x left out. These releases hang each result on its own call, but walk parents alone
 * when they load a file. `live` has the entries all the same: the conversation has them, and later releases send them.
 */
function isForgotten(sending: Sending, parts: readonly number[]): boolean {
  const { state, file, moment } = sending
  if (!moment.walksParents) return false
  const isOwn = (part: number): boolean => t.int(state.table.file, part) === file.index
  return parts.every(part => isOwn(part) && isLoaded(sending, part))
}

/**
 * What is left of a message that such a release has loaded: parts on the chain whose calls have their results there. The last call on it
 * has, too, where the conversation was then cut behind it: its result was on the chain that was loaded (walk of 2.1.63).
 */
function forgottenParts(sending: Sending, parts: readonly number[]): CutMessage {
  const { state, positions } = sending
  const last = parts.findLast(part => positions.has(part)) ?? t.none
  const next = last === t.none ? t.none : nextOnChain(sending, last)
  const isCut = next !== t.none && isResumeAt(sending, next) && !isLoaded(sending, next)
  const answered = new Set(answeredParts(sending, parts))
  const sent = parts.filter(part => answered.has(part) || (isCut && part === last))
  return { parts: sent, isBare: true, madeUp: isCut && makesUpResults(state, next) ? last : t.none }
}

// L8: `--resume-session-at` in the middle of a message. The process that was started so sends the message cut at that
// part; a later plain resume sends it whole. Both were really sent: the process of the last prompt decides.
//
// 2.0.x loads the bare chain. Results of the message stand behind the cut and are not sent: the process that was started
// so sends the calls without them, a later one leaves out the calls, too (recording random-2.0.50/9128).

/** A message as far as it is sent. */
interface CutMessage {
  readonly parts: readonly number[]
  /** Only results on the chain are sent. */
  readonly isBare: boolean
  /** The call that is sent with a made-up result. */
  readonly madeUp?: number
}

/** Cuts a message where the conversation was resumed in its middle. */
function cutWhereResumed(sending: Sending, parts: readonly number[]): CutMessage {
  const whole = { parts, isBare: false }
  if (sending.isWhole) return whole
  const last = parts.findLastIndex(part => sending.positions.has(part))
  const next = nextOnChain(sending, parts[last] ?? t.none)
  if (next === t.none || !isResumeAt(sending, next)) return whole
  const cut = parts.slice(0, last + 1)
  if (isEarly(sending.state, next)) return { parts: bareParts(sending, cut, next), isBare: true }
  return isLoaded(sending, next) ? whole : { parts: cut, isBare: false }
}

/** Whether a turn begins, in the file whose conversation it is, right behind a part. */
function isResumeAt({ state: { table }, file }: Sending, next: number): boolean {
  if (t.int(table.file, next) !== file.index) return false
  return startsTurn(table, next) && t.byte(table.says, next) !== t.SaysSummary
}

/** The parts that 2.0.x sends of a message cut so. */
function bareParts(sending: Sending, parts: readonly number[], next: number): readonly number[] {
  return sending.lastStart <= (sending.positions.get(next) ?? -1) ? parts : answeredParts(sending, parts)
}

/** The parts on the chain of parents whose calls all have their results on it. */
function answeredParts(sending: Sending, parts: readonly number[]): readonly number[] {
  const onChain = parts.filter(part => sending.positions.has(part))
  return onChain.filter(part => toolsOf(sending.state, part).every(tool => isAnsweredOnChain(sending, tool)))
}

function isAnsweredOnChain({ state, positions }: Sending, tool: number): boolean {
  return resultsOf(state, tool).some(result => positions.has(result))
}
