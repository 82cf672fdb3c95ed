import { type Draft, noteRepair, patchRow } from '../edit/draft.js'
import { isoTimeOf } from '../edit/source.js'
import { isConversation, none, timeOf } from '../graph/nodes.js'
import { counted, type FaultKind, faultAt } from './fault.js'

/** D5: the last message has no time. */
export const noTime: FaultKind = {
  id: 'no-time',
  title: 'last message without a time',
  meaning: 'The message that the conversation ends with has no valid `timestamp`: another program wrote it.',
  cost: 'Claude Code says "No conversation found" and resumes nothing.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, loaded, lost, live } = context
    const last = [...live].findLast(node => isConversation(graph, node)) ?? none
    if (loaded.leaf !== null || lost.length === 0 || last === none) return []
    if (!Number.isNaN(timeOf(graph, last))) return []
    const message = `It has no valid time: a resume finds none of ${counted(lost.length, 'message')}.`
    return [faultAt(context, last, 'error', message)]
  },
  repairs: [{ stage: 'fields', change: addTimes }],
}

/** Entries without a time: newer releases find no end in a file without times. Each gets that of the entry before it. */
function addTimes(draft: Draft): void {
  if (!draft.wants('no-time')) return
  const nodes = draft.file.nodes.filter(node => !draft.dropped.has(node))
  const isDated = (node: number): boolean => isoTimeOf(timeOf(draft.graph, node)) !== null
  const bare = nodes.filter(node => !isDated(node))
  const [first] = bare
  if (first === undefined) return
  let last = isoTimeOf(timeOf(draft.graph, nodes.find(isDated) ?? none)) ?? new Date(draft.now).toISOString()
  for (const node of nodes) {
    const own = isoTimeOf(timeOf(draft.graph, node))
    if (own === null) patchRow(draft, node, { time: last })
    else last = own
  }
  noteRepair(
    draft,
    'no-time',
    first,
    `${bare.length} entries have no valid time; each gets that of the entry before it.`,
  )
}
