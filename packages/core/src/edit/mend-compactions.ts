/** Compactions that name what is not there, or that a resume would take for the conversation's though it is elsewhere. */

import type { CompactionRecord } from '../graph/compactions.js'
import { entryOf, isInFile, lineParentOf, none } from '../graph/nodes.js'
import { type Bench, mend, patchRow, type Said } from './bench.js'
import { namedBy } from './bench-rows.js'

/** C2: a compaction that carries on entries which were never written: the client would then carry on none. */
export function mendKept(bench: Bench): void {
  if (!bench.wants('broken-compaction')) return
  for (const record of bench.file.compactions) {
    const { boundary, preserved } = record
    if (bench.dropped.has(boundary)) continue
    const missing = namedBy(bench, boundary) - preserved.length
    if (missing > 0)
      mend(bench, 'broken-compaction', boundary, `It keeps ${missing} entries that were never written.`)
    mendLogical(bench, record)
  }
}

/** C1: a compaction that goes on from an entry which was never written: it gets the one that was taken instead. */
function mendLogical(bench: Bench, { boundary, logical }: CompactionRecord): void {
  const entry = entryOf(bench.graph, boundary)
  const named = entry?.kind === 'system' ? (entry.compaction?.logicalParent ?? null) : null
  if (named === null || logical !== none) return
  const up = lineParentOf(bench.graph, boundary)
  const isHere = up !== none && isInFile(bench.graph, up, bench.file)
  patchRow(bench, boundary, { logical: isHere ? bench.graph.id(up) : null })
  const why = `It goes on from ${named}, which was never written; it gets the entry before it.`
  mend(bench, 'broken-compaction', boundary, why)
}

/**
 * C5: the conversation went back behind a compaction. Newer releases take the newest one for the conversation's, wherever it
 * hangs, and give its summary instead of the branch (lab: s13g). It is written before the one that is live; where none is, it
 * keeps nothing any more, and they follow the branch.
 */
export function mendRewound(bench: Bench, talk: readonly Said[]): void {
  const { file } = bench
  if (file.compactions.length === 0 || !bench.wants('broken-compaction')) return
  const said = new Set(talk)
  const live = file.compactions.findLastIndex(({ summary }) => said.has(summary))
  const left = file.compactions.slice(live + 1).filter(({ boundary }) => !bench.dropped.has(boundary))
  const newest = file.compactions[live]
  // Without any list what stands before the newest one is not dropped, and the links decide.
  if (!file.compactions.some(({ preserved }) => preserved.length > 0)) return
  for (const record of left) {
    if (newest === undefined) emptyList(bench, record)
    else {
      bench.early.set(record.boundary, newest.boundary)
      if (record.summary !== none) bench.early.set(record.summary, newest.boundary)
      mend(
        bench,
        'broken-compaction',
        record.boundary,
        `${WENT_BACK}. It stands before the one that is live.`,
      )
    }
  }
}

const WENT_BACK = 'The conversation went back behind it: a resume would give its summary'

function emptyList(bench: Bench, { boundary, logical, preserved, summary }: CompactionRecord): void {
  if (preserved.length === 0) return
  const logicalParent = logical === none ? null : bench.graph.id(logical)
  bench.emptied.add(boundary)
  patchRow(bench, boundary, { kept: { logicalParent, uuids: [] } })
  const why =
    summary === none
      ? 'It has no summary, and a resume would give only what it kept. What that was is in the original.'
      : `${WENT_BACK}. What it kept is in the original.`
  mend(bench, 'broken-compaction', boundary, why)
}
