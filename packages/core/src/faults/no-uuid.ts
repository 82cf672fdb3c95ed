import { counted, type FaultKind, findingInFile } from './fault.js'

/** D6: entries without a uuid. */
export const noUuid: FaultKind = {
  id: 'no-uuid',
  rule: 'D6',
  title: 'messages without a uuid',
  meaning: 'Rows of messages have no `uuid`: another program wrote or changed them. No release is known to.',
  cost: 'Claude Code keeps only the last of them, and dagline gives them no place in the conversation.',
  remedy: 'Nothing repairs it: without ids nobody can say where these rows belong.',
  fix: null,
  find: ({ survey: { nameless } }) => {
    if (nameless === null || nameless.messages === 0) return []
    const { messages, row } = nameless
    const message = `${counted(messages, 'message has', 'messages have')} no uuid; a resume can load the last one only, on row ${row}.`
    return [{ ...findingInFile('warning', message, messages), row }]
  },
}
