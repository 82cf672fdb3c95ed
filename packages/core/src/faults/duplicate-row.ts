import { mainNodes } from '../edit/draft.js'
import { copiesAmong, parentIdOf } from '../graph/nodes.js'
import { counted, type EntriesFinding, type FaultContext, type FaultKind, findingFor } from './fault.js'

/** Rows of entries that the file has already, under the same ids; or copies under new ids, with what they repeat. */
interface DuplicateFinding extends EntriesFinding {
  readonly copies: ReadonlyMap<number, number> | null
}

/** D6: rows that were written again. */
export const duplicateRow: FaultKind<DuplicateFinding> = {
  id: 'duplicate-row',
  rule: 'D6',
  title: 'rows written again',
  meaning: 'Entries stand in the file more than once: history was appended again, or two copies were joined.',
  cost: 'Newer releases send parts of both copies, out of order; some take an old row for the last one.',
  remedy: 'The repair leaves the later rows out.',
  fix: 'dagline repair SESSION',
  find: context => [...repeated(context), ...copied(context)],
  stages: ['rows'],
  // Copies under new ids are left out by one strategy of repair only (`repair.ts`).
  repair: (draft, found) => {
    for (const { nodes, copies } of found)
      if (copies === null) for (const node of nodes) draft.drop(node, 'The entry stands in the file already.')
  },
}

function repeated(context: FaultContext): readonly DuplicateFinding[] {
  const { graph, file, lost } = context
  const { repeats } = file
  if (repeats.length === 0) return []
  const parents = new Map(file.nodes.map(node => [graph.id(node), parentIdOf(graph, node)]))
  const moved = repeats.filter(row => parents.get(graph.id(row)) !== parentIdOf(graph, row)).length
  const isEnd = endsAtRepeat(context)
  const other = moved === 0 ? '.' : `, ${moved} of them with another parent.`
  const cost = isEnd ? ` A resume ends at one of them and loses ${counted(lost.length, 'message')}.` : ''
  const message = `${counted(repeats.length, 'row')} of entries that stand in the file already${other}${cost}`
  const severity = isEnd ? 'error' : moved === 0 ? 'info' : 'warning'
  return findingFor(context, repeats, severity, message).map(found => ({ ...found, copies: null }))
}

/** Whether a resume takes an entry that was written again for the end, and loses what came after it. */
function endsAtRepeat({ graph, file, loaded, lost }: FaultContext): boolean {
  if (lost.length === 0 || loaded.stop !== null || loaded.leaf === null) return false
  const leaf = graph.id(loaded.leaf)
  return file.repeats.some(row => graph.id(row) === leaf)
}

/** G7: the same turns under new uuids, in the same file: a resume gathers the parts of a message from all copies. */
function copied(context: FaultContext): readonly DuplicateFinding[] {
  const { graph, loaded } = context
  const copies = copiesAmong(graph, mainNodes(context))
  if (copies.size === 0) return []
  const isLoaded = new Set(loaded.nodes)
  const twice = [...copies].filter(([copy, original]) => isLoaded.has(copy) && isLoaded.has(original)).length
  const cost = twice === 0 ? '.' : `; a resume sends ${twice} of them twice.`
  const message = `${counted(copies.size, 'entry repeats', 'entries repeat')} earlier ones under new ids${cost}`
  const found = findingFor(context, [...copies.keys()], twice === 0 ? 'info' : 'warning', message)
  return found.map(each => ({ ...each, copies }))
}

/** Entries that repeat others of the file under new ids, with what they repeat; null where there are none. */
export function copiesIn(context: FaultContext): ReadonlyMap<number, number> | null {
  return copied(context)[0]?.copies ?? null
}
