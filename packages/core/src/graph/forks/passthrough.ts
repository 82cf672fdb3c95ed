/** F5: exactly one hook, progress or attachment child carries the conversation on, all others lead nowhere. */
import { Below } from '../facts.js'
import { count, has, isStructural, type Rung } from './fork.js'
import { isPendingPrompt } from './structural-result.js'

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
    `the conversation goes on through one structural child, ${count(fork.rest.length - 1, 'other child')} lead nowhere`,
}
