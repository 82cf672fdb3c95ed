import { Unsigned } from '../resume/content-marks.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D8: thinking that the API does not take back. */
export const unsendableThinking: FaultKind = {
  id: 'unsendable-thinking',
  title: 'thinking without a signature',
  meaning: 'A thinking block has no signature: it was cut, edited, or written by another client.',
  cost: 'The API refuses the request that carries it, with every further prompt (400).',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: patient => {
    const { graph, loaded, extras } = patient
    const bare = loaded.nodes.filter(node => ((extras.marks.get(graph.id(node)) ?? 0) & Unsigned) !== 0)
    const [first] = bare
    if (first === undefined) return []
    const message = `${counted(bare.length, 'thinking block has', 'thinking blocks have')} no signature and would be sent.`
    return [{ ...findingAt(patient, first, 'error', message), count: bare.length }]
  },
}
