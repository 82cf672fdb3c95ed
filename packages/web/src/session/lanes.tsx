/** The lanes beside a row. */
import type { VNode } from 'preact'
import { useView } from './context.js'
import { drawLanes, type LaneStroke, laneX } from './lane-paths.js'
import { holds, type LanePlan } from './lane-plan.js'
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
  const colour = (lane: number): string => colourOf(lanes, index, lane)
  return (
    <svg class="lanes" width={gap * lanes.width + 4} aria-hidden="true">
      {curves.map(({ lane, path }) => (
        <path class={colour(lane)} d={path} />
      ))}
      {strokes.map(stroke => (
        <Stroke stroke={stroke} colour={colour(stroke.lane)} />
      ))}
      <Dot x={x} kind={dot} colour={colour(row.lane)} />
    </svg>
  )
}

/** The lanes that continue below a row, beside a divider that follows it. */
export function LanesBelow({ index }: { index: number }): VNode {
  const { lanes } = useView()
  return <Passing index={index} set={lanes.below[index] ?? 0} />
}

/** The lanes that reach a row from above, beside a divider that precedes it. */
export function LanesAbove({ index }: { index: number }): VNode {
  const { lanes } = useView()
  return <Passing index={index} set={lanes.above[index] ?? 0} />
}

function Passing({ index, set }: { index: number; set: number }): VNode {
  const { lanes } = useView()
  const gap = laneGap(lanes.width)
  const passing = Array.from({ length: lanes.width }, (_, lane) => lane).filter(lane => holds(set, lane))
  return (
    <svg class="lanes" width={gap * lanes.width + 4} aria-hidden="true">
      {passing.map(lane => (
        <Stroke
          stroke={{ lane, x: laneX(lane, gap), from: 0, to: null }}
          colour={colourOf(lanes, index, lane)}
        />
      ))}
    </svg>
  )
}

/** The colour of a lane, as in the outline: live conversation, abandoned branch, subagent. */
function colourOf({ dim, agents }: LanePlan, index: number, lane: number): string {
  const isAgent = holds(agents[index] ?? 0, lane)
  const isDim = holds(dim[index] ?? 0, lane)
  const kind = isAgent
    ? `lane-agent${lane % 2 === 0 ? ' is-even' : ''}`
    : isDim
      ? 'lane-abandoned'
      : 'lane-live'
  return isDim ? `${kind} dim` : kind
}

function Stroke({ stroke, colour }: { stroke: LaneStroke; colour: string }): VNode {
  return <line class={colour} x1={stroke.x} x2={stroke.x} y1={stroke.from} y2={stroke.to ?? '100%'} />
}

function Dot({ x, kind, colour }: { x: number; kind: string; colour: string }): VNode | null {
  switch (kind) {
    case 'none':
      return null
    case 'folded':
      return <rect class={`${colour} ring`} x={x - 4} y={MIDDLE - 4} width={8} height={8} rx={2} />
    case 'big':
      return <circle class={`${colour} full`} cx={x} cy={MIDDLE} r={6} />
    case 'diamond':
      return <path class={`${colour} full`} d={`M${x} ${MIDDLE - 6}l6 6l-6 6l-6 -6z`} />
    default:
      return <circle class={`${colour} full`} cx={x} cy={MIDDLE} r={4} />
  }
}
