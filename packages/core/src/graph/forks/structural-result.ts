/** F3: user children that lead nowhere, beside the one assistant child that goes on. */
import { Below } from '../facts.js'
import { compareWritten } from '../order.js'
import { count, type Fork, has, isAssistant, isPrompt, isStructural, isUser, type Rung } from './fork.js'

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
    return `${count(users, 'user child')} with no conversation below beside one assistant child`
  },
}

/** A prompt written after those beside it, in the order of writing, is not a left-over: the user has just asked. */
export function isPendingPrompt(fork: Fork, user: number, others: readonly number[]): boolean {
  if (!isPrompt(fork.state, user)) return false
  const last = others.at(-1)
  return last === undefined || last === user || compareWritten(fork.state, last, user) < 0
}
