import { isConversation, none, timeOf } from '../graph/nodes.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D5: the last message has no time. */
export const noTime: FaultKind = {
  id: 'no-time',
  title: 'last message without a time',
  meaning: 'The message that the conversation ends with has no valid `timestamp`: another program wrote it.',
  cost: 'Claude Code says "No conversation found" and resumes nothing.',
  fix: 'dagline repair SESSION',
  find: patient => {
    const { graph, loaded, lost, live } = patient
    const last = [...live].findLast(node => isConversation(graph, node)) ?? none
    if (loaded.leaf !== none || lost.length === 0 || last === none) return []
    if (!Number.isNaN(timeOf(graph, last))) return []
    const message = `It has no valid time: a resume finds none of ${counted(lost.length, 'message')}.`
    return [findingAt(patient, last, 'error', message)]
  },
}
