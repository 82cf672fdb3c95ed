import { isInFile } from '../graph/nodes.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D7: results whose call is nowhere. */
export const strayResult: FaultKind = {
  id: 'stray-result',
  title: 'results without a call',
  meaning: 'A result answers a call that is not in the file.',
  cost: 'Newer releases leave it out; with those before 2.1.41 every prompt is refused (400).',
  fix: 'dagline repair SESSION',
  find: patient => {
    const { graph, file, live } = patient
    const stray = graph.tools().stray.filter(({ node }) => isInFile(graph, node, file))
    const [first] = stray
    if (first === undefined) return []
    const isLive = stray.some(({ node }) => live.has(node))
    const message = `${counted(stray.length, 'result answers', 'results answer')} calls that are not there; the first is ${first.id}.`
    const found = {
      ...findingAt(patient, first.node, isLive ? 'warning' : 'info', message),
      count: stray.length,
    }
    return [isLive ? found : { ...found, fix: null }]
  },
}
