/** L10: the results of the calls of a message, in the order of sending. */

import { callAnswered, unitOf } from './facts.js'
import { isAtHand } from './message-parts.js'
import { hasCostStates } from './moment.js'
import { compareLocations, compareTimes } from './order.js'
import type { Positions } from './positions.js'
import { isResumeAt } from './resumed-messages.js'
import { isLoaded, nextOnChain, type Sending } from './sending.js'
import { isConversation } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { resultsOf, toolsOf } from './tools.js'

/**
 * The results of the calls of these parts that follow the message at once, in the order of sending. Where something else
 * stands on the chain between two results, such as what a hook told (`<post-tool-use-hook>`, 1.0.x), those behind it are
 * sent behind it.
 */
export function resultsFollowing(
  sending: Sending,
  message: number,
  parts: readonly number[],
): readonly number[] {
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
  if (isResumedBehind(sending, parts)) return madeUpFirst(sending, results)
  return isSorted(sending, parts) ? loadedOrder(sending, parts, results) : writtenOrder(state, results)
}

/** Made-up results come before those that the process has loaded (walk of 2.1.328). */
function madeUpFirst({ positions }: Sending, results: readonly number[]): readonly number[] {
  const position = (result: number): number => positions.get(result) ?? -1
  return [...results].sort((a, b) => position(a) - position(b))
}

/**
 * Whether the process of the last prompt has loaded a message up to one of its parts and begun a turn there
 * (`--resume-session-at`): it makes up results for calls whose own stand behind the cut, in the order of the calls (walks of 2.1.81 and
 * 2.1.327). The next process sends results as written (recording random-2.1.325/2).
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
