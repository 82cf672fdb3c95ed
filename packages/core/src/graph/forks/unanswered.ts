/** F9, F10: prompts without an answer: requests that failed or were sent again, and prompts that were cancelled. */
import * as t from '../table.js'
import { count, type Fork, hasAnswer, hasFailure, isPrompt, type Rung } from './fork.js'

/** F9: siblings that stem from failed requests, or the same prompt sent again after one. */
export const retry: Rung = {
  rule: 'F9',
  kind: 'retry',
  applies: fork => fork.rest.some(child => isAttempt(fork, child)),
  evidence: fork => {
    const failed = fork.rest.filter(child => isAttempt(fork, child)).length
    return `${count(failed, 'attempt')} that got no answer: a failed request, or the same prompt sent again`
  },
}

/** An attempt without an answer that was made again. */
export function isAttempt(fork: Fork, child: number): boolean {
  const { state, rest } = fork
  // A result answers its call, whatever became of the request after it.
  if (hasAnswer(state, child) || t.byte(state.table.says, child) === t.SaysResult) return false
  if (hasFailure(state, child)) return rest.length > 1
  return isPrompt(state, child) && fork.lastPrompts().get(t.real(state.table.print, child)) !== child
}

/** F10: a prompt without any answer beside the next one: cancelled before any output; and interrupt notes. */
export const takenBack: Rung = {
  rule: 'F10',
  kind: 'taken-back',
  applies: fork => fork.rest.some(child => isTakenBack(fork, child)),
  evidence: fork => {
    const found = fork.rest.filter(child => isTakenBack(fork, child)).length
    return `${count(found, 'prompt or interrupt note')} without any answer below, written before the next`
  },
}

/** A prompt that was cancelled: something else was written after it instead of an answer. */
export function isTakenBack(fork: Fork, child: number): boolean {
  const { state } = fork
  if (hasAnswer(state, child)) return false
  if (t.byte(state.table.says, child) === t.SaysInterrupt) return true
  if (!isPrompt(state, child) && !t.marked(state.table, child, t.QueuedPrompt)) return false
  return fork.rest.at(-1) !== child
}
