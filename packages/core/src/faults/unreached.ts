import { type Draft, noteRepair, type Said } from '../edit/draft.js'
import { counted, type FaultKind, faultAt } from './fault.js'

/** D2: messages that a resume does not load, where no other kind says why and names a command. */
export const unreached: FaultKind = {
  id: 'unreached',
  title: 'messages out of reach',
  meaning:
    'Messages of the conversation hang where a resume does not look: behind another end, or on what it leaves out.',
  cost: 'A resume goes on without them. A repair writes the whole conversation as one line.',
  fix: 'dagline repair SESSION',
  find: (context, before) => {
    const [first] = context.lost
    const isNamed = before.some(({ effect, fix }) => effect === 'loss' && fix !== null)
    if (first === undefined || isNamed) return []
    const count = context.lost.length
    const message = `A resume leaves out ${counted(count, 'message')}${count === 1 ? '' : '; this is the first'}.`
    return [{ ...faultAt(context, first, 'error', message), count }]
  },
  repairs: [{ stage: 'line', change: noteUnreached }],
}

/** Where a resume loads less than the conversation and no other fault says why, it is written as one line. */
function noteUnreached(draft: Draft, conversation: readonly Said[]): void {
  if (draft.changes.length > 0 || !draft.isStraight || draft.today.size === 0) return
  const lost = conversation.filter(item => typeof item === 'number').find(node => !draft.today.has(node))
  if (lost === undefined) return
  noteRepair(
    draft,
    'unreached',
    lost,
    'A resume does not load it; the conversation becomes one line of entries.',
  )
}
