/** Whole branches and agents in one row. */
import type { FoldedRow } from '@dagline/core'
import type { VNode } from 'preact'
import { Given, SharedWords } from './branch.js'
import { AgentLine } from './call.js'
import { useSession, useView } from './context.js'
import { compareLink, STATUS_WORDS, sizeOf, wayOf } from './fork-branches.js'
import { takeWay, toggleLine } from './state.js'

/** A way that is not taken: what it is, how much it is, and three things to do with it. */
export function FoldedBranch({ row }: { row: FoldedRow }): VNode | null {
  const session = useSession()
  const view = useView()
  if (row.way === null) return null
  const way = wayOf(view, row.way.fork, row.way.way)
  const link = session.source.isServed ? compareLink(view, way) : null
  return (
    <div class={`folded ${way.status}`}>
      <button
        type="button"
        class="folded-open"
        aria-expanded={false}
        onClick={() => toggleLine(session, way.key, row.row)}
      >
        <span class="status">{STATUS_WORDS[way.status]}</span>
        <Given id={way.line} />
        <span class="folded-size">{sizeOf(way)}</span>
        <q class="folded-words">{way.words || 'no words'}</q>
      </button>
      <span class="folded-actions">
        <button type="button" onClick={() => toggleLine(session, way.key, row.row)}>
          Open
        </button>
        <button type="button" onClick={() => takeWay(session, way.fork, way.way)}>
          Switch to it
        </button>
        {link !== null && <a href={link}>Compare</a>}
      </span>
    </div>
  )
}

/** What the session has in common with the one it comes from. */
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

/** An agent of which the call is not known. */
export function FoldedAgent({ row }: { row: FoldedRow }): VNode {
  return (
    <div class="folded agent">
      <span class="status">Agent without a known call</span>
      <AgentLine line={row.line} row={row.row} />
    </div>
  )
}
