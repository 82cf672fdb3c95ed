/** F9: siblings that stem from failed requests, or the same prompt sent again after one. */

import * as t from '../table.js'
import { count, type Fork, hasAnswer, hasFailure, isPrompt, type Rung } from './fork.js'

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
