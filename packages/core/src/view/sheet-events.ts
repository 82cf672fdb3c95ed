/** What happens at some rows of a sheet: compactions, and sessions that go on elsewhere. */

import { type Epoch, epochLabel, isUnfinished } from '../graph/epochs.js'
import { isConversation, none } from '../graph/nodes.js'
import type { SheetEpoch, SheetJunction } from '../protocol/sheet.js'
import type { SheetContext } from './sheet.js'

/** C3: the compactions of a sheet, from top to bottom. */
export function sheetEpochs(context: SheetContext): readonly SheetEpoch[] {
  const { graph, rows, rowOf, shared } = context
  const epochs = new Map(graph.epochs().map(epoch => [rowOf[epoch.boundary] ?? none, epoch]))
  const found: SheetEpoch[] = []
  // By conversation: messages since its last compaction.
  const since = new Map<number, number>()
  for (const [row, { node, line }] of rows.entries()) {
    const { index } = line.domain
    const epoch = epochs.get(row)
    if (epoch !== undefined) {
      found.push(describe(context, epoch, row, since.get(index) ?? 0))
      if (!isUnfinished(epoch)) since.set(index, 0)
    } else if ((row < shared || line.status === 'live') && isConversation(graph, node)) {
      since.set(index, (since.get(index) ?? 0) + 1)
    }
  }
  return found
}

function describe({ rowOf }: SheetContext, epoch: Epoch, row: number, before: number): SheetEpoch {
  const kept = epoch.preserved.map(node => rowOf[node] ?? none).filter(at => at >= 0)
  return {
    row,
    label: epochLabel(epoch),
    trigger: epoch.trigger,
    preTokens: epoch.preTokens,
    postTokens: epoch.postTokens,
    durationMs: epoch.durationMs,
    isUnfinished: isUnfinished(epoch),
    dropped: isUnfinished(epoch) ? 0 : Math.max(0, before - kept.length),
    kept,
    summary: rowOf[epoch.summary ?? none] ?? none,
  }
}

/** S2: sessions that go on from a row. */
export function sheetJunctions({ graph, rows, session, options }: SheetContext): readonly SheetJunction[] {
  return rows.flatMap(({ node, junctions }, row) =>
    junctions
      .filter(junction => junction.session !== session)
      .map(({ session: other, how }) => ({
        row,
        node: graph.id(node),
        session: other,
        title: options.titleOf?.(other) ?? null,
        how,
      })),
  )
}
