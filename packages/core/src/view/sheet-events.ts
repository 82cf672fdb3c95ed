/** What happens at some rows of a sheet: compactions, and sessions that go on elsewhere. */
import { type Epoch, epochLabel } from '../graph/epochs.js'
import * as t from '../graph/table.js'
import type { SheetEpoch, SheetJunction } from '../protocol/sheet.js'
import type { Ground } from './sheet.js'

/** C3: the compactions of a sheet, from top to bottom. */
export function sheetEpochs(ground: Ground): readonly SheetEpoch[] {
  const last = new Map<number, number>()
  const epochs = ground.graph.epochs().filter(({ boundary }) => t.int(ground.rowOf, boundary) >= 0)
  return epochs
    .sort((a, b) => t.int(ground.rowOf, a.boundary) - t.int(ground.rowOf, b.boundary))
    .map(epoch => describe(ground, epoch, last))
}

/** `last`: by line, the row of the compaction before. */
function describe(ground: Ground, epoch: Epoch, last: Map<number, number>): SheetEpoch {
  const { rows, rowOf } = ground
  const row = t.int(rowOf, epoch.boundary)
  const kept = epoch.preserved.map(node => t.int(rowOf, node)).filter(at => at >= 0)
  const line = rows[row]?.line
  const from = (last.get(line?.index ?? t.none) ?? t.none) + 1
  if (line !== undefined) last.set(line.index, row)
  return {
    row,
    label: epochLabel(epoch),
    trigger: epoch.trigger,
    preTokens: epoch.preTokens,
    postTokens: epoch.postTokens,
    dropped: messagesBetween(ground, from, row) - kept.length,
    kept,
    summary: epoch.summary === t.none ? t.none : t.int(rowOf, epoch.summary),
  }
}

/** Messages on the line of a row, from another row of it on. */
function messagesBetween({ graph, rows }: Ground, from: number, to: number): number {
  const { kind } = graph.state.table
  const domain = rows[to]?.line.domain
  let count = 0
  for (let at = from; at < to; at++) {
    const row = rows[at]
    if (row?.line.domain === domain && row?.line.status === 'live' && t.byte(kind, row.node) <= t.Assistant)
      count++
  }
  return count
}

/** S2: sessions that go on from a row. */
export function sheetJunctions({ rows, session, options }: Ground): readonly SheetJunction[] {
  return rows.flatMap(({ junctions }, row) =>
    junctions
      .filter(junction => junction.session !== session)
      .map(({ session: other, how }) => ({
        row,
        session: other,
        title: options.titleOf?.(other) ?? null,
        how,
      })),
  )
}
