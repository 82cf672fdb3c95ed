/** F7: all children but one repeat it under new uuids. */
import { count, type Rung } from './fork.js'

export const replay: Rung = {
  rule: 'F7',
  kind: 'replay',
  applies: fork => fork.copies.length > 0 && fork.children.length <= 1,
  evidence: fork =>
    `${count(fork.copies.length, 'child')} with the same content as another, folded as a copy`,
}
