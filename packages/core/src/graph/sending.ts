/** L3, L10: from a chain to what is sent: whole messages with the results of their calls, less what is never sent. */

import { subtypeOf } from './compactions.js'
import { originalOf } from './copies.js'
import { unitOf } from './facts.js'
import type { OpenFile } from './file-record.js'
import { partsOf } from './messages.js'
import { compareLocations, compareTimes } from './order.js'
import { createNodeList, type Positions, positionsIn } from './positions.js'
import { followsAtOnce } from './processes.js'
import { isConversation, isEarly, sendsNotices, startsTurn } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { resultFor, resultsOf, toolId, toolsOf } from './tools.js'

/** From the chain to what is sent: whole messages with their results, in order. */
export function sendingOrder(
  state: State,
  file: OpenFile,
  chain: readonly number[],
  how: { readonly leaf: number } & Pick<Sending, 'loadedUpTo' | 'files' | 'isWhole'>,
): readonly number[] {
  const { table } = state
  const positions = positionsIn(chain, table.size)
  const { leaf } = how
  const turn = chain.findIndex(node => startsTurn(table, node))
  const sending: Sending = { ...how, state, file, chain, positions, turn, lastUnit: unitOf(state, leaf) }
  const sent = createNodeList(chain.length, table.size)
  const whole = new Set<number>()
  for (let i = chain.length - 1; i >= 0; i--) {
    const node = chain[i] ?? t.none
    if (!isConversation(table, node) || isUnsentNotice(state, node, leaf)) continue
    const message = t.byte(table.kind, node) === t.Assistant ? t.int(table.message, node) : t.none
    if (message === t.none) sent.add(node)
    else if (!whole.has(message)) for (const part of sentUnit(sending, message)) sent.add(part)
    whole.add(message)
  }
  return sent.list
}

/** Notices of failed requests are not sent, but by old releases. */
function isUnsentNotice(state: State, node: number, leaf: number): boolean {
  return t.marked(state.table, node, t.ApiError) && (node === leaf || !sendsNotices(state, node))
}

/** A message as it is sent: its parts by their chain, then the results of their calls. */
function sentUnit(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const isLast = message === sending.lastUnit
  const all = partsIn(sending, message)
  const isOpen = isLast || isAskedAgain(sending, all)
  const whole = isOpen ? all : all.filter(part => !isUnanswered(state, part))
  const { parts, isBare } = cutWhereResumed(sending, whole)
  if (!isLast && parts.every(part => isDroppedThought(state, part))) return []
  const results = resultsFollowing(sending, message, parts)
  return [...parts, ...(isBare ? results.filter(result => sending.positions.has(result)) : results)]
}

/**
 * A reply that broke off behind a call, and another one in the same turn: from the next turn on, the process that asked
 * again sends the call, too. One that has loaded the file does not (walks of 2.1.75 and 2.1.90 that lost connections).
 */
function isAskedAgain(sending: Sending, parts: readonly number[]): boolean {
  const { table } = sending.state
  const last = parts.findLast(part => sending.positions.has(part))
  if (last === undefined || isLoaded(sending, last)) return false
  if ((sending.positions.get(last) ?? 0) < sending.turn) return false
  const next = nextOnChain(sending, last)
  return next !== t.none && t.byte(table.kind, next) === t.Assistant && !t.marked(table, next, t.Synthetic)
}

/** L7: a message of thinking only is not sent later. 2.0.x did send it. */
function isDroppedThought(state: State, part: number): boolean {
  return t.marked(state.table, part, t.ThinkingOnly) && !isEarly(state, part)
}

/** L7: a call that never got a result is not sent again, once the conversation has gone on. */
function isUnanswered(state: State, part: number): boolean {
  const tools = toolsOf(state, part)
  return tools.length > 0 && tools.every(tool => isOpen(state, part, tool))
}

/** The described form of a sidechain call has no tool id to answer to: its own uuid stands in. */
function isOpen(state: State, part: number, tool: number): boolean {
  return resultFor(state, tool, part) === t.none && toolId(state, tool) !== t.idOf(state.table, part)
}

// A conversation about to be sent, and the parts of its messages in the order of sending (L3).

/** The parts of a message in the files of the chain, once each where the history is repeated, in the order of their chain. */
function partsIn(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const parts = partsOf(state, message).filter(part => isAtHand(sending, part))
  if (parts.length < 2) return parts
  const depths = new Map(parts.map(each => [each, depthIn(state, each)]))
  const depth = (each: number): number => depths.get(each) ?? 0
  return withoutRepeated(sending, parts).sort((a, b) => depth(a) - depth(b) || compareLocations(state, a, b))
}

/** Whether an entry stands in a file that the chain passes through, on its first row. */
function isAtHand({ state: { table }, files }: Sending, node: number): boolean {
  return files.has(t.int(table.file, node)) && !t.marked(table, node, t.Repeated)
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
  readonly chain: readonly number[]
  /** The files that the chain passes through: a conversation may have begun in another one. */
  readonly files: ReadonlySet<number>
  /** Position on the chain, counted from the leaf; a smaller one is nearer to the end. */
  readonly positions: Positions
  readonly lastUnit: number
  /** The position of the entry that began the last turn; negative where the chain has none. */
  readonly turn: number
  /** The row of the newest process end before the last prompt: what stands above was loaded from the file. */
  readonly loadedUpTo: number
  /** No message is cut where it was resumed. */
  readonly isWhole: boolean
}

/** Whether the process of the last prompt has loaded an entry from a file. */
function isLoaded({ state: { table }, file, loadedUpTo }: Sending, node: number): boolean {
  return t.int(table.file, node) !== file.index || t.int(table.row, node) < loadedUpTo
}

/** The next conversation entry towards the leaf. */
function nextOnChain(sending: Sending, node: number): number {
  for (let i = (sending.positions.get(node) ?? 0) - 1; i >= 0; i--) {
    const next = sending.chain[i] ?? t.none
    if (isConversation(sending.state.table, next)) return next
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
  const onChain = results.filter(result => sending.positions.has(result))
  if (onChain.length === 0) return results
  const { chain, positions, state } = sending
  const last = Math.min(...onChain.map(result => positions.get(result) ?? 0))
  const first = Math.max(...parts.map(part => positions.get(part) ?? 0))
  let end = first
  while (end > last && isWithin(state, message, chain[end] ?? t.none)) end--
  return results.filter(result => (positions.get(result) ?? end) >= end)
}

/** Whether an entry of a chain belongs to a message and its results, or is not part of the conversation. */
function isWithin(state: State, message: number, node: number): boolean {
  return !isConversation(state.table, node) || unitOf(state, node) === message
}

/** The results of the calls of these parts, in the order of sending. */
function resultsIn(sending: Sending, parts: readonly number[]): readonly number[] {
  const { state } = sending
  const results = new Set<number>()
  for (const part of parts) {
    for (const tool of toolsOf(state, part))
      for (const result of resultsSent(sending, tool)) results.add(result)
  }
  if (results.size < 2) return [...results]
  return isSorted(sending, parts)
    ? loadedOrder(sending, parts, [...results])
    : writtenOrder(state, [...results])
}

/** The results of a tool in the files of the chain; where the history is repeated, only that on the chain, or the last. */
function resultsSent(sending: Sending, tool: number): readonly number[] {
  const { state, positions } = sending
  const here = resultsOf(state, tool).filter(result => isAtHand(sending, result))
  if (here.length < 2) return here
  const onChain = here.filter(result => positions.has(result))
  return onChain.length > 0 ? onChain : here.slice(-1)
}

/** Whether a process that sorts what it loads (up to 2.1.2xx, before `cost-state`) has read these parts from its file. */
function isSorted(sending: Sending, parts: readonly number[]): boolean {
  const { state, file } = sending
  if (file.costStates.length > 0) return false
  const isOwn = (part: number): boolean => t.int(state.table.file, part) === file.index
  return parts.every(part => isOwn(part) && isLoaded(sending, part))
}

/** A process sends results as it got them, which is the order of rows, and of times between files. */
function writtenOrder(state: State, results: readonly number[]): readonly number[] {
  const { file, time } = state.table
  const isApart = (a: number, b: number): boolean => t.int(file, a) !== t.int(file, b)
  return [...results].sort(
    (a, b) =>
      (isApart(a, b) ? compareTimes(t.real(time, a), t.real(time, b)) : 0) || compareLocations(state, a, b),
  )
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
  const lastPart = Math.min(...parts.map(part => sending.positions.get(part) ?? Number.POSITIVE_INFINITY))
  const position = (result: number): number => sending.positions.get(result) ?? lastPart
  return [...results].sort(
    (a, b) =>
      position(b) - position(a) || compareTimes(t.real(table.time, a), t.real(table.time, b)) || a - b,
  )
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
  if (isSameProcess(sending, next)) return parts
  return parts.filter(part => toolsOf(sending.state, part).every(tool => isAnsweredOnChain(sending, tool)))
}

function isAnsweredOnChain({ state, positions }: Sending, tool: number): boolean {
  return resultsOf(state, tool).some(result => positions.has(result))
}

/**
 * Whether the process that began a turn also wrote all prompts after it. 2.0.x leaves no mark where a process ends. But a
 * hook summary stays in memory until the next prompt, so a prompt that hangs on one is of the same process, and so is one
 * that follows at once.
 */
function isSameProcess({ state, file, chain, positions }: Sending, from: number): boolean {
  const { table } = state
  for (let i = (positions.get(from) ?? 0) - 1; i >= 0; i--) {
    const node = chain[i] ?? t.none
    if (t.byte(table.says, node) !== t.SaysPrompt) continue
    const parent = t.int(table.parent, node)
    const isSummary =
      t.byte(table.kind, parent) === t.System && subtypeOf(state, parent) === 'stop_hook_summary'
    if (!isSummary && !followsAtOnce(table, file, node)) return false
  }
  return true
}
