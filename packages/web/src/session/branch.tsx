/** Branches, subagents and shared history: folded into one row, or opened in place with a head. */

import { capitalize, plural } from '@dagline/core/format'
import { FROM_PROGRESS } from '@dagline/core/protocol'
import { branchLabel, type FoldedRow, tailKey } from '@dagline/core/view'
import type { ComponentChildren, VNode } from 'preact'
import { Tags } from '../parts/figures.js'
import { AgentLine } from './call.js'
import { branchOf, compareLink, type ForkBranch, sizeOf } from './fork-branches.js'
import { BranchEdits } from './session-actions.js'
import { chooseBranch, closeAgent, toggleLine, useSession, useView } from './state.js'
import type { View } from './view.js'

/** The branch or subagent that begins at a row, and a button that closes it; nothing for other rows. */
export function OpenedHead({ row }: { row: number }): VNode | null {
  const view = useView()
  const opened = openedAt(view, row)
  if (opened === null) return null
  return opened.branch === null ? <AgentHead line={opened.line} /> : <BranchHead branch={opened.branch} />
}

/** The head of opened shared history; nothing in a session without any. */
export function SharedHead(): VNode | null {
  const session = useSession()
  const { sheet, choice } = useView()
  const line = sheet.rows.line[0] ?? -1
  if (sheet.lines[line]?.isShared !== true) return null
  const isAll = sheet.lines.every(({ isShared }) => isShared)
  return (
    <p class="branch-head shared">
      <SharedWords />
      {choice.open.has(line) && !isAll && (
        <button type="button" onClick={() => toggleLine(session, line, 0)}>
          Close
        </button>
      )}
    </p>
  )
}

/** How much history a session shares with the one it continues. */
function SharedWords(): VNode {
  const { sheet, facts } = useView()
  const isAll = sheet.lines.every(({ isShared }) => isShared)
  return (
    <>
      <span class="status">Shared history</span>
      <span class="folded-size">{plural(facts.totals.shared, 'message')}</span>
      <span class="folded-words">
        {isAll ? 'this session adds nothing to it' : 'copied from the session it continues'}
      </span>
    </>
  )
}

function AgentHead({ line }: { line: number }): VNode | null {
  const session = useSession()
  const { sheet, facts } = useView()
  const known = sheet.lines[line]
  if (known === undefined) return null
  return (
    <p class="branch-head agent">
      <span class="status">Subagent {known.agent?.name}</span>
      <Label id={known.id} />
      <span>{sizeOf({ messages: facts.messages[line] ?? 0, cost: facts.costs[line] ?? null })}</span>
      {known.agent?.source === 'progress' && <span>{FROM_PROGRESS}</span>}
      {known.depth > 1 && <span>depth {known.depth}</span>}
      <button type="button" onClick={() => closeAgent(session, line, known.at)}>
        Close
      </button>
    </p>
  )
}

function BranchHead({ branch }: { branch: ForkBranch }): VNode {
  const session = useSession()
  const view = useView()
  const anchor = view.sheet.forks[branch.fork]?.row ?? -1
  return (
    <p class={`branch-head ${branch.status}`}>
      <span class="status">{capitalize(branchLabel(branch.status))}</span>
      <Label id={branch.line} />
      <span>{sizeOf(branch)}</span>
      <button type="button" onClick={() => toggleLine(session, branch.key, anchor)}>
        Close
      </button>
      <BranchActions branch={branch} />
    </p>
  )
}

/** The opened branch or subagent that begins at a row. */
function openedAt(
  view: View,
  row: number,
): { readonly line: number; readonly branch: ForkBranch | null } | null {
  const { sheet, choice } = view
  const line = sheet.rows.line[row] ?? -1
  const known = sheet.lines[line]
  if (known?.head === row && choice.open.has(line)) {
    if (known.kind === 'agent') return { line, branch: null }
    const fork = sheet.forks.findIndex(({ branches }) => branches.includes(line))
    const branch = fork < 0 ? null : branchOf(view, fork, sheet.forks[fork]?.branches.indexOf(line) ?? 0)
    return branch === null || branch.isTaken ? null : { line, branch }
  }
  return openedTail(view, row)
}

function openedTail(
  view: View,
  row: number,
): { readonly line: number; readonly branch: ForkBranch | null } | null {
  const { sheet, choice } = view
  for (const key of choice.open) {
    if (key < sheet.lines.length) continue
    const fork = key - tailKey(sheet, 0)
    const branch = branchOf(view, fork, sheet.forks[fork]?.branches.indexOf(-1) ?? 0)
    if (branch.head === row && !branch.isTaken) return { line: -1, branch }
  }
  return null
}

/** The name, tags and note that the user gave a branch, a subagent or an entry; nothing where there are none. */
export function Label({ id }: { readonly id: string | null }): VNode | null {
  const label = useSession().labels.value.get(id ?? '')
  if (label === undefined) return null
  return (
    <>
      {label.name !== null && <strong class="given-name">{label.name}</strong>}
      <Tags label={label} />
      {label.note !== null && <span class="given-note">{label.note}</span>}
    </>
  )
}

interface FoldedProps {
  readonly kind: string
  readonly onOpen: () => void
  /** What is folded. */
  readonly children: ComponentChildren
  /** Buttons after the one that opens it. */
  readonly more?: ComponentChildren
}

function Folded({ kind, onOpen, children, more }: FoldedProps): VNode {
  return (
    <div class={`folded ${kind}`}>
      <button type="button" class="folded-open" aria-expanded={false} onClick={onOpen}>
        {children}
      </button>
      <span class="folded-actions">
        <button type="button" onClick={onOpen}>
          Open
        </button>
        {more}
      </span>
    </div>
  )
}

/** A branch that is not shown: its status, size and first words, with buttons to open it, switch to it and compare. */
export function FoldedBranch({ row }: { row: FoldedRow }): VNode | null {
  const session = useSession()
  const view = useView()
  if (row.branch === null) return null
  const branch = branchOf(view, row.branch.fork, row.branch.branch)
  return (
    <Folded
      kind={branch.status}
      onOpen={() => toggleLine(session, branch.key, row.row)}
      more={<BranchActions branch={branch} />}
    >
      <span class="status">{capitalize(branchLabel(branch.status))}</span>
      <Label id={branch.line} />
      <span class="folded-size">{sizeOf(branch)}</span>
      <q class="folded-words">{branch.words || 'no text'}</q>
    </Folded>
  )
}

/** Shows a branch instead of the current one, or compares both. */
function BranchActions({ branch }: { branch: ForkBranch }): VNode {
  const session = useSession()
  const view = useView()
  const link = session.source.isServed ? compareLink(view, branch) : null
  return (
    <>
      <button type="button" onClick={() => chooseBranch(session, branch.fork, branch.branch)}>
        Switch to it
      </button>
      {link !== null && <a href={link}>Compare</a>}
      <BranchEdits line={branch.line} />
    </>
  )
}

/** The history that the session shares with the one it continues. */
export function FoldedShared({ row }: { row: FoldedRow }): VNode {
  const session = useSession()
  return (
    <Folded kind="shared" onOpen={() => toggleLine(session, row.line, row.row)}>
      <SharedWords />
    </Folded>
  )
}

/** A subagent whose call is not known. */
export function FoldedAgent({ row }: { row: FoldedRow }): VNode {
  const words = useView().sheet.lines[row.line]?.words ?? ''
  return (
    <div class="folded agent">
      <p class="folded-head">
        <span class="status">Subagent without a known call</span>
        {words !== '' && <q class="folded-words">{words}</q>}
      </p>
      <AgentLine line={row.line} row={row.row} />
    </div>
  )
}
