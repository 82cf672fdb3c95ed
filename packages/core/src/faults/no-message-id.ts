import { none } from '../graph/nodes.js'
import { NoMessageId } from '../resume/content-marks.js'
import { joinAnswers } from '../resume/sent.js'
import { counted, type EntriesFinding, type FaultKind, findingFor, markOf } from './fault.js'

/** D8: answers without a message id that a resume sends in another order. */
export const noMessageId: FaultKind<EntriesFinding> = {
  id: 'no-message-id',
  rule: 'D8',
  title: 'answers without a message id',
  meaning: 'Answers have no `message.id`: another program wrote or changed them.',
  cost: 'Claude Code joins such answers to one message and sends it before the results and prompts between them.',
  remedy: 'The repair gives each answer a message id.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, survey } = context
    const live = [...context.live]
    const sent = joinAnswers(graph, live, survey.marks)
    if (live.every((node, at) => node === sent[at])) return []
    const bare = live.filter(node => (markOf(context, node) & NoMessageId) !== 0)
    const message = `${counted(bare.length, 'answer')} without a message id: a resume does not send them in their places.`
    return findingFor(context, bare, 'warning', message)
  },
  stages: ['fields'],
  // Every edit gives an id to the answers that it writes (`rowLocation`); here that is the reason for one.
  repair: (draft, found) => {
    for (const { nodes } of found)
      draft.note(nodes[0] ?? none, `${counted(nodes.length, 'answer')} without a message id get one.`)
  },
}
