/** How long requests were, by the usage of their answers: what was left out of one makes it shorter. */
import { answerBefore } from './answer-before.js'
import { usageOf } from './messages.js'
import { fileOf, isAnswer } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The tokens of the request behind an answer; 0 where they are not known. */
export function requestSize({ table, messages }: State, node: number): number {
  const usage = node === t.none ? null : usageOf(messages, t.int(table.message, node))
  return usage === null ? 0 : usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
}

/** Whether two requests are equally long: nothing came between them, so the later one repeats the earlier one. */
export function repeatsRequest(state: State, later: number, earlier: number): boolean {
  return isAsLong(state, later, earlier) && isMeasured(state, earlier)
}

function isAsLong(state: State, a: number, b: number): boolean {
  const size = requestSize(state, b)
  return size > 0 && Math.abs(requestSize(state, a) - size) < shortestReply
}

/** Whether the requests around an answer differ in length: usage that never changes was made up. */
function isMeasured(state: State, answer: number): boolean {
  let before = answerBefore(state, answer)
  if (before === t.none)
    before = fileOf(state, answer).spoken.findLast(node => isAnswer(state, node)) ?? t.none
  for (let steps = 0; steps < mostRetries && before !== t.none; steps++) {
    if (!isAsLong(state, before, answer)) return true
    before = answerBefore(state, before)
  }
  return false
}

/** How often in a row the same is asked again at most. */
const mostRetries = 8

/** Tokens that a reply and what follows it take at least. A call with its result takes a multiple. */
const shortestReply = 16
