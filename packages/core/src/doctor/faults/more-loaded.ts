import { counted, type FaultKind, findingAt } from './fault.js'

/** D2: messages that a resume loads though they are not part of the conversation. */
export const moreLoaded: FaultKind = {
  id: 'more-loaded',
  title: 'more than the conversation',
  meaning:
    'A resume also loads messages that are not part of the conversation: of a branch that was left, or written twice.',
  cost: 'The model sees them as if they had been said. A checkout leaves them out.',
  fix: 'dagline checkout SESSION',
  find: (patient, before) => {
    const [first] = patient.more
    // Where messages are lost, that fault says which end was taken instead.
    if (first === undefined || before.some(({ effect }) => effect === 'loss')) return []
    const count = patient.more.length
    const message = `A resume also loads ${counted(count, 'message')} from elsewhere${count === 1 ? '' : '; this is the first'}.`
    return [{ ...findingAt(patient, first, 'info', message), count }]
  },
}
