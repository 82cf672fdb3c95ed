import { isoTimeOf } from '../edit/source.js'
import { isConversation, none, timeOf } from '../graph/nodes.js'
import { counted, type EntriesFinding, type FaultContext, type FaultKind, findingAt } from './fault.js'

/** D5: the last message has no time. */
export const noTime: FaultKind<EntriesFinding> = {
  id: 'no-time',
  rule: 'D5',
  title: 'last message without a time',
  meaning: 'The message that the conversation ends with has no valid `timestamp`: another program wrote it.',
  cost: 'Claude Code says "No conversation found" and resumes nothing.',
  remedy: 'The repair gives the message the time of the entry before it.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file, lost, live } = context
    const nodes = file.nodes.filter(node => isoTimeOf(timeOf(graph, node)) === null)
    if (nodes.length === 0) return []
    const last = [...live].findLast(node => isConversation(graph, node)) ?? none
    const message = `It has no valid time: a resume finds none of ${counted(lost.length, 'message')}.`
    const severity = isWithoutEnd(context, last) ? 'error' : null
    return [
      { ...findingAt(context, severity === null ? (nodes[0] ?? none) : last, severity, message), nodes },
    ]
  },
  stages: ['fields'],
  // Newer releases find no end in a file without times. Each entry gets the time of the one before it.
  repair: (draft, found) => {
    const { graph, file, isDropped } = draft
    const bare = found.flatMap(({ nodes }) => nodes).filter(node => !isDropped(node))
    const [first] = bare
    if (first === undefined) return
    const timeAt = (node: number): string | null => isoTimeOf(timeOf(graph, node))
    const nodes = file.nodes.filter(node => !isDropped(node))
    let last = timeAt(nodes.find(node => timeAt(node) !== null) ?? none) ?? new Date(draft.now).toISOString()
    for (const node of nodes) {
      const own = timeAt(node)
      if (own === null) draft.rewrite(node, { time: last })
      else last = own
    }
    draft.note(first, `${bare.length} entries have no valid time; each gets that of the entry before it.`)
  },
}

/** Whether a resume finds no end because the last entry of the conversation has no time. */
function isWithoutEnd({ graph, loaded, lost }: FaultContext, last: number): boolean {
  if (loaded.leaf !== null || lost.length === 0 || last === none) return false
  return Number.isNaN(timeOf(graph, last))
}
