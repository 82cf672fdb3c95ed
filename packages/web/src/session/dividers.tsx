/** Where ways part: which one is taken, and how to take another. */
import type { VNode } from 'preact'
import { longDay, plural, sameDay } from '../parts/format.js'
import { useSession, useView } from './context.js'
import type { Ended } from './ends.js'
import { READING, sizeOf, type Way, wayOf, waysAt } from './fork-branches.js'
import { ForkSign } from './icons.js'
import { LanesAbove, LanesBelow } from './lanes.js'
import { closeAgent, moveTo, type Session, takeWay, toggleLine, turnWay } from './state.js'
import type { View } from './view.js'

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

/** Rows without a time that are passed over on the way up. */
const REACH = 40

/** The day that begins at a place; nothing where it is that of the row above, and at the very beginning. */
export function DayLine({ place }: { place: number }): VNode | null {
  const view = useView()
  const time = dayAt(view, place)
  if (time === null) return null
  return (
    <div class="day-line">
      <LanesAbove place={place} />
      <time dateTime={new Date(time).toISOString().slice(0, 10)}>{longDay(time)}</time>
    </div>
  )
}

/** The time of a row that is the first of its day in the view; null for all others. */
export function dayAt({ rows, sheet }: View, place: number): number | null {
  const time = rows[place]?.kind === 'row' ? (sheet.rows.time[rows[place].row] ?? null) : null
  if (time === null) return null
  for (let above = place - 1; above >= Math.max(0, place - REACH); above--) {
    const row = rows[above]
    const before = row?.kind === 'row' ? (sheet.rows.time[row.row] ?? null) : null
    if (before !== null) return sameDay(before, time) ? null : time
  }
  return null
}

/** Says what ends here, and closes it. */
export function EndBar({ ended, place }: { ended: Ended; place: number }): VNode {
  return (
    <article class="end-bar" aria-label={ended.agent >= 0 ? 'End of the agent' : 'End of the way'}>
      <LanesBelow place={place} />
      {ended.agent >= 0 ? <AgentEnd line={ended.agent} /> : <WayEnd fork={ended.fork} at={ended.way} />}
    </article>
  )
}

function AgentEnd({ line }: { line: number }): VNode {
  const session = useSession()
  const known = useView().sheet.lines[line]
  return (
    <p class="end-line agent">
      <span>End of agent {known?.agent?.name}</span>
      <button type="button" onClick={() => closeAgent(session, line, known?.at ?? -1)}>
        Close
      </button>
    </p>
  )
}

function WayEnd({ fork, at }: { fork: number; at: number }): VNode {
  const session = useSession()
  const view = useView()
  const way = wayOf(view, fork, at)
  const live = waysAt(view, fork).find(({ status }) => status === 'live')
  return (
    <p class={`end-line ${way.status}`}>
      <span>The {READING[way.status]} way ends here</span>
      {way.isTaken ? (
        live !== undefined && (
          <button type="button" onClick={() => back(session, view, live)}>
            Back to the live way
          </button>
        )
      ) : (
        <button type="button" onClick={() => close(session, view, way)}>
          Close
        </button>
      )}
    </p>
  )
}

/** The reader is taken back to the fork: what stood on the screen is no longer there. */
function back(session: Session, view: View, live: Way): void {
  takeWay(session, live.fork, live.way)
  toFork(session, view, live.fork)
}

function close(session: Session, view: View, way: Way): void {
  toggleLine(session, way.key, view.sheet.forks[way.fork]?.row ?? -1)
  toFork(session, view, way.fork)
}

function toFork(session: Session, { sheet }: View, fork: number): void {
  const row = Math.max(0, sheet.forks[fork]?.row ?? 0)
  requestAnimationFrame(() => moveTo(session, session.view.peek()?.placeOf(row) ?? 0, 'start'))
}
