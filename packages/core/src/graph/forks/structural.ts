/** F2: at most one child is more than a hook, progress, attachment or system twig. */
import { count, type Fork, isPrompt, type Rung } from './fork.js'

export const structural: Rung = {
  rule: 'F2',
  kind: 'structural',
  applies: fork => fork.rest.length <= 1,
  evidence: fork => {
    const twigs = fork.children.length - fork.rest.length
    return `${count(twigs, 'twig')} without any conversation below beside ${count(fork.rest.length, 'other child')}`
  },
}

/**
 * Roots that are session-start hooks or commands: the context was cleared and the conversation began anew in the
 * same file (2.1.12, "clear context and implement the plan"). Only prompts as rival roots are a rewind.
 */
export function isBegunAnew(fork: Fork, heads: readonly number[]): boolean {
  return fork.parent < 0 && heads.filter(head => isPrompt(fork.state, head)).length < 2
}

export const begunAnew: Pick<Rung, 'rule' | 'kind' | 'evidence'> = {
  rule: 'F2',
  kind: 'structural',
  evidence: () =>
    'a hook or command stands as a root: the context was cleared and the conversation began anew',
}
