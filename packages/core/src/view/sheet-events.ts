/** What happens at some rows of a sheet: compactions, and sessions that go on elsewhere. */
import { type Epoch, epochLabel, isUnfinished } from '../graph/epochs.js'
import * as t from '../graph/table.js'
import type { SheetEpoch, SheetJunction } from '../protocol/sheet.js'
import type { Ground } from './sheet.js'

/** C3: the compactions of a sheet, from top to bottom. */
export function sheetEpochs(ground: Ground): readonly SheetEpoch[] {
  const { graph, rows, rowOf, shared } = ground
  const epochs = new Map(graph.epochs().map(epoch => [t.int(rowOf, epoch.boundary), epoch]))
  const found: SheetEpoch[] = []
  // By conversation: messages since its last compaction.
  const since = new Map<number, number>()
  for (const [row, { node, line }] of rows.entries()) {
    const { index } = line.domain
    const epoch = epochs.get(row)
    if (epoch !== undefined) {
      found.push(describe(ground, epoch, row, since.get(index) ?? 0))
      if (!isUnfinished(epoch)) since.set(index, 0)
    } else if (
      (row < shared || line.status === 'live') &&
      t.byte(graph.state.table.kind, node) <= t.Assistant
    ) {
      since.set(index, (since.get(index) ?? 0) + 1)
    }
  }
  return found
}

function describe({ rowOf }: Ground, epoch: Epoch, row: number, before: number): SheetEpoch {
  const kept = epoch.preserved.map(node => t.int(rowOf, node)).filter(at => at >= 0)
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
    summary: epoch.summary === t.none ? t.none : t.int(rowOf, epoch.summary),
  }
}

/** S2: sessions that go on from a row. */
export function sheetJunctions({ graph, rows, session, options }: Ground): readonly SheetJunction[] {
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
