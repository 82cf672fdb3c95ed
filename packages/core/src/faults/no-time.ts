import { isConversation } from '../graph/live.js'
import * as t from '../graph/table.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D5: the last message has no time. */
export const noTime: FaultKind = {
  id: 'no-time',
  title: 'last message without a time',
  meaning: 'The message that the conversation ends with has no valid `timestamp`: another program wrote it.',
  cost: 'Claude Code says "No conversation found" and resumes nothing.',
  fix: 'dagline repair SESSION',
  find: patient => {
    const { state, loaded, lost, live } = patient
    const last = [...live].findLast(node => isConversation(state.table, node)) ?? t.none
    if (loaded.leaf !== t.none || lost.length === 0 || last === t.none) return []
    if (!Number.isNaN(t.real(state.table.time, last))) return []
    const message = `It has no valid time: a resume finds none of ${counted(lost.length, 'message')}.`
    return [findingAt(patient, last, 'error', message)]
  },
}
