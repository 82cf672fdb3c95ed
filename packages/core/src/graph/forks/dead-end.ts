/**
 * F4: every assistant child comes to a dead end (no typed input below it), and exactly one user child goes on. A
 * killed tool call looks so: `assistant -> {call without result, next prompt}` (2.1.197, 2.1.101).
 */
import {
  count,
  type Fork,
  grows,
  hasInput,
  isAssistant,
  isPrompt,
  isStructural,
  isUser,
  type Rung,
} from './fork.js'

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
    return `${count(ends, 'assistant child')} with no typed input below, one user child goes on`
  },
}

function goesOn(fork: Fork, child: number): boolean {
  return grows(fork.state, child) || isPrompt(fork.state, child)
}
