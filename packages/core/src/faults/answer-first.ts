import type { Graph } from '../graph/graph.js'
import { isAssistant, isSameFile, none, parentOf } from '../graph/nodes.js'
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
    const { graph, loaded } = patient
    const [first = none] = loaded.nodes
    if (first === none || !isAssistant(graph, first)) return []
    // The prompt stands in another file: a repair cannot bring it, a checkout does (`unreached`).
    if (goesOnElsewhere(graph, first)) return []
    const message = 'A resume begins with this answer: what was asked is not there.'
    return [findingAt(patient, first, 'error', message)]
  },
}

function goesOnElsewhere(graph: Graph, node: number): boolean {
  const parent = parentOf(graph, node)
  return parent !== none && !isSameFile(graph, parent, node)
}
