import { type Draft, noteRepair } from '../edit/draft.js'
import { foreignEntries, sessionOf } from '../graph/nodes.js'
import { counted, type FaultKind, faultAt } from './fault.js'

/** D10: rows that carry the id of another session. */
export const wrongSession: FaultKind = {
  id: 'wrong-session',
  title: "another session's id",
  meaning:
    'Rows carry the id of another session than the file is named after: it was renamed, or copied by hand.',
  cost: 'Tools that go by the id show the session twice or not at all.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file, session } = context
    const foreign = foreignEntries(graph, file, session)
    const [first] = foreign
    if (first === undefined) return []
    const other = sessionOf(graph, first).slice(0, 8)
    const message = `${counted(foreign.length, 'entry carries', 'entries carry')} the id of session ${other}.`
    return [{ ...faultAt(context, first, 'warning', message), count: foreign.length }]
  },
  repairs: [{ stage: 'fields', change: noteForeign }],
}

/** Rows that carry another session's id, and are not copies of that session's, get the file's own. */
function noteForeign(draft: Draft): void {
  const { graph, file, session } = draft
  const foreign = foreignEntries(graph, file, file.facts.session ?? session)
  const [first] = foreign
  if (first === undefined || !draft.wants('wrong-session')) return
  noteRepair(
    draft,
    'wrong-session',
    first,
    `${foreign.length} entries carry the id of another session; they get this one's.`,
  )
}
