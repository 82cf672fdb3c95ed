/** V27: the drawing of the context band: one area for each category, stacked, and a line for each compaction. */
import { tokens } from '@dagline/core/format'
import type { ContextBand } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { ticksTo } from '../charts/scale.js'

const HEIGHT = 132
const TOP = 16
const FLOOR = HEIGHT - 4
/** Room for the numbers of the axis. */
export const LEFT = 44

interface PlotProps {
  readonly band: ContextBand
  readonly width: number
  /** Pixels of an item. */
  readonly step: number
  /** The item under the cursor; null for none. */
  readonly at: number | null
  /** The item that the panel shows; -1 for none. */
  readonly chosen: number
}

/** The drawing. Its cost follows the items, of which there are a few hundred at most. */
export function BandPlot({ band, width, step, at, chosen }: PlotProps): VNode {
  const areas = stack(band)
  const most = Math.max(0, ...(areas.at(-1)?.to ?? []))
  // A window that is mostly empty would leave no height to see anything of what is in it.
  const isWindowShown = most > band.window / 3
  const ticks = ticksTo(isWindowShown ? Math.max(most, band.window) : most, 3)
  const top = ticks.at(-1) ?? 1
  const x = (item: number): number => round(LEFT + item * step)
  const y = (value: number): number => round(FLOOR - (value / top) * (FLOOR - TOP))
  return (
    <svg class="chart" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {ticks.map(tick => (
        <g key={tick}>
          <path class="chart-rule" d={`M${LEFT} ${y(tick)}H${width}`} />
          <text class="chart-text is-end" x={LEFT - 6} y={y(tick) + 4}>
            {tokens(tick)}
          </text>
        </g>
      ))}
      {areas.map(({ from, to }, nth) => (
        <path class={`series-${nth % 8}`} d={areaPath(from, to, x, y)} />
      ))}
      {isWindowShown && <WindowLine y={y(band.window)} width={width} />}
      {cliffs(band, x).map(cliff => (
        <Cliff {...cliff} isLate={cliff.x > width - LABEL} />
      ))}
      {[chosen, at ?? -1].map(
        (item, nth) =>
          item >= 0 && (
            <rect
              class={nth === 0 ? 'context-chosen' : 'context-on'}
              x={x(item)}
              y={TOP}
              width={Math.max(2, round(step))}
              height={FLOOR - TOP}
            />
          ),
      )}
    </svg>
  )
}

function WindowLine({ y, width }: { readonly y: number; readonly width: number }): VNode {
  return (
    <g class="context-window">
      <path d={`M${LEFT} ${y}H${width}`} />
      <text class="chart-text is-start" x={LEFT + 4} y={y + 12}>
        limit of the window
      </text>
    </g>
  )
}

/** Pixels of the word above a compaction. */
const LABEL = 74

interface CliffProps {
  readonly x: number
  /** Whether there is room for the word. */
  readonly isNamed: boolean
}

function cliffs({ mark }: ContextBand, x: Scale): readonly CliffProps[] {
  let free = 0
  return mark.flatMap((each, item) => {
    if (each !== 'compaction') return []
    const isNamed = x(item) >= free
    if (isNamed) free = x(item) + LABEL
    return [{ x: x(item), isNamed }]
  })
}

function Cliff({ x, isNamed, isLate }: CliffProps & { readonly isLate: boolean }): VNode {
  return (
    <g class="context-cliff">
      <path d={`M${x} ${TOP - 6}V${FLOOR}`} />
      {isNamed && (
        <text class={`chart-text ${isLate ? 'is-end' : 'is-start'}`} x={isLate ? x - 4 : x + 4} y={TOP - 5}>
          compaction
        </text>
      )}
    </g>
  )
}

/** Where an area begins and ends, item by item. */
interface Area {
  readonly from: readonly number[]
  readonly to: readonly number[]
}

function stack({ parts, node }: ContextBand): readonly Area[] {
  let from: readonly number[] = node.map(() => 0)
  return parts.map(({ tokens: each }) => {
    const to = from.map((value, at) => value + (each[at] ?? 0))
    const area = { from, to }
    from = to
    return area
  })
}

type Scale = (value: number) => number

/** Steps, not slopes: between two answers nothing was sent. */
function areaPath(from: readonly number[], to: readonly number[], x: Scale, y: Scale): string {
  const upper = to.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(value)}H${x(at + 1)}`)
  const lower = from.map((value, at) => `L${x(at + 1)} ${y(value)}H${x(at)}`).reverse()
  return `${upper.join('')}${lower.join('')}Z`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
