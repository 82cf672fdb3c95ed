/** What the page shows of a session: rows, lanes, where the forks are, and where opened branches and subagents end. */

import type { Sheet } from '@dagline/core/protocol'
import {
  branchAt,
  type FoldChoice,
  type FoldedRow,
  type FoldedSheet,
  foldSheet,
  tailKey,
} from '@dagline/core/view'
import type { SheetFacts } from './facts.js'
import { type LanePlan, planLanes } from './lane-plan.js'

export interface View extends FoldedSheet {
  readonly sheet: Sheet
  readonly facts: SheetFacts
  readonly choice: FoldChoice
  readonly lanes: LanePlan
  /** The forks after a row of the list, by its index. */
  readonly forksAt: ReadonlyMap<number, readonly number[]>
  /** Forks before the first row. */
  readonly forksFirst: readonly number[]
  readonly ends: Ends
}

/** Folds a sheet and lays it out. Linear in its rows. */
export function buildView(sheet: Sheet, facts: SheetFacts, choice: FoldChoice): View {
  const folded = foldSheet(sheet, choice)
  return {
    ...folded,
    sheet,
    facts,
    choice,
    lanes: planLanes(folded.rows, facts.abandoned, sheet),
    ...placeForks(sheet, folded.rows, choice),
    ends: endsIn(sheet, folded.rows, choice, folded.shownAt),
  }
}

/**
 * The row before a fork may be hidden at a low level of detail. The fork is then shown at the row its branches hang on.
 */
function placeForks(
  sheet: Sheet,
  rows: readonly FoldedRow[],
  choice: FoldChoice,
): Pick<View, 'forksAt' | 'forksFirst'> {
  const forksAt = new Map<number, number[]>()
  const forksFirst = new Set<number>()
  const placed = new Set<number>()
  const heads = branchHeads(sheet)
  const put = (fork: number, index: number | undefined): void => {
    if (placed.has(fork)) return
    placed.add(fork)
    if (index === undefined) forksFirst.add(fork)
    else forksAt.set(index, [...(forksAt.get(index) ?? []), fork])
  }
  if (choice.liveOnly) return { forksAt, forksFirst: [] }
  rows.forEach((row, index) => {
    for (const fork of row.forks) put(fork, index)
    const fork = row.branch?.fork ?? heads.get(row.row)
    if (fork !== undefined) put(fork, row.parents[0]?.row)
  })
  return { forksAt, forksFirst: [...forksFirst] }
}

function branchHeads(sheet: Sheet): ReadonlyMap<number, number> {
  const heads = new Map<number, number>()
  sheet.forks.forEach(({ branches }, fork) => {
    for (const branch of branches) {
      const head = sheet.lines[branch]?.head ?? -1
      if (head >= 0) heads.set(head, fork)
    }
  })
  return heads
}

export interface Ended {
  /** The subagent's line; -1 for a branch. */
  readonly agent: number
  /** The fork of the branch and the branch's position there; -1 for subagents. */
  readonly fork: number
  readonly branch: number
}

/** What ends after a row of the list, by its index; the innermost first. */
type Ends = ReadonlyMap<number, readonly Ended[]>

/** A line or part of a line: its first row, and which rows belong to it. */
interface Section {
  readonly ended: Ended
  readonly head: number
  readonly holds: (row: number) => boolean
}

/** Finds the ends in the rows that are shown. Linear in what is opened. */
function endsIn(sheet: Sheet, rows: readonly FoldedRow[], choice: FoldChoice, shownAt: ShownAt): Ends {
  const found: { readonly index: number; readonly head: number; readonly ended: Ended }[] = []
  for (const section of choice.liveOnly ? [] : sectionsOf(sheet, choice)) {
    const index = lastIndex(rows, shownAt(section.head), section.holds)
    if (index >= 0) found.push({ index, head: section.head, ended: section.ended })
  }
  const ends = new Map<number, Ended[]>()
  for (const { index, ended } of found.sort((a, b) => b.head - a.head))
    ends.set(index, [...(ends.get(index) ?? []), ended])
  return ends
}

type ShownAt = (row: number) => number

function* sectionsOf(sheet: Sheet, choice: FoldChoice): Generator<Section> {
  for (const key of choice.open) {
    const line = sheet.lines[key]
    if (line?.isShared === true) continue
    if (line?.kind === 'agent') {
      yield {
        ended: { agent: key, fork: -1, branch: -1 },
        head: line.head,
        holds: row => isOn(sheet, row, key, -1),
      }
    } else {
      const fork = line === undefined ? key - tailKey(sheet, 0) : forkOf(sheet, key)
      const branch = sheet.forks[fork]?.branches.indexOf(line === undefined ? -1 : key) ?? -1
      if (branch >= 0 && branchAt(sheet, fork, choice) !== branch) yield* branchSection(sheet, fork, branch)
    }
  }
  for (const [fork, branch] of choice.branches) {
    const line = sheet.lines[sheet.forks[fork]?.branches[branch] ?? -1]
    if (line !== undefined && line.status !== 'live') yield* branchSection(sheet, fork, branch)
  }
}

function forkOf({ forks }: Sheet, line: number): number {
  return forks.findIndex(({ branches }) => branches.includes(line))
}

function* branchSection(sheet: Sheet, fork: number, branch: number): Generator<Section> {
  const { row, branches } = sheet.forks[fork] ?? { row: -1, branches: [] }
  const line = branches[branch] ?? -1
  const ended = { agent: -1, fork, branch }
  if (line >= 0) yield { ended, head: sheet.lines[line]?.head ?? -1, holds: at => isOn(sheet, at, line, -1) }
  else {
    const own = sheet.rows.line[row] ?? -1
    yield { ended, head: sheet.rows.line.indexOf(own, row + 1), holds: at => isOn(sheet, at, own, row) }
  }
}

/** Whether a row is on a line, below one of its rows, or on a line that leaves it there. */
function isOn({ rows, lines }: Sheet, row: number, line: number, below: number): boolean {
  let [at, own] = [row, rows.line[row] ?? -1]
  for (let steps = 0; own >= 0 && steps <= lines.length; steps++) {
    if (own === line) return at > below
    at = lines[own]?.at ?? -1
    own = lines[own]?.parent ?? -1
  }
  return false
}

/** The last of the consecutive rows of a section, which begin at or right after an index; -1 where none is shown. */
function lastIndex(rows: readonly FoldedRow[], from: number, holds: (row: number) => boolean): number {
  const isIn = (index: number): boolean => rows[index] !== undefined && holds(rows[index].row)
  let index = isIn(from) ? from : from + 1
  if (!isIn(index)) return -1
  while (isIn(index + 1)) index++
  return index
}
