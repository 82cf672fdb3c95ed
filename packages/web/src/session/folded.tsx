/** Whole branches, subagents and shared history, each in one row. */

import { capitalize } from '@dagline/core/format'
import { type FoldedRow, statusLabel } from '@dagline/core/view'
import type { VNode } from 'preact'
import { Label, SharedWords } from './branch.js'
import { AgentLine } from './call.js'
import { useSession, useView } from './context.js'
import { branchOf, compareLink, sizeOf } from './fork-branches.js'
import { chooseBranch, toggleLine } from './state.js'

/** A branch that is not shown: its status, size and first words, with buttons to open it, switch to it and compare. */
export function FoldedBranch({ row }: { row: FoldedRow }): VNode | null {
  const session = useSession()
  const view = useView()
  if (row.way === null) return null
  const way = branchOf(view, row.way.fork, row.way.way)
  const link = session.source.isServed ? compareLink(view, way) : null
  return (
    <div class={`folded ${way.status}`}>
      <button
        type="button"
        class="folded-open"
        aria-expanded={false}
        onClick={() => toggleLine(session, way.key, row.row)}
      >
        <span class="status">{capitalize(statusLabel(way.status))}</span>
        <Label id={way.line} />
        <span class="folded-size">{sizeOf(way)}</span>
        <q class="folded-words">{way.words || 'no text'}</q>
      </button>
      <span class="folded-actions">
        <button type="button" onClick={() => toggleLine(session, way.key, row.row)}>
          Open
        </button>
        <button type="button" onClick={() => chooseBranch(session, way.fork, way.way)}>
          Switch to it
        </button>
        {link !== null && <a href={link}>Compare</a>}
      </span>
    </div>
  )
}

/** The history that the session shares with the one it continues. */
export function FoldedShared({ row }: { row: FoldedRow }): VNode {
  const session = useSession()
  return (
    <div class="folded shared">
      <button
        type="button"
        class="folded-open"
        aria-expanded={false}
        onClick={() => toggleLine(session, row.line, row.row)}
      >
        <SharedWords />
      </button>
      <span class="folded-actions">
        <button type="button" onClick={() => toggleLine(session, row.line, row.row)}>
          Open
        </button>
      </span>
    </div>
  )
}

/** A subagent whose call is not known. */
export function FoldedAgent({ row }: { row: FoldedRow }): VNode {
  return (
    <div class="folded agent">
      <span class="status">Subagent without a known call</span>
      <AgentLine line={row.line} row={row.row} />
    </div>
  )
}
