import { cleanEntries } from '../edit/clean.js'
import { type Draft, isMarked, type Said } from '../edit/draft.js'
import { Unsigned } from '../resume/content-marks.js'
import { counted, type FaultKind, faultAt, markOf } from './fault.js'

/** D8: thinking that the API does not take back. */
export const unsendableThinking: FaultKind = {
  id: 'unsendable-thinking',
  title: 'thinking without a signature',
  meaning: 'A thinking block has no signature: it was cut, edited, or written by another client.',
  cost: 'The API refuses the request that carries it, with every further prompt (400).',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: context => {
    const { loaded } = context
    const bare = loaded.nodes.filter(node => (markOf(context, node) & Unsigned) !== 0)
    const [first] = bare
    if (first === undefined) return []
    const message = `${counted(bare.length, 'thinking block has', 'thinking blocks have')} no signature and would be sent.`
    return [{ ...faultAt(context, first, 'error', message), count: bare.length }]
  },
  repairs: [{ stage: 'content', rewrite: leaveThinkingOut }],
}

function leaveThinkingOut(draft: Draft, conversation: readonly Said[]): readonly Said[] {
  return cleanEntries(draft, conversation, {
    kind: 'unsendable-thinking',
    isMeant: node => isMarked(draft, node, Unsigned),
    whyFor: () => 'A thought without its signature is left out: the API would refuse the whole conversation.',
  })
}
