import { unknownBeginning } from '../edit/new-rows.js'
import { isAssistant, isSameFile, none, parentOf } from '../graph/nodes.js'
import { type EntriesFinding, type FaultKind, findingFor } from './fault.js'

/** D8: what a resume loads begins with an answer; the first prompt is gone. */
export const answerFirst: FaultKind<EntriesFinding> = {
  id: 'answer-first',
  rule: 'D8',
  title: 'begins with an answer',
  meaning: 'The prompt that the conversation began with is not in the file, or a resume does not load it.',
  cost: 'The request does not begin with the user: the API rejects it, and every further prompt (400).',
  remedy: 'The repair puts a first prompt before it that says what is missing.',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: context => {
    const { graph, loaded } = context
    const [first = none] = loaded.nodes
    if (first === none || !isAssistant(graph, first)) return []
    const parent = parentOf(graph, first)
    // Where the prompt stands in another file, a repair cannot bring it; a checkout does (`unreached`).
    const isElsewhere = parent !== none && !isSameFile(graph, parent, first)
    const message = 'A resume begins with this answer: what was asked is not there.'
    return findingFor(context, [first], isElsewhere ? null : 'error', message)
  },
  stages: ['beginning'],
  repair: (draft, found) => {
    for (const first of found.flatMap(({ nodes }) => nodes)) {
      const beginning = unknownBeginning(draft.source, first, draft.session)
      draft.relink(first, beginning)
      draft.note(first, 'The conversation begins with an answer; a note about that is put before it.')
      draft.promise([beginning, ...draft.promised()])
    }
  },
}
