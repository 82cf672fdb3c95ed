/** The answer above another entry, wherever the two stand. */
import { linkOf } from './adopt.js'
import { isAnswer } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The last answer above another one, as far as a bounded search finds it. */
export function answerBefore(state: State, node: number): number {
  const message = t.int(state.table.message, node)
  let above = linkOf(state, node)
  for (let steps = 0; above !== t.none && steps < 256; steps++) {
    if (isAnswer(state, above) && t.int(state.table.message, above) !== message) return above
    above = linkOf(state, above)
  }
  return t.none
}
