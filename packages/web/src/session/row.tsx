/** One row of the conversation. */
import { type FoldedRow, isMarked, kindAt, ROW_MARKS, type RowKind } from '@dagline/core'
import type { VNode } from 'preact'
import { RowActions } from './actions.js'
import { RowBody } from './body.js'
import { BranchHead, Given, SharedHead } from './branch.js'
import { Compaction } from './compaction.js'
import { useSession, useView } from './context.js'
import { DayLine, EndBar, ForkBar } from './dividers.js'
import { FoldedAgent, FoldedBranch, FoldedShared } from './folded.js'
import { RowHead } from './head.js'
import { isLeftRow } from './lane-plan.js'
import { Lanes } from './lanes.js'
import { RowNotes } from './notes.js'
import { rowLabel, voiceOf } from './row-kind.js'

/** A row at a place of the view: something that was said, or a whole branch or agent that is folded. */
export function Row({ place }: { place: number }): VNode | null {
  const view = useView()
  const row = view.rows[place]
  if (row === undefined) return null
  const forks = view.forksAt.get(place) ?? []
  return (
    <>
      {place === 0 && view.forksFirst.map(fork => <ForkBar fork={fork} />)}
      <DayLine place={place} />
      {row.kind === 'row' ? <SpokenRow place={place} row={row} /> : <FoldedRowView place={place} row={row} />}
      {forks.map(fork => (
        <ForkBar fork={fork} place={place} />
      ))}
      {view.ends.get(place)?.map(ended => (
        <EndBar ended={ended} place={place} />
      ))}
    </>
  )
}

function SpokenRow({ place, row: { row, line } }: { place: number; row: FoldedRow }): VNode {
  const { sheet, facts } = useView()
  const session = useSession()
  const kind = kindAt(sheet, row)
  const node = sheet.rows.node[row] ?? ''
  const isLeft = facts.left[line] === true
  const isLive = isMarked(sheet, row, ROW_MARKS.live)
  const classes = [
    'row',
    `row-${kind}`,
    `voice-${voiceOf(sheet, row)}`,
    isLeft && 'is-left',
    isMarked(sheet, row, ROW_MARKS.failed) && 'is-failed',
    session.cursor.value === row && 'is-here',
    session.marked.value === row && 'is-marked',
  ]
  return (
    <article
      class={classes.filter(Boolean).join(' ')}
      aria-label={rowLabel(sheet, row, isLeft)}
      aria-posinset={place + 1}
      aria-setsize={-1}
      data-row={row}
      data-node={node}
      data-live={isLive}
      tabIndex={-1}
    >
      <Lanes place={place} dot={dotOf(kind)} />
      <div class="row-main">
        <BranchHead row={row} />
        {row === 0 && <SharedHead />}
        {facts.epochs.has(row) && <Compaction row={row} />}
        <RowHead place={place} />
        {session.labels.value.has(node) && (
          <p class="given-entry">
            <Given id={node} />
          </p>
        )}
        {kind !== 'compaction' && <RowBody row={row} />}
        <RowNotes row={row} />
      </div>
      <RowActions row={row} />
    </article>
  )
}

function FoldedRowView({ place, row }: { place: number; row: FoldedRow }): VNode {
  const { sheet, facts } = useView()
  const session = useSession()
  const isLeft = isLeftRow(row, facts.left, sheet)
  const here = session.cursor.value === row.row ? ' is-here' : ''
  const marked = session.marked.value === row.row ? ' is-marked' : ''
  return (
    <article
      class={`row row-folded${isLeft ? ' is-left' : ''}${here}${marked}`}
      aria-label={FOLDED_LABELS[row.kind]}
      data-row={row.row}
      data-node={sheet.rows.node[row.row]}
      tabIndex={-1}
    >
      <Lanes place={place} dot="folded" />
      <div class="row-main">
        <FoldedBody row={row} />
      </div>
    </article>
  )
}

const FOLDED_LABELS: Readonly<Record<FoldedRow['kind'], string>> = {
  row: 'A row',
  agent: 'An agent, folded',
  branch: 'Another way, folded',
  shared: 'Shared history, folded',
}

function FoldedBody({ row }: { row: FoldedRow }): VNode | null {
  if (row.kind === 'agent') return <FoldedAgent row={row} />
  return row.kind === 'shared' ? <FoldedShared row={row} /> : <FoldedBranch row={row} />
}

const DOTS: Partial<Readonly<Record<RowKind, string>>> = {
  prompt: 'big',
  queued: 'big',
  compaction: 'diamond',
  thinking: 'none',
  system: 'none',
  attachment: 'none',
  progress: 'none',
  meta: 'none',
  caveat: 'none',
  other: 'none',
}

function dotOf(kind: RowKind): string {
  return DOTS[kind] ?? 'small'
}
