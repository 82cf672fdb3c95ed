/** The results of a message's calls, in the order of sending. */
import { isConversation } from './entries.js'
import { unitOf } from './facts.js'
import { comparePlaces, compareTimes } from './order.js'
import { isAtHand, isLoaded, type Sending } from './sent-parts.js'
import type { State } from './state.js'
import * as t from './table.js'
import { resultsOf, toolsOf } from './tool-index.js'

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
      (isApart(a, b) ? compareTimes(t.real(time, a), t.real(time, b)) : 0) || comparePlaces(state, a, b),
  )
}

/**
 * After loading, results on the chain keep their place on it; those beside it are put in behind the last part on
 * the chain, by time (random-2.1.101/505: rows 54, 51, 57 then 63, which carries the conversation on).
 */
function loadedOrder(
  sending: Sending,
  parts: readonly number[],
  results: readonly number[],
): readonly number[] {
  const { table } = sending.state
  const lastPart = Math.min(...parts.map(part => sending.positions.get(part) ?? Number.POSITIVE_INFINITY))
  const place = (result: number): number => sending.positions.get(result) ?? lastPart
  return [...results].sort(
    (a, b) => place(b) - place(a) || compareTimes(t.real(table.time, a), t.real(table.time, b)) || a - b,
  )
}
