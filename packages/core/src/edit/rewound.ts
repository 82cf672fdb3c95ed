/** Compactions that the conversation went back behind. */

import type { CompactionRecord } from '../graph/compactions.js'
import { none } from '../graph/nodes.js'
import { type Draft, noteRepair, patchRow, type Said } from './draft.js'

/**
 * C5: the conversation went back behind a compaction. Newer releases take the newest one for the conversation's, wherever it
 * hangs, and give its summary instead of the branch (lab: s13g). It is written before the one that is live; where none is, it
 * keeps nothing any more, and they follow the branch.
 */
export function moveRewound(draft: Draft, talk: readonly Said[]): void {
  const { file } = draft
  if (file.compactions.length === 0 || !draft.wants('broken-compaction')) return
  const said = new Set(talk)
  const live = file.compactions.findLastIndex(({ summary }) => said.has(summary))
  const left = file.compactions.slice(live + 1).filter(({ boundary }) => !draft.dropped.has(boundary))
  const newest = file.compactions[live]
  // Without any list what stands before the newest one is not dropped, and the links decide.
  if (!file.compactions.some(({ preserved }) => preserved.length > 0)) return
  for (const record of left) {
    if (newest === undefined) emptyList(draft, record)
    else {
      draft.early.set(record.boundary, newest.boundary)
      if (record.summary !== none) draft.early.set(record.summary, newest.boundary)
      noteRepair(
        draft,
        'broken-compaction',
        record.boundary,
        `${WENT_BACK}. It stands before the one that is live.`,
      )
    }
  }
}

const WENT_BACK = 'The conversation went back behind it: a resume would give its summary'

function emptyList(draft: Draft, { boundary, logical, preserved, summary }: CompactionRecord): void {
  if (preserved.length === 0) return
  const logicalParent = logical === none ? null : draft.graph.id(logical)
  draft.emptied.add(boundary)
  patchRow(draft, boundary, { kept: { logicalParent, uuids: [] } })
  const why =
    summary === none
      ? 'It has no summary, and a resume would give only what it kept. What that was is in the original.'
      : `${WENT_BACK}. What it kept is in the original.`
  noteRepair(draft, 'broken-compaction', boundary, why)
}
