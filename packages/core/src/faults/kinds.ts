/** Every kind of fault, those first that cost most: the one list of them. */
import { answerFirst } from './answer-first.js'
import { brokenCompaction } from './broken-compaction.js'
import { cycle } from './cycle.js'
import { damagedRow } from './damaged-row.js'
import { danglingParent } from './dangling-parent.js'
import { duplicateRow } from './duplicate-row.js'
import { duplicateToolId } from './duplicate-tool-id.js'
import { emptyContent } from './empty-content.js'
import type { DiskFaultKind, FaultKind } from './fault.js'
import { lateNote } from './late-note.js'
import { leftResults } from './left-results.js'
import { lostPrompt } from './lost-prompt.js'
import { missingAgent } from './missing-agent.js'
import { missingFolder } from './missing-folder.js'
import { missingOutput } from './missing-output.js'
import { moreLoaded } from './more-loaded.js'
import { noMessageId } from './no-message-id.js'
import { noTime } from './no-time.js'
import { noUuid } from './no-uuid.js'
import { oversized } from './oversized.js'
import { secret } from './secret.js'
import { staleLeaf } from './stale-leaf.js'
import { staleParent } from './stale-parent.js'
import { strayResult } from './stray-result.js'
import { sweptSoon } from './swept-soon.js'
import { twoWriters } from './two-writers.js'
import { unansweredCall } from './unanswered-call.js'
import { unreached } from './unreached.js'
import { unsendableThinking } from './unsendable-thinking.js'
import { wrongFolder } from './wrong-folder.js'
import { wrongRole } from './wrong-role.js'
import { wrongSession } from './wrong-session.js'

/** Every kind of fault, in the order of the report. */
export const FAULT_KINDS: readonly FaultKind[] = [
  danglingParent,
  cycle,
  lateNote,
  staleLeaf,
  noTime,
  brokenCompaction,
  damagedRow,
  answerFirst,
  emptyContent,
  unsendableThinking,
  staleParent,
  strayResult,
  duplicateToolId,
  twoWriters,
  lostPrompt,
  unansweredCall,
  duplicateRow,
  noUuid,
  noMessageId,
  leftResults,
  wrongSession,
  wrongRole,
  wrongFolder,
  missingFolder,
  missingAgent,
  missingOutput,
  oversized,
  sweptSoon,
  secret,
  moreLoaded,
  // It asks what the others have found.
  unreached,
]

/** Those that only the disk shows: they depend on other files, and on the date. */
export const DISK_KINDS: readonly DiskFaultKind[] = [wrongFolder, missingFolder, missingOutput, sweptSoon]

/** Whether `dagline repair` repairs a kind of fault. */
export function canRepair(id: string): boolean {
  return FAULT_KINDS.some(kind => kind.id === id && kind.repair !== undefined)
}
