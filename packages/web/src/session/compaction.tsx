/** A compaction: a line across the conversation, with what was removed and what was kept. */

import { duration, plural, tokens } from '@dagline/core/format'
import type { SheetEpoch } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { goTo, useSession, useView } from './state.js'

/** The compaction at a row; nothing for other rows. */
export function Compaction({ row }: { row: number }): VNode | null {
  const { facts } = useView()
  const epoch = facts.epochs.get(row)
  if (epoch === undefined) return null
  const figures = figuresOf(epoch)
  return (
    <div class={epoch.isUnfinished ? 'compaction unfinished' : 'compaction'}>
      <p class="compaction-line">
        <strong>{titleOf(epoch)}</strong>
        {figures !== '' && <span>{figures}</span>}
      </p>
      {epoch.isUnfinished ? (
        <p class="faint">There is no summary, so nothing above was removed.</p>
      ) : (
        <Outcome epoch={epoch} />
      )}
    </div>
  )
}

function titleOf({ isUnfinished, trigger }: SheetEpoch): string {
  if (isUnfinished) return 'Compaction not finished'
  if (trigger === null) return 'Compacted'
  return trigger === 'auto' ? 'Auto-compacted' : 'Compacted with /compact'
}

/** `155k → 4.2k tokens · 45 s`; unknown figures, written as zero, are omitted. */
function figuresOf({ preTokens, postTokens, durationMs }: SheetEpoch): string {
  const [before, after] = [preTokens ?? 0, postTokens ?? 0]
  const change = after > 0 ? `${tokens(before)} → ${tokens(after)} tokens` : `${tokens(before)} tokens before`
  const size = before > 0 ? change : ''
  const took = (durationMs ?? 0) > 0 ? duration(durationMs ?? 0) : ''
  return [size, took].filter(Boolean).join(' · ')
}

function Outcome({ epoch: { dropped, kept, summary } }: { epoch: SheetEpoch }): VNode {
  const session = useSession()
  const { sheet } = useView()
  return (
    <p class="faint">
      {dropped > 0
        ? `Claude no longer has the ${plural(dropped, 'message')} above. They are still shown here.`
        : 'Nothing above was removed.'}
      {kept.length > 0 && ` ${plural(kept.length, 'entry was kept', 'entries were kept')}. `}
      {kept[0] !== undefined && (
        <button type="button" class="plain-button" onClick={() => goTo(session, kept[0] ?? -1)}>
          Show the first one
        </button>
      )}
      {dropped > 0 && session.source.contexts !== null && (
        <>
          {' '}
          <button
            type="button"
            class="plain-button"
            onClick={() => {
              session.asked.value = sheet.rows.node[summary] ?? null
            }}
          >
            What was dropped
          </button>
        </>
      )}
    </p>
  )
}
