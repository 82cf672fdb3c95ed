/** One row of the conversation. */

import type { Severity } from '@dagline/core'
import { clock } from '@dagline/core/format'
import { ROW_MARKS } from '@dagline/core/protocol'
import { continuationLabel, type FoldedRow, isMarked, kindAt } from '@dagline/core/view'
import type { VNode } from 'preact'
import { RowActions } from './actions.js'
import { RowBody } from './body.js'
import { FoldedAgent, FoldedBranch, FoldedShared, Label, OpenedHead, SharedHead } from './branch.js'
import { Compaction } from './compaction.js'
import { DayLine, EndBar, ForkBar } from './dividers.js'
import { RowHead } from './head.js'
import { isAbandonedRow } from './lane-plan.js'
import { Lanes } from './lanes.js'
import { lookOf, voiceOf } from './row-kind.js'
import { foldedLabel, rowLabel } from './row-label.js'
import { useSession, useView } from './state.js'

/** A row of the list: an entry, or a folded branch, subagent or shared history. */
export function Row({ index }: { index: number }): VNode | null {
  const view = useView()
  const row = view.rows[index]
  if (row === undefined) return null
  const forks = view.forksAt.get(index) ?? []
  return (
    <>
      {index === 0 && view.forksFirst.map(fork => <ForkBar fork={fork} />)}
      <DayLine index={index} />
      {row.kind === 'row' ? <EntryRow index={index} row={row} /> : <FoldedRowView index={index} row={row} />}
      {forks.map(fork => (
        <ForkBar fork={fork} index={index} />
      ))}
      {view.ends.get(index)?.map(ended => (
        <EndBar ended={ended} index={index} />
      ))}
    </>
  )
}

function EntryRow({ index, row: { row, line } }: { index: number; row: FoldedRow }): VNode {
  const view = useView()
  const { sheet, facts, choice } = view
  const session = useSession()
  const kind = kindAt(sheet, row)
  const node = sheet.rows.node[row] ?? ''
  const isAbandoned = facts.abandoned[line] === true
  const isLive = isMarked(sheet, row, ROW_MARKS.live)
  const classes = [
    'row',
    `row-${kind}`,
    `voice-${voiceOf(sheet, row)}`,
    isAbandoned && 'is-abandoned',
    !isAbandoned && !isLive && 'is-out',
    isMarked(sheet, row, ROW_MARKS.failed) && 'is-failed',
    session.seen.value?.has(row) === false && 'is-unseen',
    session.cursor.value === row && 'is-here',
    session.marked.value === row && 'is-marked',
  ]
  return (
    <article
      class={classes.filter(Boolean).join(' ')}
      aria-label={rowLabel(view, row, session.contents.at(row))}
      aria-posinset={index + 1}
      aria-setsize={-1}
      data-row={row}
      data-node={node}
      data-live={isLive}
      tabIndex={-1}
    >
      <Lanes index={index} dot={lookOf(kind).dot ?? 'small'} />
      <div class="row-main">
        <OpenedHead row={row} />
        {row === 0 && <SharedHead />}
        {facts.epochs.has(row) && <Compaction row={row} />}
        <RowHead index={index} />
        {session.labels.value.has(node) && (
          <p class="given-entry">
            <Label id={node} />
          </p>
        )}
        {(kind !== 'compaction' || choice.level === 'all') && <RowBody row={row} />}
        <RowNotes row={row} />
      </div>
      <RowActions row={row} />
    </article>
  )
}

function FoldedRowView({ index, row }: { index: number; row: FoldedRow }): VNode {
  const view = useView()
  const { sheet, facts } = view
  const session = useSession()
  const isAbandoned = isAbandonedRow(row, facts.abandoned, sheet)
  const here = session.cursor.value === row.row ? ' is-here' : ''
  const marked = session.marked.value === row.row ? ' is-marked' : ''
  const unseen = session.seen.value?.has(row.row) === false ? ' is-unseen' : ''
  return (
    <article
      class={`row row-folded${isAbandoned ? ' is-abandoned' : ''}${here}${marked}${unseen}`}
      aria-label={foldedLabel(view, row)}
      data-row={row.row}
      data-node={sheet.rows.node[row.row]}
      tabIndex={-1}
    >
      <Lanes index={index} dot="folded" />
      <div class="row-main">
        <FoldedBody row={row} />
      </div>
    </article>
  )
}

function FoldedBody({ row }: { row: FoldedRow }): VNode | null {
  if (row.kind === 'agent') return <FoldedAgent row={row} />
  return row.kind === 'shared' ? <FoldedShared row={row} /> : <FoldedBranch row={row} />
}

/** All notes of a row; most rows have none. */
function RowNotes({ row }: { row: number }): VNode | null {
  const { facts } = useView()
  const { hrefOf } = useSession().source
  const [queue, junctions, diagnostics] = [
    facts.queue.get(row) ?? [],
    facts.junctions.get(row) ?? [],
    facts.diagnostics.get(row) ?? [],
  ]
  if (queue.length + junctions.length + diagnostics.length === 0) return null
  return (
    <ul class="row-notes">
      {queue.map(({ became, words, time }) => (
        <li class={`note ${became}`}>
          <span class="status">{became === 'lost' ? 'Queued, never sent' : 'Queued, recalled'}</span>
          {time !== null && <time>{clock(time)}</time>}
          <q>{words}</q>
        </li>
      ))}
      {junctions.map(({ session, title, how }) => (
        <li class="note junction">
          <span class="status">{continuationLabel(how)} in another session</span>{' '}
          <SessionLink href={hrefOf(session)} name={title ?? session.slice(0, 8)} />
        </li>
      ))}
      {diagnostics.map(({ severity, message, rule }) => (
        <li class={`note diagnostic ${severity}`} title={rule}>
          <span class="status">{SEVERITY[severity]}</span> {message}
        </li>
      ))}
    </ul>
  )
}

/** The name of another session, as a link where it has a page. */
function SessionLink({ href, name }: { href: string | null; name: string }): VNode {
  return href === null ? <span>{name}</span> : <a href={href}>{name} →</a>
}

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Note' }
