import { copiesAmong, none, parentIdOf } from '../graph/nodes.js'
import { counted, type FaultKind, type Finding, findingAt, type Patient } from './fault.js'

/** D6: rows that were written again. */
export const duplicateRow: FaultKind = {
  id: 'duplicate-row',
  title: 'rows written again',
  meaning: 'Entries stand in the file more than once: history was appended again, or two copies were joined.',
  cost: 'Newer releases send parts of both copies, out of order; some take an old row for the last one.',
  fix: 'dagline repair SESSION',
  find: patient => [...repeated(patient), ...replayed(patient)],
}

function repeated(patient: Patient): readonly Finding[] {
  const { graph, file } = patient
  const [first] = file.repeats
  if (first === undefined) return []
  const parents = new Map(file.nodes.map(node => [graph.id(node), parentIdOf(graph, node)]))
  const moved = file.repeats.filter(row => parents.get(graph.id(row)) !== parentIdOf(graph, row)).length
  const say = `${counted(file.repeats.length, 'row')} of entries that stand in the file already`
  const message = moved === 0 ? `${say}.` : `${say}, ${moved} of them with another parent.`
  const cost = ` A resume ends at one of them and loses ${counted(patient.lost.length, 'message')}.`
  const isEnd = endsAtRepeat(patient)
  const severity = isEnd ? 'error' : moved === 0 ? 'info' : 'warning'
  return [
    {
      ...findingAt(patient, first, severity, isEnd ? message + cost : message),
      count: file.repeats.length,
    },
  ]
}

/** Whether a resume takes an entry that was written again for the end, and loses what came after it. */
function endsAtRepeat({ graph, file, loaded, lost }: Patient): boolean {
  if (lost.length === 0 || loaded.stop !== null || loaded.leaf === none) return false
  const leaf = graph.id(loaded.leaf)
  return file.repeats.some(row => graph.id(row) === leaf)
}

/** G7: the same turns under new uuids, in the same file: a resume gathers the parts of a message from all copies. */
function replayed(patient: Patient): readonly Finding[] {
  const { graph, file, loaded } = patient
  const repeats = copiesAmong(graph, file.nodes)
  const [first] = repeats.keys()
  if (first === undefined) return []
  const there = new Set(loaded.nodes)
  const twice = [...repeats].filter(([copy, original]) => there.has(copy) && there.has(original)).length
  const say = `${counted(repeats.size, 'entry', 'entries')} repeat earlier ones under new ids`
  const message = twice === 0 ? `${say}.` : `${say}; a resume sends ${twice} of them twice.`
  return [{ ...findingAt(patient, first, twice === 0 ? 'info' : 'warning', message), count: repeats.size }]
}
