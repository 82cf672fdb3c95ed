/** What stands between rows: the switcher at a fork, the end of a branch or subagent, a new day. */

import { isSameDay, longDay, plural } from '@dagline/core/format'
import { branchLabel } from '@dagline/core/view'
import type { VNode } from 'preact'
import { typist } from '../app/typist.js'
import { branchesAt, branchOf, type ForkBranch, sizeOf } from './fork-branches.js'
import { Icon } from './icons.js'
import { PassingLanes } from './lanes.js'
import {
  chooseBranch,
  closeAgent,
  moveTo,
  type Session,
  switchBranch,
  toggleLine,
  useSession,
  useView,
} from './state.js'
import type { Ended, View } from './view.js'

/** A fork: which of its branches is shown, and buttons that switch to another. */
export function ForkBar({ fork, index }: { fork: number; index?: number }): VNode {
  const session = useSession()
  const view = useView()
  const branches = branchesAt(view, fork)
  const at = branches.findIndex(branch => branch.isTaken)
  const taken = branches[at]
  const known = view.sheet.forks[fork]
  return (
    <article
      class="row-fork"
      aria-label="Fork"
      data-fork={fork}
      title={known === undefined ? undefined : `${known.rule}: ${known.evidence}`}
    >
      {index !== undefined && <PassingLanes index={index} side="below" />}
      <div class="fork-main">
        <Icon name="fork" />
        <span class="fork-words">{wordsFor(known?.kind ?? '', branches)}</span>
        <span class="fork-turn">
          <button type="button" aria-label="Previous branch" onClick={() => switchBranch(session, fork, -1)}>
            ◀
          </button>
          <span aria-live="polite">
            {at + 1}/{branches.length}
          </span>
          <button type="button" aria-label="Next branch" onClick={() => switchBranch(session, fork, 1)}>
            ▶
          </button>
        </span>
        {taken !== undefined && (
          <span class={`fork-taken ${taken.status}`}>
            Showing the {branchLabel(taken.status)} branch: {sizeOf(taken)}
          </span>
        )}
      </div>
    </article>
  )
}

function wordsFor(kind: string, branches: readonly ForkBranch[]): string {
  if (kind === 'two-writers') return 'Two processes continued from here'
  if (kind === 'rewind') return `${typist.value} rewound to this point and continued differently`
  return `${plural(branches.length, 'branch', 'branches')} continue from here`
}

/** The time of the row above is looked for among so many rows. */
const NEAR = 40

/** The day that begins at a row; nothing where the row above is of the same day, and at the first row. */
export function DayLine({ index }: { index: number }): VNode | null {
  const view = useView()
  const time = dayAt(view, index)
  if (time === null) return null
  return (
    <div class="day-line">
      <PassingLanes index={index} side="above" />
      <time dateTime={new Date(time).toISOString().slice(0, 10)}>{longDay(time)}</time>
    </div>
  )
}

/** The time of a row that is the first of its day in the view; null for all others. */
export function dayAt({ rows, sheet }: View, index: number): number | null {
  const time = rows[index]?.kind === 'row' ? (sheet.rows.time[rows[index].row] ?? null) : null
  if (time === null) return null
  for (let above = index - 1; above >= Math.max(0, index - NEAR); above--) {
    const row = rows[above]
    const before = row?.kind === 'row' ? (sheet.rows.time[row.row] ?? null) : null
    if (before !== null) return isSameDay(before, time) ? null : time
  }
  return null
}

/** What ends here, and a button that closes it. */
export function EndBar({ ended, index }: { ended: Ended; index: number }): VNode {
  return (
    <article class="end-bar" aria-label={ended.agent >= 0 ? 'End of the subagent' : 'End of the branch'}>
      <PassingLanes index={index} side="below" />
      {ended.agent >= 0 ? <AgentEnd line={ended.agent} /> : <BranchEnd fork={ended.fork} at={ended.branch} />}
    </article>
  )
}

function AgentEnd({ line }: { line: number }): VNode {
  const session = useSession()
  const known = useView().sheet.lines[line]
  return (
    <p class="end-line agent">
      <span>End of subagent {known?.agent?.name}</span>
      <button type="button" onClick={() => closeAgent(session, line, known?.at ?? -1)}>
        Close
      </button>
    </p>
  )
}

function BranchEnd({ fork, at }: { fork: number; at: number }): VNode {
  const session = useSession()
  const view = useView()
  const branch = branchOf(view, fork, at)
  const live = branchesAt(view, fork).find(({ status }) => status === 'live')
  return (
    <p class={`end-line ${branch.status}`}>
      <span>End of the {branchLabel(branch.status)} branch</span>
      {branch.isTaken ? (
        live !== undefined && (
          <button type="button" onClick={() => back(session, view, live)}>
            Back to the current branch
          </button>
        )
      ) : (
        <button type="button" onClick={() => close(session, view, branch)}>
          Close
        </button>
      )}
    </p>
  )
}

/** The reader returns to the fork: what was on the screen is no longer shown. */
function back(session: Session, view: View, live: ForkBranch): void {
  chooseBranch(session, live.fork, live.branch)
  toFork(session, view, live.fork)
}

function close(session: Session, view: View, branch: ForkBranch): void {
  toggleLine(session, branch.key, view.sheet.forks[branch.fork]?.row ?? -1)
  toFork(session, view, branch.fork)
}

function toFork(session: Session, { sheet }: View, fork: number): void {
  const row = Math.max(0, sheet.forks[fork]?.row ?? 0)
  requestAnimationFrame(() => moveTo(session, session.view.peek()?.shownAt(row) ?? 0, 'start'))
}
