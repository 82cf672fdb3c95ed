/** F10: a prompt without any answer beside the next one: cancelled before any output; and interrupt notes. */

import * as t from '../table.js'
import { count, type Fork, hasAnswer, isPrompt, type Rung } from './fork.js'

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
