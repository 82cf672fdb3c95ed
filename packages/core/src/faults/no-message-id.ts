import { type Draft, noteRepair, type Said } from '../edit/draft.js'
import { NoMessageId } from '../resume/content-marks.js'
import { joinAnswers } from '../resume/sent.js'
import { counted, type ExaminedFile, type FaultKind, faultAt, markOf } from './fault.js'

/** D8: answers without a message id that a resume sends in another order. */
export const noMessageId: FaultKind = {
  id: 'no-message-id',
  title: 'answers without a message id',
  meaning: 'Answers have no `message.id`: another program wrote or changed them.',
  cost: 'Claude Code joins such answers to one message and sends it before the results and prompts between them.',
  fix: 'dagline repair SESSION',
  find: context => {
    const bare = movedAnswers(context, [...context.live])
    const [first] = bare
    if (first === undefined) return []
    const message = `${counted(bare.length, 'answer')} without a message id: a resume does not send them in their places.`
    return [{ ...faultAt(context, first, 'warning', message), count: bare.length }]
  },
  repairs: [{ stage: 'fields', change: noteIds }],
}

/** The answers without an id, where the client does not send all of them in their places. */
function movedAnswers(examined: ExaminedFile, nodes: readonly number[]): readonly number[] {
  const sent = joinAnswers(examined.graph, nodes, examined.survey.marks)
  if (nodes.every((node, at) => node === sent[at])) return []
  return nodes.filter(node => (markOf(examined, node) & NoMessageId) !== 0)
}

/** Every edit gives an id to the answers that it writes (`placeOf`); here that is the reason for one. */
function noteIds(draft: Draft, conversation: readonly Said[]): void {
  if (!draft.wants('no-message-id')) return
  const said = conversation.filter(item => typeof item === 'number')
  const bare = movedAnswers(draft, said)
  const [first] = bare
  if (first === undefined) return
  noteRepair(draft, 'no-message-id', first, `${counted(bare.length, 'answer')} without a message id get one.`)
}
