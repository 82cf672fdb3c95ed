/** F1: the children are parts of one message and results of that message's calls. */
import { childUnit, count, type Fork, hasInput, isAssistant, type Rung } from './fork.js'

export const parallel: Rung = {
  rule: 'F1',
  kind: 'parallel',
  applies: fork => fork.rest.length > 1 && sharedUnit(fork) >= 0 && !isForgotten(fork),
  evidence: fork => {
    const parts = fork.rest.filter(child => isAssistant(fork.state, child)).length
    const results = fork.rest.length - parts
    return `${count(parts, 'part')} and ${count(results, 'result')} of one message, by message id and tool ids`
  },
}

/**
 * F1: after a kill, 2.1.197 can go on from a parallel result and forget the turns since. Both sides then have typed
 * input below them: that is a loss, not one conversation.
 */
export function isForgotten(fork: Fork): boolean {
  return fork.rest.filter(child => hasInput(fork.state, child)).length > 1
}

/** The message all children belong to, or a negative number. */
function sharedUnit(fork: Fork): number {
  const [first, ...others] = fork.rest
  if (first === undefined) return -1
  const unit = childUnit(fork, first)
  return others.every(child => childUnit(fork, child) === unit) ? unit : -1
}
