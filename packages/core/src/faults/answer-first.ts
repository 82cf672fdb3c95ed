import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'
import { type FaultKind, findingAt } from './fault.js'

/** D8: what a resume loads begins with an answer; the first prompt is gone. */
export const answerFirst: FaultKind = {
  id: 'answer-first',
  title: 'begins with an answer',
  meaning: 'The prompt that the conversation began with is not in the file, or a resume does not reach it.',
  cost: 'The request does not begin with the user: the API refuses it, with every further prompt (400).',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: patient => {
    const { state, loaded } = patient
    const [first = t.none] = loaded.nodes
    if (first === t.none || t.byte(state.table.kind, first) !== t.Assistant) return []
    // The prompt stands in another file: a repair cannot bring it, a checkout does (`unreached`).
    if (goesOnElsewhere(state, first)) return []
    const message = 'A resume begins with this answer: what was asked is not there.'
    return [findingAt(patient, first, 'error', message)]
  },
}

function goesOnElsewhere({ table }: State, node: number): boolean {
  const parent = t.int(table.parent, node)
  return parent !== t.none && t.int(table.file, parent) !== t.int(table.file, node)
}
