import { type Draft, dropRow, noteRepair, patchRow } from '../edit/draft.js'
import { namedBy } from '../edit/draft-rows.js'
import { moveRewound } from '../edit/rewound.js'
import type { CompactionRecord } from '../graph/compactions.js'
import {
  children,
  entryBefore,
  entryOf,
  isInFile,
  lineParentOf,
  none,
  parentOf,
  rowOf,
} from '../graph/nodes.js'
import { openNewCycles } from './broken-links.js'
import {
  counted,
  type FaultContext,
  type FaultKind,
  type FoundFault,
  faultAt,
  fromDiagnostics,
} from './fault.js'

/** D9: compactions that are not whole, or that a resume takes wrongly. */
export const brokenCompaction: FaultKind = {
  id: 'broken-compaction',
  title: 'broken compaction',
  meaning:
    'A compaction has no summary, or names entries that were never written, or a rewind went behind it.',
  cost: 'A resume loads nothing before it, or forgets what it kept, or gives the summary instead of the branch.',
  fix: 'dagline repair SESSION',
  find: context => [
    ...fromDiagnostics(context, ['dag/broken-compaction', 'dag/unfinished-compaction'], () =>
      context.lost.length > 0 ? 'error' : 'warning',
    ),
    ...rewoundBehind(context),
  ],
  repairs: [
    { stage: 'compaction links', change: leaveUnfinishedOut },
    { stage: 'compactions', change: repairKept },
    { stage: 'compactions', change: moveRewound },
  ],
}

/** The conversation goes on before the newest compaction, and some kept entries: newer releases load the summary instead. */
function rewoundBehind(context: FaultContext): readonly FoundFault[] {
  const { graph, file, lost } = context
  const newest = file.compactions.at(-1)
  const hasLists = file.compactions.some(({ preserved }) => preserved.length > 0)
  if (newest === undefined || !hasLists || lost.length === 0 || isBrokenOff(context)) return []
  const row = rowOf(graph, newest.boundary)
  const before = lost.filter(node => rowOf(graph, node) < row)
  if (before.length === 0 || context.live.has(newest.summary)) return []
  const message = `The conversation went back behind it: a resume loads its summary instead of ${counted(before.length, 'message')}.`
  return [faultAt(context, newest.boundary, 'error', message)]
}

/** Whether the loader stops for want of a parent: one that stands in the file was dropped because of the compaction. */
function isBrokenOff({ graph, file, loaded }: FaultContext): boolean {
  if (loaded.stop === null) return false
  const parent = parentOf(graph, loaded.stop.node)
  return loaded.stop.why !== 'missing' || parent === none || !isInFile(graph, parent, file)
}

/** C4: a boundary without a summary, with a conversation that hangs on it: a resume would stop there. */
function leaveUnfinishedOut(draft: Draft): void {
  if (!draft.wants('broken-compaction')) return
  const { graph, file } = draft
  const rehung = new Set(draft.parents.values())
  for (const { boundary, summary, logical } of file.compactions) {
    if (summary !== none || (children(graph, boundary).length === 0 && !rehung.has(boundary))) continue
    const before = logical === none ? entryBefore(graph, boundary) : logical
    draft.parents.set(boundary, before)
    const why = 'The compaction has no summary: it was not finished, and the conversation goes on without it.'
    dropRow(draft, 'broken-compaction', boundary, why)
  }
  openNewCycles(draft)
}

/** C2: a compaction that carries on entries which were never written: the client would then carry on none. */
function repairKept(draft: Draft): void {
  if (!draft.wants('broken-compaction')) return
  for (const record of draft.file.compactions) {
    const { boundary, preserved } = record
    if (draft.dropped.has(boundary)) continue
    const missing = namedBy(draft, boundary) - preserved.length
    if (missing > 0)
      noteRepair(draft, 'broken-compaction', boundary, `It keeps ${missing} entries that were never written.`)
    repairLogical(draft, record)
  }
}

/** C1: a compaction that goes on from an entry which was never written: it gets the one that was taken instead. */
function repairLogical(draft: Draft, { boundary, logical }: CompactionRecord): void {
  const entry = entryOf(draft.graph, boundary)
  const named = entry?.kind === 'system' ? (entry.compaction?.logicalParent ?? null) : null
  if (named === null || logical !== none) return
  const up = lineParentOf(draft.graph, boundary)
  const isHere = up !== none && isInFile(draft.graph, up, draft.file)
  patchRow(draft, boundary, { logical: isHere ? draft.graph.id(up) : null })
  const why = `It goes on from ${named}, which was never written; it gets the entry before it.`
  noteRepair(draft, 'broken-compaction', boundary, why)
}
