/** L14: signs in a transcript that it does not tell what a request carried. */
import { linkOf } from './adopt.js'
import { type Answer, isAnswer } from './answers.js'
import type { OpenFile } from './file-record.js'
import { usageOf } from './messages.js'
import { countBefore } from './positions.js'
import { fileOf, isEarly, isOldest, marksNoEnds } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** Whether an answer is of a release that walks parents alone and leaves no mark where a process begins or ends. */
export function isUnmarked({ state, file, first, moment }: Answer): boolean {
  return marksNoEnds(state, first) && !((file.lastPrompts[0] ?? moment.row) < moment.row)
}

/**
 * Whether the first request of a turn read from the cache all that the last request of the turn before had put there: the
 * API finds only an equal beginning, so nothing of it was left out.
 */
export function keepsCache(state: State, { spoken }: OpenFile, prompt: number): boolean {
  const { table, messages } = state
  const from = countBefore(table, spoken, t.int(table.row, prompt) + 1)
  const next = spoken.slice(from, from + nearRows).find(node => isAnswer(state, node)) ?? t.none
  const before = usageOf(messages, t.int(table.message, answerBefore(state, prompt)))
  if (before === null) return false
  const cached = before.cacheRead + before.cacheWrite5m + before.cacheWrite1h
  const read = usageOf(messages, t.int(table.message, next))?.cacheRead ?? 0
  // No request reads what none has written: such usage is made up.
  return cached >= smallestCache && read >= cached && read < 2 * cached
}

/** Tokens below which the API caches nothing. */
const smallestCache = 1024

const nearRows = 64

/** Whether an entry hangs on one that is in no file. Subagents of 1.x and 2.0.x are written so, in the order of rows. */
export function isGap(state: State, node: number): boolean {
  if (!state.orphans.has(node)) return false
  return !(isEarly(state, node) && fileOf(state, node).facts.kind === 'agent')
}

/**
 * Whether 1.x sent far less with the request behind an answer than with the one before, though nothing in the file tells
 * why: it had compacted the conversation, which leaves no trace there without a terminal (recording 1.0.66/s10b).
 */
export function isShrunk(state: State, node: number): boolean {
  if (!isOldest(state, node) || !isAnswer(state, node)) return false
  const before = promptSize(state, answerBefore(state, node))
  return before > nearlyFull && promptSize(state, node) < before / 2
}

/** Tokens from which on 1.x may compact by itself: the window has 200,000. */
const nearlyFull = 100_000

/** The last answer above another one, as far as a bounded search finds it. */
function answerBefore(state: State, node: number): number {
  const message = t.int(state.table.message, node)
  let above = linkOf(state, node)
  for (let steps = 0; above !== t.none && steps < 256; steps++) {
    if (isAnswer(state, above) && t.int(state.table.message, above) !== message) return above
    above = linkOf(state, above)
  }
  return t.none
}

/** The tokens of the request behind an answer; 0 where they are not known. */
function promptSize({ table, messages }: State, node: number): number {
  const usage = usageOf(messages, t.int(table.message, node))
  return usage === null ? 0 : usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
}
