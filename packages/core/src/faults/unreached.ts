import { none } from '../graph/nodes.js'
import { counted, type EntriesFinding, type FaultKind, findingFor } from './fault.js'

/** D2: messages that a resume does not load, where no other kind says why and names a command. */
export const unreached: FaultKind<EntriesFinding> = {
  id: 'unreached',
  rule: 'D2',
  title: 'messages out of reach',
  meaning:
    'Messages of the conversation hang where a resume does not look: behind another end, or on what it leaves out.',
  cost: 'A resume goes on without them. A repair writes the whole conversation as one line.',
  remedy: 'The repair writes the whole conversation as one line.',
  fix: 'dagline repair SESSION',
  find: (context, before) => {
    const { lost } = context
    const isNamed = before.some(({ effect, fix }) => effect === 'loss' && fix !== null)
    const message = `A resume leaves out ${counted(lost.length, 'message')}${lost.length === 1 ? '' : '; this is the first'}.`
    return findingFor(context, lost, isNamed ? null : 'error', message)
  },
  stages: ['line'],
  repair: (draft, found) => {
    if (draft.changes.length > 0 || !draft.isLinear) return
    for (const { nodes } of found)
      draft.note(nodes[0] ?? none, 'A resume does not load it; the conversation becomes one line of entries.')
  },
}
