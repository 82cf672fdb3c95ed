/** F9: siblings that stem from failed requests, or the same prompt sent again after one. */

import { compareWritten } from '../order.js'
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
  if (hasAnswer(state, child)) return false
  if (hasFailure(state, child)) return rest.some(other => other !== child)
  return isPrompt(state, child) && rest.some(other => isSentAgain(fork, child, other))
}

function isSentAgain(fork: Fork, child: number, other: number): boolean {
  const { table } = fork.state
  if (other === child || !isPrompt(fork.state, other)) return false
  const same = t.real(table.print, child) === t.real(table.print, other)
  return same && compareWritten(fork.state, child, other) < 0
}
