/**
 * The lanes beside each row: which enter at its top, which leave at its bottom, and which are dimmed. A set of lanes is
 * a bit mask; lanes beyond the last bit are drawn on top of each other.
 */

import { type LaneRow, layOutLanes } from '@dagline/core'
import type { Sheet } from '@dagline/core/protocol'
import type { FoldedRow } from '@dagline/core/view'

export interface LanePlan {
  readonly rows: readonly LaneRow[]
  /** By row: lanes at its upper edge, at its lower edge, and those of abandoned branches. */
  readonly above: Int32Array
  readonly below: Int32Array
  readonly dim: Int32Array
  /** By row: lanes of subagents. */
  readonly agents: Int32Array
  /** The number of lanes. */
  readonly width: number
}

/** The highest lane that has a bit of its own. */
export const MOST_LANES = 30

/** Lays out the lanes of the rows shown. Linear. */
export function planLanes(rows: readonly FoldedRow[], abandoned: readonly boolean[], sheet: Sheet): LanePlan {
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
    const isAbandoned = folded !== undefined && isAbandonedRow(folded, abandoned, sheet)
    above[at] = folded?.parents.length === 0 || row.from !== null ? active & ~own : active
    active |= own | bits(row.opens)
    dimmed = isAbandoned ? dimmed | own | bits(row.opens) : dimmed & ~own & ~bits(row.opens)
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

/** Whether what a row stands for is abandoned. A folded branch may be the live one, where another is shown. */
export function isAbandonedRow(row: FoldedRow, abandoned: readonly boolean[], sheet: Sheet): boolean {
  if (row.branch !== null && sheet.forks[row.branch.fork]?.branches[row.branch.branch] === -1) {
    return abandoned[sheet.rows.line[row.row] ?? -1] === true
  }
  return abandoned[row.line] === true
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
