import { Unsigned } from '../resume/content-marks.js'
import { cleanEntries } from './empty-content.js'
import { counted, type EntriesFinding, type FaultKind, findingFor, markOf } from './fault.js'

/** D8: thinking that the API does not take back. */
export const unsendableThinking: FaultKind<EntriesFinding> = {
  id: 'unsendable-thinking',
  rule: 'D8',
  title: 'thinking without a signature',
  meaning: 'A thinking block has no signature: it was cut, edited, or written by another client.',
  cost: 'The API refuses the request that carries it, with every further prompt (400).',
  remedy: 'The repair leaves the thinking block out.',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: context => {
    const bare = context.loaded.nodes.filter(node => (markOf(context, node) & Unsigned) !== 0)
    const message = `${counted(bare.length, 'thinking block has', 'thinking blocks have')} no signature and would be sent.`
    return findingFor(context, bare, 'error', message)
  },
  stages: ['content'],
  repair: (draft, found) => {
    const why = 'Thinking without its signature is left out: the API would refuse the whole conversation.'
    cleanEntries(draft, found, () => why)
  },
}
