/** A compaction: a line across the conversation, with what went and what was kept. */
import type { VNode } from 'preact'
import { plural, tokens } from '../parts/format.js'
import { useSession, useView } from './context.js'
import { goTo } from './state.js'

/** What the compaction at a row did. */
export function Compaction({ row }: { row: number }): VNode | null {
  const session = useSession()
  const { facts } = useView()
  const epoch = facts.epochs.get(row)
  if (epoch === undefined) return null
  const { trigger, preTokens, postTokens, dropped, kept, summary } = epoch
  const size = [preTokens, postTokens].map(value => (value === null ? null : tokens(value)))
  return (
    <div class="compaction">
      <p class="compaction-line">
        <strong>Compacted{trigger === null ? '' : trigger === 'auto' ? ' by itself' : ' by hand'}</strong>
        {size[0] !== null && (
          <span>
            {size[0]}
            {size[1] === null ? '' : ` → ${size[1]}`} tokens
          </span>
        )}
      </p>
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
        {summary < 0 && ' It was not finished: there is no summary.'}
      </p>
    </div>
  )
}
