import { counted, type FaultKind, findingAt } from './fault.js'

/** D2: messages that a resume does not load, where no other kind says why and names a command. */
export const unreached: FaultKind = {
  id: 'unreached',
  title: 'messages out of reach',
  meaning:
    'Messages of the conversation hang where a resume does not look: behind another end, or on what it leaves out.',
  cost: 'A resume goes on without them. A repair writes the whole conversation as one line.',
  fix: 'dagline repair SESSION',
  find: (patient, before) => {
    const [first] = patient.lost
    const isNamed = before.some(({ effect, fix }) => effect === 'loss' && fix !== null)
    if (first === undefined || isNamed) return []
    const count = patient.lost.length
    const message = `A resume leaves out ${counted(count, 'message')}${count === 1 ? '' : '; this is the first'}.`
    return [{ ...findingAt(patient, first, 'error', message), count }]
  },
}
