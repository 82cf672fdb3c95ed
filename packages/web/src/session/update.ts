/** The next version of a sheet, and what the reader chose carried over to it: lines and forks may be renumbered there. */

import type { Sheet, SheetUpdate } from '@dagline/core/protocol'
import { type FoldChoice, tailKey } from '@dagline/core/view'

/** The sheet after an update: the rows that stay, and the new ones. */
export function applyUpdate(before: Sheet, { keep, keepWords, keepLive, sheet }: SheetUpdate): Sheet {
  const joined = <T>(column: (rows: Sheet['rows']) => readonly T[]): readonly T[] =>
    column(before.rows).slice(0, keep).concat(column(sheet.rows))
  return {
    ...sheet,
    words: before.words.slice(0, keepWords).concat(sheet.words),
    live: before.live.slice(0, keepLive).concat(sheet.live),
    rows: {
      node: joined(rows => rows.node),
      line: joined(rows => rows.line),
      kind: joined(rows => rows.kind),
      marks: joined(rows => rows.marks),
      time: joined(rows => rows.time),
      actor: joined(rows => rows.actor),
      name: joined(rows => rows.name),
      up: joined(rows => rows.up),
      edge: joined(rows => rows.edge),
      joins: joined(rows => rows.joins),
      size: joined(rows => rows.size),
    },
  }
}

/** The same choice for the next version of a sheet. Lines and forks that are gone are dropped. */
export function carryChoice(before: Sheet, after: Sheet, choice: FoldChoice): FoldChoice {
  if (choice.open.size === 0 && choice.branches.size === 0) return choice
  const lines = new Map(after.lines.map((line, at) => [line.id, at]))
  const forks = new Map(after.forks.map((_, at) => [forkName(after, at), at]))
  const lineAfter = (line: number): number => lines.get(before.lines[line]?.id ?? '') ?? -1
  const forkAfter = (fork: number): number => forks.get(forkName(before, fork)) ?? -1
  const open = [...choice.open].map(key => {
    if (key < before.lines.length) return lineAfter(key)
    const fork = forkAfter(key - before.lines.length)
    return fork < 0 ? -1 : tailKey(after, fork)
  })
  const branches = [...choice.branches].map(([fork, branch]) => {
    const line = before.forks[fork]?.branches[branch] ?? -1
    const at = forkAfter(fork)
    return [at, after.forks[at]?.branches.indexOf(line < 0 ? -1 : lineAfter(line)) ?? -1] as const
  })
  return {
    ...choice,
    open: new Set(open.filter(key => key >= 0)),
    branches: new Map(branches.filter(([fork, branch]) => fork >= 0 && branch >= 0)),
  }
}

/** The row with the same node; -1 where it is gone. Rows before `keep` are unchanged. */
export function carryRow(before: Sheet, after: Sheet, row: number, keep: number): number {
  return row < keep ? row : after.rows.node.indexOf(before.rows.node[row] ?? '')
}

/** Identifies a fork across versions: by the node before it, or at the beginning by its first branch. */
function forkName({ forks, rows, lines }: Sheet, fork: number): string {
  const { row, branches } = forks[fork] ?? { row: -1, branches: [] }
  return row < 0 ? `first ${lines[branches[0] ?? -1]?.id}` : (rows.node[row] ?? '')
}
