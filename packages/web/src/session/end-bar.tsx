/** The end of what was opened in place. */
import type { VNode } from 'preact'
import { useSession, useView } from './context.js'
import type { Ended } from './ends.js'
import { LanesBelow } from './lanes.js'
import { closeAgent, moveTo, type Session, takeWay, toggleLine } from './state.js'
import type { View } from './view.js'
import { READING, type Way, wayOf, waysAt } from './ways.js'

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
