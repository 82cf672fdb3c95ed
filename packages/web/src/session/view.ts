/** What the page shows of a session: rows, lanes, and where the forks are. */

import type { Sheet } from '@dagline/core/protocol'
import { type FoldChoice, type FoldedRow, type FoldedSheet, foldSheet } from '@dagline/core/view'
import { type Ends, endsIn } from './ends.js'
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
    ends: endsIn(sheet, folded.rows, choice, folded.placeOf),
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
  const heads = headsOfWays(sheet)
  const put = (fork: number, index: number | undefined): void => {
    if (placed.has(fork)) return
    placed.add(fork)
    if (index === undefined) forksFirst.add(fork)
    else forksAt.set(index, [...(forksAt.get(index) ?? []), fork])
  }
  if (choice.liveOnly) return { forksAt, forksFirst: [] }
  rows.forEach((row, index) => {
    for (const fork of row.forks) put(fork, index)
    const fork = row.way?.fork ?? heads.get(row.row)
    if (fork !== undefined) put(fork, row.parents[0]?.row)
  })
  return { forksAt, forksFirst: [...forksFirst] }
}

function headsOfWays(sheet: Sheet): ReadonlyMap<number, number> {
  const heads = new Map<number, number>()
  sheet.forks.forEach(({ ways }, fork) => {
    for (const way of ways) {
      const head = sheet.lines[way]?.head ?? -1
      if (head >= 0) heads.set(head, fork)
    }
  })
  return heads
}
