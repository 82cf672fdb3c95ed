import { foreignEntries, sessionOf } from '../graph/nodes.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D10: rows that carry the id of another session. */
export const wrongSession: FaultKind = {
  id: 'wrong-session',
  title: "another session's id",
  meaning:
    'Rows carry the id of another session than the file is named after: it was renamed, or copied by hand.',
  cost: 'Tools that go by the id show the session twice or not at all.',
  fix: 'dagline repair SESSION',
  find: patient => {
    const { graph, file, session } = patient
    const foreign = foreignEntries(graph, file, session)
    const [first] = foreign
    if (first === undefined) return []
    const other = sessionOf(graph, first).slice(0, 8)
    const message = `${counted(foreign.length, 'entry carries', 'entries carry')} the id of session ${other}.`
    return [{ ...findingAt(patient, first, 'warning', message), count: foreign.length }]
  },
}
