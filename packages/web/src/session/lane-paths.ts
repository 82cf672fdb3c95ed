/** The strokes of the lanes beside one row, in pixels. A stroke may end at the bottom of the row, whatever its height. */
import type { LaneRow } from '@dagline/core'
import { holds, MOST_LANES } from './lane-plan.js'

export interface LaneStroke {
  readonly lane: number
  readonly x: number
  readonly from: number
  /** Null: to the bottom of the row. */
  readonly to: number | null
}

interface LaneCurve {
  readonly lane: number
  readonly path: string
}

interface LaneDrawing {
  readonly dot: number
  readonly strokes: readonly LaneStroke[]
  readonly curves: readonly LaneCurve[]
}

interface LaneScale {
  /** The distance between lanes. */
  readonly gap: number
  /** The distance of the dot from the top of the row. */
  readonly middle: number
}

/** The horizontal middle of a lane. */
export function laneX(lane: number, gap: number): number {
  return gap * (Math.min(lane, MOST_LANES) + 0.5) + 2
}

/** Draws the lanes of a row: those that pass, its own, and curves to lanes that leave it or join it. */
export function drawLanes(row: LaneRow, above: number, below: number, scale: LaneScale): LaneDrawing {
  const { gap, middle } = scale
  const reach = Math.min(middle, 14)
  const x = (lane: number): number => laneX(lane, gap)
  const strokes: LaneStroke[] = []
  const curves: LaneCurve[] = []
  for (let lane = 0; lane <= MOST_LANES; lane++) {
    const [comes, goes] = [holds(above, lane), holds(below, lane)]
    if (!comes && !goes) continue
    if (row.opens.includes(lane)) strokes.push({ lane, x: x(lane), from: middle + reach, to: null })
    else if (row.closes.includes(lane)) strokes.push({ lane, x: x(lane), from: 0, to: middle - reach })
    else if (comes && goes) strokes.push({ lane, x: x(lane), from: 0, to: null })
    else if (lane !== row.lane && comes) strokes.push({ lane, x: x(lane), from: 0, to: middle - reach })
    else strokes.push({ lane, x: x(lane), from: comes ? 0 : middle, to: goes ? null : middle })
  }
  const home = x(row.lane)
  for (const lane of row.opens) curves.push({ lane, path: leave(home, x(lane), middle, reach) })
  for (const lane of row.closes) curves.push({ lane, path: join(x(lane), home, middle, reach) })
  if (row.from !== null) curves.push({ lane: row.lane, path: join(x(row.from), home, middle, reach) })
  return { dot: home, strokes, curves }
}

/** From the dot sideways and down. */
function leave(from: number, to: number, y: number, reach: number): string {
  return `M${from} ${y}C${to} ${y} ${to} ${y} ${to} ${y + reach}`
}

/** From above, down and sideways to the dot. */
function join(from: number, to: number, y: number, reach: number): string {
  return `M${from} ${y - reach}C${from} ${y} ${from} ${y} ${to} ${y}`
}
