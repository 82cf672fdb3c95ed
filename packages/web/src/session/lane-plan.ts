/**
 * What is drawn beside each row: which lanes come in at its top, which go out at its bottom, and which are dimmed.
 * Sets of lanes are bits of a number; lanes beyond the last bit are drawn on top of each other.
 */
import { type FoldedRow, type LaneRow, layOutLanes, type Sheet } from '@dagline/core'

export interface LanePlan {
  readonly rows: readonly LaneRow[]
  /** By row: lanes at its upper edge, at its lower edge, and those of ways that were left. */
  readonly above: Int32Array
  readonly below: Int32Array
  readonly dim: Int32Array
  /** By row: lanes of agents. */
  readonly agents: Int32Array
  /** Lanes in all. */
  readonly width: number
}

/** Lanes that are told apart. */
export const MOST_LANES = 30

/** Lays the rows of a view out. Linear. */
export function planLanes(rows: readonly FoldedRow[], left: readonly boolean[], sheet: Sheet): LanePlan {
  const lanes = layOutLanes(rows)
  const above = new Int32Array(rows.length)
  const below = new Int32Array(rows.length)
  const dim = new Int32Array(rows.length)
  const agents = new Int32Array(rows.length)
  let called = 0
  let active = 0
  let dimmed = 0
  let width = 1
  lanes.forEach((row, at) => {
    const own = bit(row.lane)
    const folded = rows[at]
    const isLeft = folded !== undefined && isLeftRow(folded, left, sheet)
    above[at] = folded?.parents.length === 0 || row.from !== null ? active & ~own : active
    active |= own | bits(row.opens)
    dimmed = isLeft ? dimmed | own | bits(row.opens) : dimmed & ~own & ~bits(row.opens)
    dim[at] = dimmed
    const isAgent = (sheet.lines[folded?.line ?? -1]?.depth ?? 0) > 0
    called = (isAgent ? called | own : called & ~own) | bits(row.opens)
    agents[at] = called
    width = row.opens.reduce((most, lane) => Math.max(most, lane + 1), Math.max(width, row.lane + 1))
    active &= ~bits(row.ends)
    below[at] = active
  })
  return { rows: lanes, above, below, dim, agents, width: Math.min(width, MOST_LANES + 1) }
}

/** Whether what a row stands for was left. A folded way may be the live one, where another is taken. */
export function isLeftRow(row: FoldedRow, left: readonly boolean[], sheet: Sheet): boolean {
  if (row.way !== null && sheet.forks[row.way.fork]?.ways[row.way.way] === -1) {
    return left[sheet.rows.line[row.row] ?? -1] === true
  }
  return left[row.line] === true
}

/** Whether a set holds a lane. */
export function holds(set: number, lane: number): boolean {
  return (set & bit(lane)) !== 0
}

function bit(lane: number): number {
  return 1 << Math.min(lane, MOST_LANES)
}

function bits(lanes: readonly number[]): number {
  return lanes.reduce((set, lane) => set | bit(lane), 0)
}
