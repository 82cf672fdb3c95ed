/** The lanes beside a row. */
import type { LaneRow } from '@dagline/core'
import type { VNode } from 'preact'
import { holds, type LanePlan, MOST_LANES } from './lane-plan.js'
import { useView } from './state.js'
import type { View } from './view.js'

/** The distance of a dot from the top of its row. */
const MIDDLE = 21
const WIDEST = 14
/** The width of all lanes is at most this. */
const MOST_WIDTH = 132

/** The distance between lanes, so that all of them fit. */
function laneGap(lanes: number): number {
  return Math.max(4, Math.min(WIDEST, Math.floor(MOST_WIDTH / lanes)))
}

/** The width of all lanes, for the style sheet. */
export function lanesWidth({ lanes }: View): string {
  return `${laneGap(lanes.width) * lanes.width + 4}px`
}

/** The lanes of one row. Screen readers get their meaning from the row itself. */
export function Lanes({ index, dot }: { index: number; dot: string }): VNode | null {
  const { lanes } = useView()
  const row = lanes.rows[index]
  if (row === undefined) return null
  const gap = laneGap(lanes.width)
  const {
    strokes,
    curves,
    dot: x,
  } = drawLanes(row, lanes.above[index] ?? 0, lanes.below[index] ?? 0, {
    gap,
    middle: MIDDLE,
  })
  const color = (lane: number): string => colorOf(lanes, index, lane)
  return (
    <svg class="lanes" width={gap * lanes.width + 4} aria-hidden="true">
      {curves.map(({ lane, path }) => (
        <path class={color(lane)} d={path} />
      ))}
      {strokes.map(stroke => (
        <Stroke stroke={stroke} color={color(stroke.lane)} />
      ))}
      <Dot x={x} kind={dot} color={color(row.lane)} />
    </svg>
  )
}

/** The lanes beside a divider: those that reach a row from above, or continue below it. */
export function PassingLanes({ index, side }: { index: number; side: 'above' | 'below' }): VNode {
  const { lanes } = useView()
  const set = lanes[side][index] ?? 0
  const gap = laneGap(lanes.width)
  const passing = Array.from({ length: lanes.width }, (_, lane) => lane).filter(lane => holds(set, lane))
  return (
    <svg class="lanes" width={gap * lanes.width + 4} aria-hidden="true">
      {passing.map(lane => (
        <Stroke
          stroke={{ lane, x: laneX(lane, gap), from: 0, to: null }}
          color={colorOf(lanes, index, lane)}
        />
      ))}
    </svg>
  )
}

/** The color of a lane, as in the outline: live conversation, abandoned branch, subagent. */
function colorOf({ dim, agents }: LanePlan, index: number, lane: number): string {
  const isAgent = holds(agents[index] ?? 0, lane)
  const isDim = holds(dim[index] ?? 0, lane)
  const kind = isAgent
    ? `lane-agent${lane % 2 === 0 ? ' is-even' : ''}`
    : isDim
      ? 'lane-abandoned'
      : 'lane-live'
  return isDim ? `${kind} dim` : kind
}

function Stroke({ stroke, color }: { stroke: LaneStroke; color: string }): VNode {
  return <line class={color} x1={stroke.x} x2={stroke.x} y1={stroke.from} y2={stroke.to ?? '100%'} />
}

function Dot({ x, kind, color }: { x: number; kind: string; color: string }): VNode | null {
  switch (kind) {
    case 'none':
      return null
    case 'folded':
      return <rect class={`${color} ring`} x={x - 4} y={MIDDLE - 4} width={8} height={8} rx={2} />
    case 'big':
      return <circle class={`${color} full`} cx={x} cy={MIDDLE} r={6} />
    case 'diamond':
      return <path class={`${color} full`} d={`M${x} ${MIDDLE - 6}l6 6l-6 6l-6 -6z`} />
    default:
      return <circle class={`${color} full`} cx={x} cy={MIDDLE} r={4} />
  }
}

interface LaneStroke {
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
function laneX(lane: number, gap: number): number {
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
