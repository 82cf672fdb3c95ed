import { isInFile } from '../graph/nodes.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D7: calls that never got a result. */
export const unansweredCall: FaultKind = {
  id: 'unanswered-call',
  title: 'calls without a result',
  meaning: 'A tool was called and its result never written: the process was killed, or the row is gone.',
  cost: 'A resume answers the last calls with a made-up error and leaves others out; releases before 2.1.41 can be refused (400).',
  fix: 'dagline repair SESSION',
  find: patient => {
    const { graph, file } = patient
    const open = graph.tools().unanswered.filter(({ node }) => isInFile(graph, node, file))
    const [first] = open
    if (first === undefined) return []
    const lost = new Set(patient.lost)
    const isLosing = open.some(({ node }) => lost.has(node))
    const live = open.filter(
      ({ node }) => patient.live.has(node) || patient.loaded.nodes.includes(node),
    ).length
    const where = live === 0 ? 'none of them live' : `${live} live`
    const message = `${counted(open.length, 'call has', 'calls have')} no result, ${where}; the first is ${first.id}.`
    const found = findingAt(patient, first.node, isLosing ? 'error' : 'info', message)
    return [{ ...found, count: open.length, ...(isLosing ? {} : { fix: null }) }]
  },
}
