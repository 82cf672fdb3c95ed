import * as t from '../../graph/table.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D7: calls that never got a result. */
export const unansweredCall: FaultKind = {
  id: 'unanswered-call',
  title: 'calls without a result',
  meaning: 'A tool was called and its result never written: the process was killed, or the row is gone.',
  cost: 'The call is left out or answered with a made-up error on resume; releases before 2.1.41 can be refused (400).',
  fix: 'dagline repair SESSION',
  find: patient => {
    const { graph, state, file } = patient
    const open = graph.tools().unanswered.filter(({ node }) => t.int(state.table.file, node) === file.index)
    const [first] = open
    if (first === undefined) return []
    const live = open.filter(
      ({ node }) => patient.live.has(node) || patient.loaded.nodes.includes(node),
    ).length
    const where = live === 0 ? 'none of them live' : `${live} live`
    const message = `${counted(open.length, 'call has', 'calls have')} no result, ${where}; the first is ${first.id}.`
    const found = {
      ...findingAt(patient, first.node, live === 0 ? 'info' : 'warning', message),
      count: open.length,
    }
    return [live === 0 ? { ...found, fix: null } : found]
  },
}
