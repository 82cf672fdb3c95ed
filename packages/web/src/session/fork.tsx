/** Where ways part: which one is taken, and how to take another. */
import type { VNode } from 'preact'
import { plural } from '../parts/format.js'
import { useSession, useView } from './context.js'
import { LanesBelow } from './lanes.js'
import { ForkSign } from './signs.js'
import { turnWay } from './state.js'
import { READING, sizeOf, type Way, waysAt } from './ways.js'

/** The switcher at a fork. */
export function ForkBar({ fork, place }: { fork: number; place?: number }): VNode {
  const session = useSession()
  const view = useView()
  const ways = waysAt(view, fork)
  const at = ways.findIndex(way => way.isTaken)
  const taken = ways[at]
  const known = view.sheet.forks[fork]
  return (
    <article
      class="row-fork"
      aria-label="Here ways part"
      data-fork={fork}
      title={known === undefined ? undefined : `${known.rule}: ${known.evidence}`}
    >
      {place !== undefined && <LanesBelow place={place} />}
      <div class="fork-main">
        <ForkSign />
        <span class="fork-words">{wordsFor(known?.kind ?? '', ways)}</span>
        <span class="fork-turn">
          <button type="button" aria-label="Previous way" onClick={() => turnWay(session, fork, -1)}>
            ◀
          </button>
          <span aria-live="polite">
            {at + 1}/{ways.length}
          </span>
          <button type="button" aria-label="Next way" onClick={() => turnWay(session, fork, 1)}>
            ▶
          </button>
        </span>
        {taken !== undefined && (
          <span class={`fork-taken ${taken.status}`}>
            You read the {READING[taken.status]} way: {sizeOf(taken)}
          </span>
        )}
      </div>
    </article>
  )
}

function wordsFor(kind: string, ways: readonly Way[]): string {
  if (kind === 'two-writers') return 'Two windows wrote on from here'
  if (kind === 'rewind') return 'You went back to here and went on differently'
  return `${plural(ways.length, 'way')} go on from here`
}
