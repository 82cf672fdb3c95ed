/** F1 to F5, F7: forks whose children all stay on one line; no branch begins there. */

import { Below, unitOf } from '../facts.js'
import { compareWritten } from '../order.js'
import {
  countNoun,
  type ForkContext,
  grows,
  has,
  hasInput,
  isAssistant,
  isPrompt,
  isStructural,
  isUser,
  type Rung,
} from './fork.js'

/** F1: the children are parts of one message and results of that message's calls. */
export const parallel: Rung = {
  rule: 'F1',
  kind: 'parallel',
  applies: fork => fork.rest.length > 1 && sharedUnit(fork) >= 0 && !isForgotten(fork),
  evidence: fork => {
    const parts = fork.rest.filter(child => isAssistant(fork.state, child)).length
    const results = fork.rest.length - parts
    return `${countNoun(parts, 'part')} and ${countNoun(results, 'result')} of one message, by message id and tool ids`
  },
}

/**
 * F1: after a kill, 2.1.197 can go on from a parallel result and forget the turns since. Both sides then have typed
 * input below them: that is a loss, not one conversation.
 */
export function isForgotten(fork: ForkContext): boolean {
  return fork.rest.filter(child => hasInput(fork.state, child)).length > 1
}

/** The message all children belong to, or a negative number. */
function sharedUnit(fork: ForkContext): number {
  const [first, ...others] = fork.rest
  if (first === undefined) return -1
  const unit = unitOf(fork.state, first)
  return others.every(child => unitOf(fork.state, child) === unit) ? unit : -1
}

/** F2: at most one child is more than a hook, progress, attachment or system entry that leads nowhere. */
export const structural: Rung = {
  rule: 'F2',
  kind: 'structural',
  applies: fork => fork.rest.length <= 1,
  evidence: fork => {
    const beside = fork.children.length - fork.rest.length
    return `${countNoun(beside, 'hook or note')} without any conversation below beside ${countNoun(fork.rest.length, 'other child')}`
  },
}

/**
 * Roots that are session-start hooks or commands: the context was cleared and the conversation began again in the
 * same file (2.1.12, "clear context and implement the plan"). Only prompts as rival roots are a rewind.
 */
export function isBegunAgain(fork: ForkContext, heads: readonly number[]): boolean {
  return fork.parent < 0 && heads.filter(head => isPrompt(fork.state, head)).length < 2
}

export const begunAgain: Pick<Rung, 'rule' | 'kind' | 'evidence'> = {
  rule: 'F2',
  kind: 'structural',
  evidence: () =>
    'a hook or command stands as a root: the context was cleared and the conversation began again',
}

/** F3: user children that lead nowhere, beside the one assistant child that goes on. */
export const structuralResult: Rung = {
  rule: 'F3',
  kind: 'structural-result',
  applies: fork => {
    const assistants = fork.rest.filter(child => isAssistant(fork.state, child))
    const users = fork.rest.filter(child => isUser(fork.state, child))
    if (assistants.length !== 1 || users.length === 0) return false
    if (fork.rest.some(child => isStructural(fork.state, child))) return false
    return users.every(user => !has(fork.state, user, Below) && !isPendingPrompt(fork, user, assistants))
  },
  order: fork => {
    const isLast = (child: number): number => Number(isAssistant(fork.state, child))
    return [...fork.children].sort((a, b) => isLast(a) - isLast(b))
  },
  evidence: fork => {
    const users = fork.rest.filter(child => isUser(fork.state, child)).length
    return `${countNoun(users, 'user child')} with no conversation below beside one assistant child`
  },
}

/** A prompt written after those beside it, in the order of writing, is not a left-over: the user has just asked. */
function isPendingPrompt(fork: ForkContext, user: number, others: readonly number[]): boolean {
  if (!isPrompt(fork.state, user)) return false
  const last = others.at(-1)
  return last === undefined || last === user || compareWritten(fork.state, last, user) < 0
}

/**
 * F4: every assistant child comes to a dead end (no typed input below it), and exactly one user child goes on. A
 * killed tool call looks so: `assistant -> {call without result, next prompt}` (2.1.197, 2.1.101).
 */
export const deadEnd: Rung = {
  rule: 'F4',
  kind: 'dead-end',
  applies: fork => {
    const { state, rest } = fork
    const assistants = rest.filter(child => isAssistant(state, child))
    if (assistants.length === 0 || rest.some(child => isStructural(state, child))) return false
    const going = rest.filter(child => isUser(state, child) && goesOn(fork, child))
    return going.length === 1 && assistants.every(child => !hasInput(state, child))
  },
  order: fork => {
    const isLast = (child: number): number => Number(isUser(fork.state, child) && goesOn(fork, child))
    return [...fork.children].sort((a, b) => isLast(a) - isLast(b))
  },
  evidence: fork => {
    const ends = fork.rest.filter(child => isAssistant(fork.state, child)).length
    return `${countNoun(ends, 'assistant child')} with no typed input below, one user child goes on`
  },
}

function goesOn(fork: ForkContext, child: number): boolean {
  return grows(fork.state, child) || isPrompt(fork.state, child)
}

/** F5: exactly one hook, progress or attachment child carries the conversation on, all others lead nowhere. */
export const passthrough: Rung = {
  rule: 'F5',
  kind: 'passthrough',
  applies: fork => {
    const live = fork.rest.filter(child => isStructural(fork.state, child))
    const others = fork.rest.filter(child => !isStructural(fork.state, child))
    return (
      live.length === 1 &&
      others.every(child => !has(fork.state, child, Below) && !isPendingPrompt(fork, child, fork.rest))
    )
  },
  evidence: fork =>
    `the conversation goes on through one structural child, ${countNoun(fork.rest.length - 1, 'other child')} lead nowhere`,
}

/** F7: all children but one repeat it under new uuids. */
export const replay: Rung = {
  rule: 'F7',
  kind: 'replay',
  applies: fork => fork.copies.length > 0 && fork.children.length <= 1,
  evidence: fork =>
    `${countNoun(fork.copies.length, 'child')} with the same content as another, folded as a copy`,
}
