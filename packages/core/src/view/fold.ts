/**
 * What is shown of a sheet: the rows of the chosen branches, at the chosen level of detail. A branch that is not chosen is
 * one row right after its fork; an agent is inside its call until it is opened. `walkSession` folds on its own: it has the graph,
 * and orders the rows by what it folds, while a sheet has one order for every choice (a subagent's result stands after its rows).
 *
 *   sheet            shown, the second branch chosen
 *   o                o
 *   |-o  branch 1    |-+  branch 1, folded
 *   | o              o
 *   o    branch 2    o
 *   o
 */
import { pushTo } from '../model/group.js'
import { EDGE_KINDS, ROW_MARKS, type Sheet } from '../protocol/sheet.js'
import {
  branchAt,
  edgeOf,
  type FoldChoice,
  isMarked,
  joinOf,
  NONE,
  showsKind,
  tailKey,
} from './fold-choice.js'
import type { EdgeKind, ViewEdge } from './rows.js'

/** A row that is shown: one of the sheet, or a branch, an agent or shared history that is folded into its first row. */
export interface FoldedRow {
  readonly kind: 'row' | 'branch' | 'agent' | 'shared'
  /** Its row in the sheet, and its line there. */
  readonly row: number
  readonly line: number
  readonly parents: readonly ViewEdge[]
  readonly aside: boolean
  /** The forks that part after this row. */
  readonly forks: readonly number[]
  /** For a folded branch: its fork, and which of its branches it is. */
  readonly branch: FoldedBranch | null
}

/** One of the branches at a fork. */
export interface FoldedBranch {
  readonly fork: number
  readonly branch: number
}

/** The rows that are shown of a session. */
export interface FoldedSheet {
  readonly rows: readonly FoldedRow[]
  /** Messages that are not shown; of these, those on abandoned branches, and those of subagents. */
  readonly hidden: { readonly rows: number; readonly abandoned: number; readonly agents: number }
  /** Where a row of the sheet is shown: itself, or the row it is folded into, or the last one before it. */
  readonly shownAt: (row: number) => number
}

/**
 * The rows of a sheet that a choice shows, from top to bottom. Linear in the rows of the sheet.
 *
 *   foldSheet(sheet, { ...FIRST_CHOICE, level: 'prompts' }).rows
 */
export function foldSheet(sheet: Sheet, choice: FoldChoice): FoldedSheet {
  const fold = startFold(sheet, choice)
  if (choice.liveOnly) placeLive(fold)
  else
    for (let row = 0; row < sheet.rows.node.length; row++) {
      placeRow(fold, row)
      for (const fork of fold.forksAt.get(row) ?? []) placeBranches(fold, fork)
    }
  return { rows: fold.rows, hidden: fold.hidden, shownAt: row => nearestShown(fold, row) }
}

/** L3: what the next request carries, in the order of sending, one below the other. */
function placeLive(fold: Fold): void {
  const { sheet, rows, hold } = fold
  const isLive = new Uint8Array(sheet.rows.node.length)
  for (const row of sheet.live) {
    isLive[row] = 1
    const holder = { at: rows.length - 1, link: 0 }
    if (isShown(fold, row)) show(fold, row, holder)
    else hold[row] = holder.at
  }
  for (let row = 0; row < isLive.length; row++) if (isLive[row] === 0) countHidden(fold, row)
}

interface Fold {
  readonly sheet: Sheet
  readonly choice: FoldChoice
  /** Forks by the row after which they part. */
  readonly forksAt: ReadonlyMap<number, readonly number[]>
  /** The fork that a line is a branch of. */
  readonly forkOf: ReadonlyMap<number, number>
  /** By the row of its result, the last rows of an agent. */
  readonly returns: ReadonlyMap<number, readonly number[]>
  /** By line: whether its rows are shown, from here on. */
  readonly isOpen: Uint8Array
  /** Where a row is shown; -1 where it is not. */
  readonly shownAt: Int32Array
  /** Where that is shown which rows below hang on: the row itself, or the nearest one above; see `FOLDED`. */
  readonly hold: Int32Array
  /** For a row that is not shown: how what hangs on it hangs on the one above; index into `EDGE_KINDS`, or `ASIDE`. */
  readonly link: Uint8Array
  /** First rows of what goes on after a fork on its own line, where another branch is taken. */
  readonly tails: Set<number>
  readonly rows: FoldedRow[]
  readonly hidden: { rows: number; abandoned: number; agents: number }
}

/** In `hold`: the row is in something that is folded. */
const FOLDED = -2
/** In `link`: it hangs on nothing, beside the conversation. */
const ASIDE = 9

function startFold(sheet: Sheet, choice: FoldChoice): Fold {
  const size = sheet.rows.node.length
  const forkOf = new Map(
    sheet.forks.flatMap(({ branches }, fork) => branches.map(branch => [branch, fork] as const)),
  )
  return {
    sheet,
    choice,
    forksAt: group(sheet.forks.map(({ row }, fork) => [row, fork] as const)),
    forkOf,
    returns: group(sheet.returns),
    isOpen: new Uint8Array(sheet.lines.length),
    shownAt: new Int32Array(size).fill(NONE),
    hold: new Int32Array(size).fill(NONE),
    link: new Uint8Array(size),
    tails: new Set(),
    rows: [],
    hidden: { rows: 0, abandoned: 0, agents: 0 },
  }
}

function group(pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>()
  for (const [key, value] of pairs) pushTo(groups, key, value)
  return groups
}

function placeRow(fold: Fold, row: number): void {
  const { sheet, isOpen } = fold
  const line = sheet.rows.line[row] ?? NONE
  if (sheet.lines[line]?.head === row) openLine(fold, line)
  if (isOpen[line] !== 1) {
    // The conversation goes on from what it shares with another, also while that is folded.
    fold.hold[row] = sheet.lines[line]?.isShared === true ? (fold.shownAt[0] ?? NONE) : FOLDED
    countHidden(fold, row)
    return
  }
  const holder = holderOf(fold, row)
  if (isShown(fold, row)) show(fold, row, holder)
  else {
    fold.hold[row] = holder.at
    fold.link[row] = holder.link
    if (joinOf(sheet, row) < 0) countHidden(fold, row)
  }
}

/** Whether the rows of a line are shown, found when its first one is met. */
function openLine(fold: Fold, line: number): void {
  const { sheet, choice, isOpen, hold, forkOf } = fold
  const known = sheet.lines[line]
  if (known === undefined || (known.at >= 0 && hold[known.at] === FOLDED)) return
  const fork = forkOf.get(line)
  if (choice.open.has(line)) isOpen[line] = 1
  else if (known.isShared) placeShared(fold, line)
  else if (known.kind === 'agent') placeStray(fold, line)
  else if (known.at < 0 && known.agent !== null) isOpen[line] = isAgentOpen(fold, known.agent.id) ? 1 : 0
  else if (fork === undefined || isTaken(fold, fork, line)) isOpen[line] = 1
  else if (known.at < 0) placeBranch(fold, { fork, branch: sheet.forks[fork]?.branches.indexOf(line) ?? 0 })
}

function isTaken({ sheet, choice }: Fold, fork: number, line: number): boolean {
  return sheet.forks[fork]?.branches[branchAt(sheet, fork, choice)] === line
}

function isAgentOpen({ sheet, isOpen }: Fold, agent: string): boolean {
  const main = sheet.lines.findIndex(line => line.kind === 'agent' && line.agent?.id === agent)
  return isOpen[main] === 1
}

/** The shown row that a row hangs on, and how. */
interface Holder {
  readonly at: number
  readonly link: number
}

function holderOf(fold: Fold, row: number): Holder {
  const { sheet, hold, link } = fold
  const up = sheet.rows.up[row] ?? 0
  if (up === 0) return { at: NONE, link: isMarked(sheet, row, ROW_MARKS.aside) ? ASIDE : 0 }
  const above = row - up
  const own = EDGE_KINDS.indexOf(edgeInView(fold, row))
  return { at: Math.max(NONE, hold[above] ?? NONE), link: Math.max(own, link[above] ?? 0) }
}

/** The branch that is taken goes on in the lane, the others leave it. */
function edgeInView(fold: Fold, row: number): (typeof EDGE_KINDS)[number] {
  const { sheet, forkOf, tails } = fold
  const line = sheet.rows.line[row] ?? NONE
  if (tails.has(row)) return 'branch'
  const fork = sheet.lines[line]?.head === row ? forkOf.get(line) : undefined
  if (fork === undefined) return edgeOf(sheet, row)
  return isTaken(fold, fork, line) ? 'line' : 'branch'
}

function isShown(fold: Fold, row: number): boolean {
  const { sheet, choice, returns } = fold
  if (isMarked(sheet, row, ROW_MARKS.landmark)) return true
  // Where an agent that is opened comes home, its lane must end.
  if ((returns.get(row) ?? []).some(last => endOf(fold, last) >= 0)) return true
  const call = joinOf(sheet, row)
  if (call >= 0 && (fold.shownAt[call] ?? NONE) >= 0) return false
  return showsKind(choice.level, sheet, row)
}

/** Where the last row of an agent is shown; -1 where nothing of it is. */
function endOf({ sheet, hold, rows }: Fold, last: number): number {
  const end = hold[last] ?? NONE
  return end >= 0 && rows[end]?.line === sheet.rows.line[last] ? end : NONE
}

function show(fold: Fold, row: number, { at, link }: Holder): void {
  const { sheet } = fold
  const parents: ViewEdge[] = at < 0 ? [] : [{ row: at, kind: EDGE_NAMES[link] ?? 'line' }]
  for (const last of fold.returns.get(row) ?? []) {
    const end = endOf(fold, last)
    if (at >= 0 && end >= 0 && end !== at) parents.push({ row: end, kind: 'return' })
  }
  const line = sheet.rows.line[row] ?? NONE
  const forks = fold.forksAt.get(row) ?? []
  fold.shownAt[row] = fold.rows.length
  fold.hold[row] = fold.rows.length
  fold.rows.push({ kind: 'row', row, line, parents, aside: at < 0 && link === ASIDE, forks, branch: null })
}

/** By number of `EDGE_KINDS`. */
const EDGE_NAMES: readonly EdgeKind[] = ['line', 'line', 'branch', 'spawn']

/** The branches of a fork that are not taken: one row each, right after it. */
function placeBranches(fold: Fold, fork: number): void {
  const { sheet, choice } = fold
  const { row, branches } = sheet.forks[fork] ?? { row: NONE, branches: [] }
  if (row < 0 || fold.hold[row] === FOLDED) return
  const taken = branchAt(sheet, fork, choice)
  for (const [branch, line] of branches.entries()) {
    if (branch === taken) continue
    const isOpen = choice.open.has(line < 0 ? tailKey(sheet, fork) : line)
    if (line < 0) endLine(fold, row, isOpen)
    if (!isOpen) placeBranch(fold, { fork, branch })
  }
}

/** What goes on after a fork on its own line, where another branch is taken: folded as a branch is. */
function endLine({ sheet, isOpen, tails }: Fold, row: number, isOpened: boolean): void {
  const line = sheet.rows.line[row] ?? NONE
  if (isOpened) tails.add(rowAfter(sheet, row))
  else if (line >= 0) isOpen[line] = 0
}

function rowAfter({ rows }: Sheet, row: number): number {
  return rows.line.indexOf(rows.line[row] ?? NONE, row + 1)
}

function placeBranch(fold: Fold, branch: FoldedBranch): void {
  const { sheet } = fold
  const fork = sheet.forks[branch.fork]
  if (fork === undefined) return
  const line = fork.branches[branch.branch] ?? NONE
  const head = line < 0 ? rowAfter(sheet, fork.row) : (sheet.lines[line]?.head ?? NONE)
  const holder = fork.row < 0 ? NONE : (fold.hold[fork.row] ?? NONE)
  if (head < 0) return
  fold.shownAt[head] = fold.rows.length
  fold.rows.push({
    kind: 'branch',
    row: head,
    line: line < 0 ? (sheet.rows.line[fork.row] ?? NONE) : line,
    parents: holder < 0 ? [] : [{ row: holder, kind: 'branch' }],
    aside: holder < 0,
    forks: [],
    branch,
  })
}

/** All that is shared with the session before is one row, whichever lines it was on there. */
function placeShared(fold: Fold, line: number): void {
  const { sheet, isOpen, choice } = fold
  const first = sheet.rows.line[0] ?? NONE
  // Where nothing was added since, it is all there is to read.
  if (choice.open.has(first) || sheet.lines.every(({ isShared }) => isShared)) isOpen[line] = 1
  if (line !== first || isOpen[line] === 1) return
  const row = sheet.lines[line]?.head ?? NONE
  fold.shownAt[row] = fold.rows.length
  fold.rows.push({ kind: 'shared', row, line, parents: [], aside: false, forks: [], branch: null })
}

/** An agent without a known call is a row of its own, below the one it hangs on; the others are inside of their calls. */
function placeStray(fold: Fold, line: number): void {
  const { sheet, choice } = fold
  const { head, at, agent } = sheet.lines[line] ?? { head: NONE, at: NONE, agent: null }
  const isInItsCall = at >= 0 && agent?.evidence !== null
  if (isInItsCall || (agent?.state === 'warmup' && choice.level !== 'all')) return
  const holder = at < 0 ? NONE : (fold.hold[at] ?? NONE)
  fold.shownAt[head] = fold.rows.length
  fold.rows.push({
    kind: 'agent',
    row: head,
    line,
    parents: holder < 0 ? [] : [{ row: holder, kind: 'spawn' }],
    aside: holder < 0,
    forks: [],
    branch: null,
  })
}

function countHidden({ sheet, hidden }: Fold, row: number): void {
  if (!isMarked(sheet, row, ROW_MARKS.message)) return
  const line = sheet.lines[sheet.rows.line[row] ?? NONE]
  hidden.rows++
  if (line !== undefined && line.depth > 0) hidden.agents++
  else if (line?.status !== 'live') hidden.abandoned++
}

function nearestShown({ shownAt, sheet, rows }: Fold, row: number): number {
  const call = joinOf(sheet, row)
  const from = (shownAt[row] ?? NONE) < 0 && call >= 0 ? call : row
  for (let at = from; at >= 0; at--) {
    const found = shownAt[at] ?? NONE
    if (found >= 0) return found
  }
  return rows.length > 0 ? 0 : NONE
}
