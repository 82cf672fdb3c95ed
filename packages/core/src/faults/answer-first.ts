import { unknownBeginning } from '../edit/beginning.js'
import { type Draft, noteRepair, type Said } from '../edit/draft.js'
import type { Graph } from '../graph/graph.js'
import { isAssistant, isSameFile, none, parentOf } from '../graph/nodes.js'
import { type FaultKind, faultAt } from './fault.js'

/** D8: what a resume loads begins with an answer; the first prompt is gone. */
export const answerFirst: FaultKind = {
  id: 'answer-first',
  title: 'begins with an answer',
  meaning: 'The prompt that the conversation began with is not in the file, or a resume does not reach it.',
  cost: 'The request does not begin with the user: the API refuses it, with every further prompt (400).',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: context => {
    const { graph, loaded } = context
    const [first = none] = loaded.nodes
    if (first === none || !isAssistant(graph, first)) return []
    // The prompt stands in another file: a repair cannot bring it, a checkout does (`unreached`).
    if (goesOnElsewhere(graph, first)) return []
    const message = 'A resume begins with this answer: what was asked is not there.'
    return [faultAt(context, first, 'error', message)]
  },
  repairs: [{ stage: 'beginning', rewrite: addBeginning }],
}

function goesOnElsewhere(graph: Graph, node: number): boolean {
  const parent = parentOf(graph, node)
  return parent !== none && !isSameFile(graph, parent, node)
}

/** A conversation begins with the user: where the file begins with an answer, a word about that is put before it. */
function addBeginning(draft: Draft, talk: readonly Said[]): readonly Said[] {
  const [first] = talk
  if (typeof first !== 'number' || !isAssistant(draft.graph, first)) return talk
  if (!draft.wants('answer-first') && !draft.wants('dangling-parent')) return talk
  const made = unknownBeginning(draft.source, first, draft.session)
  noteRepair(
    draft,
    'answer-first',
    first,
    'The conversation begins with an answer; a word about that is put before it.',
  )
  draft.start = { node: first, made }
  return [draft.start.made, ...talk]
}
