/**
 * Columns for rows. A row takes the lane of the row it follows; a branch gets the next free lane beside the one it
 * leaves, drawn on its own row; an agent's lane opens at its call and closes at the row it returns to.
 *
 *   0 1
 *   o          row
 *   o-.        a call: lane 1 opens
 *   | o        the agent
 *   o-'        its result: lane 1 closes
 *   |-o        a branch that was left, from lane 0
 *   o          the conversation goes on
 */
import type { ViewEdge, ViewRow } from './rows.js'

/** Where a row is drawn, and what happens to the lanes around it. */
export interface LaneRow {
  readonly lane: number
  /** The lane a branch leaves; null for all other rows. */
  readonly from: number | null
  /** Lanes that open here, for agents. */
  readonly opens: readonly number[]
  /** Lanes that come home here. */
  readonly closes: readonly number[]
  /** Lanes that nothing follows in after this row. */
  readonly ends: readonly number[]
}

/** The rows below a row that are joined to it. */
interface Below {
  line: boolean
  /** The last row that needs the lane of this one without following in it. */
  until: number
  readonly spawns: number[]
}

type Joined = Pick<ViewRow, 'parents' | 'aside'>

/** Gives every row its lane. Linear in rows, as long as lanes are few. */
export function layOutLanes(rows: readonly Joined[]): readonly LaneRow[] {
  const below = joinedBelow(rows)
  const laneOf = new Int32Array(rows.length)
  const opened = new Map<number, number>()
  const taken: boolean[] = [true]
  return rows.map((row, at) => {
    const [first, ...others] = row.parents
    const lane = laneFor(row, first, { laneOf, taken, opened: opened.get(at) })
    laneOf[at] = lane
    taken[lane] = true
    const opens = (below[at]?.spawns ?? []).map(child => {
      const free = take(taken, lane + 1)
      opened.set(child, free)
      return free
    })
    const closes = others.map(edge => laneOf[edge.row] ?? 0)
    const from = first?.kind === 'branch' ? (laneOf[first.row] ?? 0) : null
    const ends = [...closes, ...ended(row, at, below).map(done => laneOf[done] ?? 0)]
    for (const free of ends) if (free > 0) taken[free] = false
    return { lane, from, opens, closes, ends }
  })
}

interface Lanes {
  readonly laneOf: Int32Array
  readonly taken: boolean[]
  readonly opened: number | undefined
}

function laneFor(row: Joined, first: ViewEdge | undefined, { laneOf, taken, opened }: Lanes): number {
  if (first === undefined) return row.aside ? take(taken, 1) : 0
  const above = laneOf[first.row] ?? 0
  if (first.kind === 'spawn') return opened ?? take(taken, above + 1)
  return first.kind === 'branch' ? take(taken, above + 1) : above
}

/** The first free lane from a given one on; taken from now. */
function take(taken: boolean[], from: number): number {
  let lane = from
  while (taken[lane] === true) lane++
  taken[lane] = true
  return lane
}

function joinedBelow(rows: readonly Joined[]): readonly Below[] {
  const below = rows.map((): Below => ({ line: false, until: -1, spawns: [] }))
  rows.forEach((row, at) => {
    for (const [place, { row: above, kind }] of row.parents.entries()) {
      const joined = below[above]
      if (joined === undefined) continue
      if (kind === 'spawn') joined.spawns.push(at)
      else if (kind === 'line' && place === 0) joined.line = true
      else joined.until = at
    }
  })
  return below
}

/** The rows whose lane nothing needs after this one: itself, or the one a last branch has left. */
function ended(row: Joined, at: number, below: readonly Below[]): readonly number[] {
  const done: number[] = []
  const own = below[at]
  if (own !== undefined && !own.line && own.until < 0) done.push(at)
  const [first] = row.parents
  if (first?.kind === 'branch') {
    const above = below[first.row]
    if (above !== undefined && !above.line && above.until === at) done.push(first.row)
  }
  return done
}
