/** A compaction: a line across the conversation, with what went and what was kept. */
import type { SheetEpoch } from '@dagline/core'
import type { VNode } from 'preact'
import { duration, plural, tokens } from '../parts/format.js'
import { useSession, useView } from './context.js'
import { goTo } from './state.js'

/** What the compaction at a row did. */
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
        <p class="faint">There is no summary: nothing above was taken away.</p>
      ) : (
        <Outcome epoch={epoch} />
      )}
    </div>
  )
}

function titleOf({ isUnfinished, trigger }: SheetEpoch): string {
  if (isUnfinished) return 'Compaction not finished'
  return `Compacted${trigger === null ? '' : trigger === 'auto' ? ' by itself' : ' by hand'}`
}

/** `155k → 4k tokens · 45 s`; figures of zero say nothing. */
function figuresOf({ preTokens, postTokens, durationMs }: SheetEpoch): string {
  const sizes = [preTokens ?? 0, postTokens ?? 0].filter(size => size > 0).map(tokens)
  const size = (preTokens ?? 0) > 0 ? `${sizes.join(' → ')} tokens` : ''
  const took = (durationMs ?? 0) > 0 ? duration(durationMs ?? 0) : ''
  return [size, took].filter(Boolean).join(' · ')
}

/** What went and what was kept. */
function Outcome({ epoch: { dropped, kept } }: { epoch: SheetEpoch }): VNode {
  const session = useSession()
  return (
    <p class="faint">
      {dropped > 0
        ? `Claude no longer has the ${plural(dropped, 'message')} above; you can still read them.`
        : 'Nothing above was taken away.'}
      {kept.length > 0 && ` ${plural(kept.length, 'message')} were kept. `}
      {kept[0] !== undefined && (
        <button type="button" class="plain-button" onClick={() => goTo(session, kept[0] ?? -1)}>
          Show the first one
        </button>
      )}
    </p>
  )
}
