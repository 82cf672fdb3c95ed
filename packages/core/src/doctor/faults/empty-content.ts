import { EmptyBlock } from '../../edit/survey.js'
import * as t from '../../graph/table.js'
import { counted, type FaultKind, type Finding, findingAt, type Patient } from './fault.js'

/** D8: messages with nothing in them. Texts of white space are none: every release leaves them out. */
export const emptyContent: FaultKind = {
  id: 'empty-content',
  title: 'empty messages',
  meaning: 'A message of the conversation has empty text or no content at all.',
  cost: 'Newer releases leave it out; with those before 2.1.197 the API refuses every further prompt (400).',
  fix: 'dagline repair SESSION',
  find: patient => [...emptyAmong(patient, t.User), ...emptyAmong(patient, t.Assistant)],
}

function emptyAmong(patient: Patient, kind: number): readonly Finding[] {
  const { graph, state, file, extras } = patient
  const { table } = state
  const empty = graph
    .live(file.facts.path)
    .filter(node => t.byte(table.kind, node) === kind)
    .filter(node => ((extras.marks.get(t.idOf(table, node)) ?? 0) & EmptyBlock) !== 0)
  const [first] = empty
  if (first === undefined) return []
  const whose = kind === t.User ? 'user' : 'assistant'
  const message = `${counted(empty.length, 'entry', 'entries')} of the ${whose} with empty text.`
  return [
    { ...findingAt(patient, first, kind === t.User ? 'warning' : 'info', message), count: empty.length },
  ]
}
