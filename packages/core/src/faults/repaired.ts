/** D23: what a repair came to, in the numbers that the examination gave before it. */

import { looksOf } from '../edit/loaded-today.js'
import type { EditPlan } from '../edit/plan.js'
import { renamer } from '../edit/rename.js'
import { entryId } from '../model/ids.js'
import { copiesIn } from './duplicate-row.js'
import { type Examination, loadableIn } from './examine.js'

/** How much of a conversation a resume loads before and after a repair. */
export interface RepairCoverage {
  /** Entries of the conversation that a resume of the source loads. */
  readonly now: number
  /** Those that it loads of the result. */
  readonly after: number
  /** Entries of the conversation. */
  readonly possible: number
  /** Entries that the repair added and that it loads, too. */
  readonly added: number
}

/**
 * Counts the entries of the conversation among the uuids that a resume of the result loads. The function that is returned
 * holds ids and no graph: that of a large session is let go before its rows are written.
 */
export function repairCoverage(
  { context, coverage: { now, possible } }: Examination,
  plan: Pick<EditPlan, 'session' | 'copies'>,
): (live: readonly string[]) => RepairCoverage {
  const { graph, file, survey } = context
  const rename = plan.copies ? renamer(plan.session) : entryId
  // An entry is as good as loaded where a copy of it is, or one that says the same at the same time.
  const copies = copiesIn(context)
  const namesOf = (node: number): readonly (number | string | null)[] => [
    graph.originalOf(copies?.get(node) ?? node),
    looksOf({ graph }, node),
  ]
  const wanted = loadableIn(graph, file.facts.path, survey).map(namesOf)
  const all = file.nodes.map(node => [graph.id(node), namesOf(node)] as const)
  return live => {
    const added = new Set(live)
    const loaded = new Set(all.flatMap(([id, names]) => (added.delete(rename(id)) ? names : [])))
    loaded.delete(null)
    const after = wanted.filter(names => names.some(name => loaded.has(name))).length
    return { now, after, possible, added: added.size }
  }
}
