/**
 * F8: caveats, local commands and their output, image notes, notices, and the stub that a resume writes beside
 * them. On public transcripts this is the most common shape that looks like a rewind without being one.
 */

import type { State } from '../state.js'
import * as t from '../table.js'
import {
  countNoun,
  type ForkContext,
  hasAnswer,
  hasFailure,
  hasInput,
  isAssistant,
  isPrompt,
  isUser,
  type Rung,
} from './fork.js'

/** A rung about single children: it applies where some child passes its test. */
export interface ChildRung extends Rung {
  readonly isAbout: (fork: ForkContext, child: number) => boolean
}

/** The evidence of such a rung is how many children pass, and what they are. */
function childRung(
  { rule, kind, isAbout }: Pick<ChildRung, 'rule' | 'kind' | 'isAbout'>,
  evidence: (count: number) => string,
): ChildRung {
  return {
    rule,
    kind,
    isAbout,
    applies: fork => fork.rest.some(child => isAbout(fork, child)),
    evidence: fork => evidence(fork.rest.filter(child => isAbout(fork, child)).length),
  }
}

export const companion: ChildRung = childRung(
  { rule: 'F8', kind: 'companion', isAbout: isCompanion },
  count => `${countNoun(count, 'local command, caveat or stub')} with no typed input and no answer below`,
)

/** A caveat introduces local commands; several of them hang on it side by side, whatever follows them. */
export function isCaveatList(fork: ForkContext): boolean {
  const { state, parent, rest } = fork
  if (parent < 0 || t.byte(state.table.says, parent) !== t.SaysCaveat) return false
  return rest.filter(child => isPrompt(state, child)).length < 2
}

/**
 * A resume writes a stub instead of an answer that was broken off, and the conversation goes on below the stub
 * (random-2.0.10/9118). Without typed input below the answer, this is not a rewind.
 */
export function isStubInstead({ state, parent, rest }: ForkContext): boolean {
  if (parent < 0 || !isUser(state, parent)) return false
  const stubs = rest.filter(child => isStub(state, child))
  const others = rest.filter(child => !isStub(state, child))
  return stubs.length > 0 && others.every(child => isAssistant(state, child) && !hasInput(state, child))
}

export const stubInstead: Pick<Rung, 'rule' | 'kind' | 'evidence'> = {
  rule: 'F8',
  kind: 'companion',
  evidence: () => 'an answer that was broken off, and the stub that a resume wrote in its place',
}

function isStub(state: State, node: number): boolean {
  return t.marked(state.table, node, t.Synthetic) && !t.marked(state.table, node, t.ApiError)
}

/** A companion of a turn that leads to no conversation of its own. */
function isCompanion(fork: ForkContext, child: number): boolean {
  const { state } = fork
  if (hasInput(state, child) || hasAnswer(state, child)) return false
  if (t.marked(state.table, child, t.Synthetic)) return isStub(state, child)
  return isUser(state, child) && companions.has(t.byte(state.table.says, child))
}

const companions: ReadonlySet<number> = new Set([
  t.SaysCaveat,
  t.SaysCommand,
  t.SaysOutput,
  t.SaysNotification,
  t.SaysMeta,
])

// F9, F10: prompts without an answer: requests that failed or were sent again, and prompts that were cancelled.

/** F9: siblings that stem from failed requests, or the same prompt sent again after one. */
export const retry: ChildRung = childRung(
  { rule: 'F9', kind: 'retry', isAbout: isAttempt },
  count =>
    `${countNoun(count, 'attempt')} that got no answer: a failed request, or the same prompt sent again`,
)

/** An attempt without an answer that was made again. */
function isAttempt(fork: ForkContext, child: number): boolean {
  const { state, rest } = fork
  // A result answers its call, whatever became of the request after it.
  if (hasAnswer(state, child) || t.byte(state.table.says, child) === t.SaysResult) return false
  if (hasFailure(state, child)) return rest.length > 1
  return isPrompt(state, child) && fork.lastPrompts().get(t.real(state.table.hash, child)) !== child
}

/** F10: a prompt without any answer beside the next one: cancelled before any output; and interrupt notes. */
export const takenBack: ChildRung = childRung(
  { rule: 'F10', kind: 'taken-back', isAbout: isTakenBack },
  count =>
    `${countNoun(count, 'prompt or interrupt note')} without any answer below, written before the next`,
)

/** A prompt that was cancelled: something else was written after it instead of an answer. */
function isTakenBack(fork: ForkContext, child: number): boolean {
  const { state } = fork
  if (hasAnswer(state, child)) return false
  if (t.byte(state.table.says, child) === t.SaysInterrupt) return true
  if (!isPrompt(state, child) && !t.marked(state.table, child, t.QueuedPrompt)) return false
  return fork.rest.at(-1) !== child
}
