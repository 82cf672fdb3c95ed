/** Compactions that a rewind undid: the conversation goes on from an entry before them. */

import type { CompactionRecord } from '../graph/compactions.js'
import type { FileRecord } from '../graph/file-record.js'
import { none } from '../graph/nodes.js'
import type { ConversationItem } from '../resume/conversation.js'
import type { Draft } from './draft.js'

/** A compaction that a rewind undid, and the one that the conversation begins with; null where there is none. */
export interface RewoundCompaction {
  readonly record: CompactionRecord
  readonly live: CompactionRecord | null
}

/**
 * C5: the compactions that a rewind undid. Newer releases take the newest one for the conversation's, wherever
 * it hangs, and give its summary instead of the branch (lab: s13g).
 */
export function rewoundCompactions(
  { compactions }: FileRecord,
  conversation: ReadonlySet<ConversationItem>,
): readonly RewoundCompaction[] {
  // Without any list what stands before the newest one is not dropped, and the links decide.
  if (!compactions.some(({ preserved }) => preserved.length > 0)) return []
  const live = compactions.findLastIndex(({ summary }) => conversation.has(summary))
  return compactions.slice(live + 1).map(record => ({ record, live: compactions[live] ?? null }))
}

/** Writes such a compaction before the live one. Where none is live, it keeps nothing any more, and resumes follow the branch. */
export function moveRewound(draft: Draft, { record, live }: RewoundCompaction): void {
  const { boundary, logical, preserved, summary } = record
  if (draft.isDropped(boundary)) return
  if (live !== null) {
    draft.moveBefore(boundary, live.boundary)
    if (summary !== none) draft.moveBefore(summary, live.boundary)
    draft.note(boundary, `${REWOUND}. It stands before the one that is live.`)
  } else if (preserved.length > 0) {
    const logicalParent = logical === none ? null : draft.graph.id(logical)
    draft.rewrite(boundary, { kept: { logicalParent, uuids: [] } })
    const why =
      summary === none
        ? 'It has no summary, and a resume would give only what it kept. What that was is in the original.'
        : `${REWOUND}. What it kept is in the original.`
    draft.note(boundary, why)
  }
}

const REWOUND = 'The conversation was rewound to before it: a resume would load its summary'
