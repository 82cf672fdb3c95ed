/** Amounts over time as stacked bars, with the figures of the bar under the cursor. */
import type { JSX } from 'preact'
import { CursorBox, useCursor } from './cursor.js'
import { labelEvery, ticksTo, useWidth } from './scale.js'

interface BarsProps {
  readonly label: string
  readonly bars: readonly Bar[]
  /** Names of the parts. */
  readonly series: readonly string[]
  readonly format: (value: number) => string
  /** Called when a bar is clicked. */
  readonly onPick: (bar: Bar) => void
}

const HEIGHT = 232
const TOP = 10
const BOTTOM = 24
const LEFT = 56
const FLOOR = HEIGHT - BOTTOM

/** The chart with its legend. Arrow keys move from bar to bar. */
export function Bars({ label, bars, series, format, onPick }: BarsProps): JSX.Element {
  const [box, width] = useWidth<HTMLDivElement>()
  const step = (width - LEFT) / Math.max(1, bars.length)
  const cursor = useCursor(bars.length, {
    find: x => Math.floor((x - LEFT) / step),
    pick: at => {
      const bar = bars[at]
      if (bar !== undefined) onPick(bar)
    },
  })
  const shown = bars[cursor.at ?? -1] ?? null
  return (
    <div class="bars">
      <Legend bars={bars} series={series} shown={shown} format={format} />
      <CursorBox
        box={box}
        name="bars-box"
        label={label}
        words={sentence(shown ?? bars.at(-1), format)}
        cursor={cursor}
      >
        {width === 0 ? null : <Plot bars={bars} width={width} step={step} format={format} at={cursor.at} />}
      </CursorBox>
    </div>
  )
}

function sentence(bar: Bar | undefined, format: (value: number) => string): string {
  return bar === undefined ? 'nothing' : `${bar.name}: ${format(sum(bar.parts))}`
}

function Legend({
  bars,
  series,
  shown,
  format,
}: Pick<BarsProps, 'bars' | 'series' | 'format'> & { readonly shown: Bar | null }): JSX.Element {
  const parts = shown?.parts ?? series.map((_, nth) => sum(bars.map(bar => bar.parts[nth] ?? 0)))
  return (
    <div class="legend">
      <p class="legend-now">
        <span>{shown?.name ?? 'All'}</span> <strong class="figure">{format(sum(parts))}</strong>
      </p>
      <ul>
        {series.map((name, nth) => (
          <li key={name} class={(parts[nth] ?? 0) > 0 ? undefined : 'is-none'}>
            <i class={`swatch series-${nth % 8}`} />
            {name} <span class="figure">{format(parts[nth] ?? 0)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface PlotProps extends Pick<BarsProps, 'bars' | 'format'> {
  readonly width: number
  readonly step: number
  readonly at: number | null
}

function Plot({ bars, width, step, format, at }: PlotProps): JSX.Element {
  const ticks = ticksTo(Math.max(0, ...bars.map(bar => sum(bar.parts))), 4)
  const top = ticks.at(-1) ?? 1
  const every = labelEvery(step, 64)
  const y = (value: number): number => FLOOR - (value / top) * (FLOOR - TOP)
  return (
    <svg class="chart" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {at === null ? null : (
        <rect class="chart-on" x={round(LEFT + at * step)} y={TOP} width={round(step)} height={FLOOR - TOP} />
      )}
      {ticks.map(tick => (
        <g key={tick}>
          <path class="chart-rule" d={`M${LEFT} ${round(y(tick))}H${width}`} />
          <text class="chart-text is-end" x={LEFT - 8} y={round(y(tick) + 4)}>
            {format(tick)}
          </text>
        </g>
      ))}
      {bars.map((bar, nth) => (
        <g key={bar.key}>
          <Stack bar={bar} x={LEFT + nth * step} step={step} y={y} />
          {nth % every === 0 ? (
            <text class="chart-text" x={round(LEFT + (nth + 0.5) * step)} y={HEIGHT - 6}>
              {bar.label}
            </text>
          ) : null}
        </g>
      ))}
    </svg>
  )
}

interface StackProps {
  readonly bar: Bar
  readonly x: number
  readonly step: number
  readonly y: (value: number) => number
}

function Stack({ bar, x, step, y }: StackProps): JSX.Element {
  const width = Math.max(1, Math.min(34, step - Math.min(6, step * 0.22)))
  let below = 0
  const parts = bar.parts.map((part, nth) => {
    const [from, to] = [y(below), y(below + part)]
    below += part
    if (part <= 0) return null
    const height = Math.max(0.5, from - to)
    return (
      <rect
        key={nth}
        class={`series-${nth % 8}`}
        x={round(x + (step - width) / 2)}
        y={round(to)}
        width={round(width)}
        height={round(height)}
      />
    )
  })
  return <>{parts}</>
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** One bar. Its parts are in the order of the series, from the bottom up. */
export interface Bar {
  readonly key: string
  /** The text under the bar. */
  readonly label: string
  /** The name in a sentence. */
  readonly name: string
  readonly parts: readonly number[]
}
