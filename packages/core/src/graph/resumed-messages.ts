/**
 * Messages of which a resumed process sends a part.
 *
 * L8: `--resume-session-at` in the middle of a message. The process that was started so sends the message cut at that part; a
 * later plain resume sends it whole. Both were sent: the process of the last prompt decides. 2.0.x loads the bare chain. Results
 * of the message stand behind the cut and are not sent: the process that was started so sends the calls without them, a later one
 * leaves out the calls, too (recording random-2.0.50/9128).
 *
 * L13: releases that walk parents alone when they load a file forget results that are not on that walk.
 */

import { isLoaded, nextOnChain, type Sending } from './sending.js'
import { isEarly, makesUpResults, startsTurn } from './sightings.js'
import * as t from './table.js'
import { resultsOf, toolsOf } from './tools.js'

/** A message as far as it is sent. */
interface CutMessage {
  readonly parts: readonly number[]
  /** Only results on the chain are sent. */
  readonly isBare: boolean
  /** The call that is sent with a made-up result. */
  readonly madeUp?: number
}

/** Cuts a message where the conversation was resumed in its middle. */
export function cutWhereResumed(sending: Sending, parts: readonly number[]): CutMessage {
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
export function isResumeAt({ state: { table }, file }: Sending, next: number): boolean {
  if (t.int(table.file, next) !== file.index) return false
  return startsTurn(table, next) && t.byte(table.says, next) !== t.SaysSummary
}

/**
 * L13: what a request of 2.1.0 to 2.1.7x left out. These releases hang each result on its own call, but walk parents alone
 * when they load a file. `live` has the entries all the same: the conversation has them, and later releases send them.
 */
export function isForgotten(sending: Sending, parts: readonly number[]): boolean {
  const { state, file, moment } = sending
  if (!moment.walksParents) return false
  const isOwn = (part: number): boolean => t.int(state.table.file, part) === file.index
  return parts.every(part => isOwn(part) && isLoaded(sending, part))
}

/**
 * What is left of a message that such a release has loaded: parts on the chain whose calls have their results there. The last call on it
 * has, too, where the conversation was then cut behind it: its result was on the chain that was loaded (walk of 2.1.63).
 */
export function forgottenParts(sending: Sending, parts: readonly number[]): CutMessage {
  const { state, positions } = sending
  const last = parts.findLast(part => positions.has(part)) ?? t.none
  const next = last === t.none ? t.none : nextOnChain(sending, last)
  const isCut = next !== t.none && isResumeAt(sending, next) && !isLoaded(sending, next)
  const answered = new Set(answeredParts(sending, parts))
  const sent = parts.filter(part => answered.has(part) || (isCut && part === last))
  return { parts: sent, isBare: true, madeUp: isCut && makesUpResults(state, next) ? last : t.none }
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
