/**
 * Columns for rows. A row takes the lane of the row it follows; a branch gets the next free lane beside the one it
 * leaves, drawn on its own row; an agent's lane opens at its call and closes at the row it returns to.
 *
 *   0 1
 *   o          row
 *   o-.        a call: lane 1 opens
 *   | o        the agent
 *   o-'        its result: lane 1 closes
 *   |-o        an abandoned branch, from lane 0
 *   o          the conversation goes on
 */
import { pushTo } from '../model/group.js'
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

/** By row: which rows below it are joined to it. */
interface Below {
  /** 1 where one follows in its lane. */
  readonly line: Uint8Array
  /** The last row that needs the lane of this one without following in it; -1 for none. */
  readonly until: Int32Array
  readonly spawns: ReadonlyMap<number, readonly number[]>
}

/** The edges by which a row joins lanes. */
export type Joined = Pick<ViewRow, 'parents' | 'aside'>

/** Gives every row its lane, in the order of the rows. Linear in rows, as long as lanes are few. */
export function layOutLanes(rows: readonly Joined[]): readonly LaneRow[] {
  const below = joinedBelow(rows)
  const laneOf = new Int32Array(rows.length)
  const opened = new Map<number, number>()
  const taken: boolean[] = [true]
  const plain: LaneRow[] = []
  return rows.map((row, at) => {
    const [first] = row.parents
    const lane = laneFor(row, first, { laneOf, taken, opened: opened.get(at) })
    laneOf[at] = lane
    taken[lane] = true
    // Nearly every row only goes on in its lane: rows of one lane share one object.
    if (isPlain(row, at, below)) {
      const same = plain[lane] ?? { lane, from: null, ...nothing }
      plain[lane] = same
      return same
    }
    // Each lane is looked for behind the one before: thousands may open at one row.
    let free = lane
    const opens = (below.spawns.get(at) ?? none).map(child => {
      free = take(taken, free + 1)
      opened.set(child, free)
      return free
    })
    const closes = row.parents.slice(1).map(edge => laneOf[edge.row] ?? 0)
    const from = first?.kind === 'branch' ? (laneOf[first.row] ?? 0) : null
    const ends = [...closes, ...ended(row, at, below).map(done => laneOf[done] ?? 0)]
    for (const done of ends) if (done > 0) taken[done] = false
    return { lane, from, opens, closes, ends }
  })
}

const none: readonly number[] = []
const nothing: Pick<LaneRow, 'opens' | 'closes' | 'ends'> = { opens: none, closes: none, ends: none }

/** Whether a row follows one in its lane, is followed by one there, and nothing else happens. */
function isPlain({ parents }: Joined, at: number, { line, spawns }: Below): boolean {
  return parents.length === 1 && parents[0]?.kind === 'line' && line[at] === 1 && !spawns.has(at)
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

function joinedBelow(rows: readonly Joined[]): Below {
  const line = new Uint8Array(rows.length)
  const until = new Int32Array(rows.length).fill(-1)
  const spawns = new Map<number, number[]>()
  rows.forEach(({ parents }, at) => {
    parents.forEach(({ row: above, kind }, position) => {
      if (kind === 'line' && position === 0) line[above] = 1
      else if (kind !== 'spawn') until[above] = at
      else pushTo(spawns, above, at)
    })
  })
  return { line, until, spawns }
}

/** The rows whose lane nothing needs after this one: itself, or the one a last branch has left. */
function ended({ parents: [first] }: Joined, at: number, { line, until }: Below): readonly number[] {
  const done: number[] = []
  if (line[at] === 0 && (until[at] ?? -1) < 0) done.push(at)
  if (first?.kind === 'branch' && line[first.row] === 0 && until[first.row] === at) done.push(first.row)
  return done
}
