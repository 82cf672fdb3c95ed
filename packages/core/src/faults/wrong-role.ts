import { type Draft, isMarked, mainNodes, noteRepair, patchRow } from '../edit/draft.js'
import { isConversation } from '../graph/nodes.js'
import { WrongRole } from '../resume/content-marks.js'
import { counted, type FaultKind, faultAt, markOf } from './fault.js'

/** D8: messages whose role is not that of their entry. */
export const wrongRole: FaultKind = {
  id: 'wrong-role',
  title: 'roles that are not those of their entries',
  meaning:
    'The message of an answer says that the user wrote it, or the other way round: it was edited by hand.',
  cost: 'Claude Code sends each entry in the role of its type; other programs that read the file may not.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file } = context
    const wrong = file.nodes.filter(
      node => isConversation(graph, node) && (markOf(context, node) & WrongRole) !== 0,
    )
    const [first] = wrong
    if (first === undefined) return []
    const message = `${counted(wrong.length, 'message names', 'messages name')} another role than the entry.`
    return [{ ...faultAt(context, first, 'info', message), count: wrong.length }]
  },
  repairs: [{ stage: 'fields', change: correctRoles }],
}

function correctRoles(draft: Draft): void {
  if (!draft.wants('wrong-role')) return
  for (const node of mainNodes(draft)) {
    if (!isMarked(draft, node, WrongRole) || draft.dropped.has(node)) continue
    noteRepair(
      draft,
      'wrong-role',
      node,
      'Its message names another role than the entry; it gets that of the entry.',
    )
    patchRow(draft, node, { role: true })
  }
}
