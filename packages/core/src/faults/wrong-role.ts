import { isConversation } from '../graph/nodes.js'
import { WrongRole } from '../resume/content-marks.js'
import { counted, type EntriesFinding, type FaultKind, findingFor, markOf } from './fault.js'

/** D8: messages whose role is not that of their entry. */
export const wrongRole: FaultKind<EntriesFinding> = {
  id: 'wrong-role',
  rule: 'D8',
  title: 'roles that are not those of their entries',
  meaning:
    'The message of an answer says that the user wrote it, or the other way round: it was edited by hand.',
  cost: 'Claude Code sends each entry in the role of its type; other programs that read the file may not.',
  remedy: 'The repair writes the role that belongs to the type of the entry.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file } = context
    const wrong = file.nodes.filter(
      node => (markOf(context, node) & WrongRole) !== 0 && isConversation(graph, node),
    )
    const message = `${counted(wrong.length, 'message names', 'messages name')} another role than the entry.`
    return findingFor(context, wrong, 'info', message)
  },
  stages: ['fields'],
  repair: (draft, found) => {
    for (const node of found.flatMap(({ nodes }) => nodes)) {
      if (draft.isDropped(node)) continue
      draft.note(node, 'Its message names another role than the entry; it gets that of the entry.')
      draft.rewrite(node, { role: true })
    }
  },
}
