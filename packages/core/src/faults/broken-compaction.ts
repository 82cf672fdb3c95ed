import type { Draft } from '../edit/draft.js'
import { keptCount } from '../edit/draft-rows.js'
import { moveRewound, type RewoundCompaction, rewoundCompactions } from '../edit/rewound.js'
import type { CompactionRecord } from '../graph/compactions.js'
import {
  children,
  compactionAt,
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
  type Finding,
  findingAt,
  fromDiagnostics,
} from './fault.js'

/** A compaction that names what is not there, that has no summary, or that a rewind went behind. */
interface CompactionFinding extends Finding {
  readonly record: CompactionRecord
  readonly rewound: RewoundCompaction | null
}

/** D9: compactions that are not whole, or that a resume takes wrongly. */
export const brokenCompaction: FaultKind<CompactionFinding> = {
  id: 'broken-compaction',
  rule: 'D9',
  title: 'broken compaction',
  meaning:
    'A compaction has no summary, or names entries that were never written, or a rewind went behind it.',
  cost: 'A resume loads nothing before it, or forgets what it kept, or gives the summary instead of the branch.',
  remedy: 'The repair completes the record of the compaction, or links the conversation past it.',
  fix: 'dagline repair SESSION',
  find: context => [...incomplete(context), ...rewoundBehind(context)],
  stages: ['compaction links', 'compactions'],
  repair: (draft, found, stage) => {
    const broken = new Set(found.filter(({ rewound }) => rewound === null).map(({ record }) => record))
    if (stage === 'compaction links') return dropUnfinished(draft, broken)
    for (const record of broken) repairNames(draft, record)
    for (const { rewound } of found) if (rewound !== null) moveRewound(draft, rewound)
  },
}

function incomplete(context: FaultContext): readonly CompactionFinding[] {
  const { graph, lost } = context
  const rules = ['dag/broken-compaction', 'dag/unfinished-compaction']
  const found = fromDiagnostics(context, rules, () => (lost.length > 0 ? 'error' : 'warning'))
  return found.flatMap(each => {
    const record = each.node === null ? null : compactionAt(graph, graph.index(each.node) ?? none)
    return record === null ? [] : [{ ...each, record, rewound: null }]
  })
}

/** The conversation goes on before the newest compaction, and some kept entries: newer releases load the summary instead. */
function rewoundBehind(context: FaultContext): readonly CompactionFinding[] {
  const { graph, file, lost, live } = context
  const newest = file.compactions.at(-1)
  const rewound = rewoundCompactions(file, live)
  if (newest === undefined || rewound.length === 0) return []
  const row = rowOf(graph, newest.boundary)
  const before = isBrokenOff(context) ? [] : lost.filter(node => rowOf(graph, node) < row)
  const message = `A rewind went behind it: a resume loads its summary instead of ${counted(before.length, 'message')}.`
  return rewound.map(each => {
    const { record } = each
    const isLosing = record === newest && before.length > 0
    return {
      ...findingAt(context, record.boundary, isLosing ? 'error' : null, message),
      record,
      rewound: each,
    }
  })
}

/** Whether the loader stops for want of a parent: one that stands in the file was dropped because of the compaction. */
function isBrokenOff({ graph, file, loaded }: FaultContext): boolean {
  if (loaded.stop === null) return false
  const parent = parentOf(graph, loaded.stop.node)
  return loaded.stop.why !== 'missing' || parent === none || !isInFile(graph, parent, file)
}

/** C4: a boundary without a summary, with a conversation that hangs on it: a resume would stop there. */
function dropUnfinished(draft: Draft, broken: ReadonlySet<CompactionRecord>): void {
  const { graph } = draft
  const parents = new Set(draft.relinked().map(([, parent]) => parent))
  for (const { boundary, summary, logical } of broken) {
    if (summary !== none || (children(graph, boundary).length === 0 && !parents.has(boundary))) continue
    draft.relink(boundary, logical === none ? entryBefore(graph, boundary) : logical)
    draft.drop(
      boundary,
      'The compaction has no summary: it was not finished, and the conversation goes on without it.',
    )
  }
  openNewCycles(draft)
}

/** C1, C2: a compaction that names entries which were never written: the client would then carry on none. */
function repairNames(draft: Draft, { boundary, logical, preserved }: CompactionRecord): void {
  const { graph, file } = draft
  if (draft.isDropped(boundary)) return
  const missing = keptCount(draft, boundary) - preserved.length
  if (missing > 0) draft.note(boundary, `It keeps ${missing} entries that were never written.`)
  const entry = entryOf(graph, boundary)
  const named = entry?.kind === 'system' ? (entry.compaction?.logicalParent ?? null) : null
  if (named === null || logical !== none) return
  const up = lineParentOf(graph, boundary)
  const isHere = up !== none && isInFile(graph, up, file)
  draft.rewrite(boundary, { logical: isHere ? graph.id(up) : null })
  draft.note(boundary, `It goes on from ${named}, which was never written; it gets the entry before it.`)
}
