/** What a reader must know of a text before trusting it. */
import { statusLabels } from '@dagline/core/view'
import type { Hit } from '@dagline/store'

/** Whether it is live, on which branch, in which subagent, before a compaction, and whether it failed. */
export function hitLabels({ line, compacted, became, failed, live }: Hit): readonly string[] {
  return [
    ...(became === 'lost' ? ['queued, never delivered'] : []),
    ...(became === 'recalled' ? ['queued, recalled'] : []),
    ...statusLabels(live, line?.branchStatus ?? null),
    ...(line?.agent == null ? [] : [`subagent ${line.agentName ?? line.agent}`]),
    ...(compacted > 0 ? ['before a compaction'] : []),
    ...(failed ? ['error'] : []),
  ]
}
