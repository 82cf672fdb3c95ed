import { type Draft, dropRow } from '../edit/draft.js'
import { copiesAmong, parentIdOf } from '../graph/nodes.js'
import { counted, type FaultContext, type FaultKind, type FoundFault, faultAt } from './fault.js'

/** D6: rows that were written again. */
export const duplicateRow: FaultKind = {
  id: 'duplicate-row',
  title: 'rows written again',
  meaning: 'Entries stand in the file more than once: history was appended again, or two copies were joined.',
  cost: 'Newer releases send parts of both copies, out of order; some take an old row for the last one.',
  fix: 'dagline repair SESSION',
  find: context => [...repeated(context), ...replayed(context)],
  // History under new ids is left out by one way of repair only (`repair.ts`).
  repairs: [{ stage: 'rows', change: leaveRepeatsOut }],
}

/** Rows written again are left out. */
function leaveRepeatsOut(draft: Draft): void {
  if (!draft.wants('duplicate-row')) return
  for (const node of draft.file.repeats)
    dropRow(draft, 'duplicate-row', node, 'The entry stands in the file already.')
}

function repeated(context: FaultContext): readonly FoundFault[] {
  const { graph, file } = context
  const [first] = file.repeats
  if (first === undefined) return []
  const parents = new Map(file.nodes.map(node => [graph.id(node), parentIdOf(graph, node)]))
  const moved = file.repeats.filter(row => parents.get(graph.id(row)) !== parentIdOf(graph, row)).length
  const say = `${counted(file.repeats.length, 'row')} of entries that stand in the file already`
  const message = moved === 0 ? `${say}.` : `${say}, ${moved} of them with another parent.`
  const cost = ` A resume ends at one of them and loses ${counted(context.lost.length, 'message')}.`
  const isEnd = endsAtRepeat(context)
  const severity = isEnd ? 'error' : moved === 0 ? 'info' : 'warning'
  return [
    {
      ...faultAt(context, first, severity, isEnd ? message + cost : message),
      count: file.repeats.length,
    },
  ]
}

/** Whether a resume takes an entry that was written again for the end, and loses what came after it. */
function endsAtRepeat({ graph, file, loaded, lost }: FaultContext): boolean {
  if (lost.length === 0 || loaded.stop !== null || loaded.leaf === null) return false
  const leaf = graph.id(loaded.leaf)
  return file.repeats.some(row => graph.id(row) === leaf)
}

/** G7: the same turns under new uuids, in the same file: a resume gathers the parts of a message from all copies. */
function replayed(context: FaultContext): readonly FoundFault[] {
  const { graph, file, loaded } = context
  const repeats = copiesAmong(graph, file.nodes)
  const [first] = repeats.keys()
  if (first === undefined) return []
  const there = new Set(loaded.nodes)
  const twice = [...repeats].filter(([copy, original]) => there.has(copy) && there.has(original)).length
  const say = `${counted(repeats.size, 'entry', 'entries')} repeat earlier ones under new ids`
  const message = twice === 0 ? `${say}.` : `${say}; a resume sends ${twice} of them twice.`
  return [{ ...faultAt(context, first, twice === 0 ? 'info' : 'warning', message), count: repeats.size }]
}
