import { foreignEntries, none, sessionOf } from '../graph/nodes.js'
import { counted, type EntriesFinding, type FaultKind, findingFor } from './fault.js'

/** D10: rows that carry the id of another session. */
export const wrongSession: FaultKind<EntriesFinding> = {
  id: 'wrong-session',
  rule: 'D10',
  title: "another session's id",
  meaning:
    'Rows carry the id of another session than the file is named after: it was renamed, or copied by hand.',
  cost: 'Tools that go by the id show the session twice or not at all.',
  remedy: 'The repair writes the id of the session on these rows.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file, session } = context
    const foreign = foreignEntries(graph, file, session)
    const other = foreign.length === 0 ? '' : sessionOf(graph, foreign[0] ?? none).slice(0, 8)
    const message = `${counted(foreign.length, 'entry carries', 'entries carry')} the id of session ${other}.`
    return findingFor(context, foreign, 'warning', message)
  },
  stages: ['fields'],
  // Every row that is written gets the id of its file in any case.
  repair: (draft, found) => {
    for (const { nodes } of found)
      draft.note(
        nodes[0] ?? none,
        `${nodes.length} entries carry the id of another session; they get this one's.`,
      )
  },
}
