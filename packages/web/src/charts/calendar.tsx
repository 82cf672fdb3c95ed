/** A calendar of one year, week by week: the higher the amount, the darker the day. */
import { MONTHS } from '@dagline/core/format'
import type { JSX } from 'preact'
import { CursorBox, type CursorSteps, useCursor } from './cursor.js'
import { dayName, levelOf, quantiles, weekday, weeksUntil } from './scale.js'

interface CalendarProps {
  readonly label: string
  /** The last day. */
  readonly until: string
  readonly amounts: ReadonlyMap<string, number>
  readonly format: (value: number) => string
  readonly onPick: (day: string) => void
}

const WEEKS = 53
const STEP = 14
const SIZE = 11
const LEFT = 30
const TOP = 18
const HEIGHT = TOP + 7 * STEP
const LEVELS = 4

/** Weeks are columns, so left and right move by seven days. */
const STEPS: CursorSteps = {
  ArrowLeft: -7,
  ArrowRight: 7,
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -28,
  PageDown: 28,
}

/** The calendar, and the day under the cursor in words. */
export function Calendar({ label, until, amounts, format, onPick }: CalendarProps): JSX.Element {
  const days = weeksUntil(until, WEEKS)
  const thresholds = quantiles([...amounts.values()], LEVELS)
  const cursor = useCursor(days.length, {
    steps: STEPS,
    find: dayAt,
    pick: at => onPick(days[at] ?? until),
  })
  const words = (at: number): string => {
    const day = days[at] ?? until
    const amount = amounts.get(day) ?? 0
    return `${dayName(day, true)}: ${amount > 0 ? format(amount) : 'nothing'}`
  }
  const width = LEFT + WEEKS * STEP - (STEP - SIZE)
  return (
    <div class="calendar">
      <CursorBox
        name="calendar-scroll"
        label={label}
        words={words(cursor.at ?? days.length - 1)}
        cursor={cursor}
      >
        <svg class="chart" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
          <Frame days={days} />
          {days.map((day, nth) => (
            <rect
              key={day}
              class={`heat heat-${levelOf(amounts.get(day) ?? 0, thresholds)}${cursor.at === nth ? ' is-on' : ''}`}
              x={LEFT + Math.floor(nth / 7) * STEP}
              y={TOP + weekday(day) * STEP}
              width={SIZE}
              height={SIZE}
              rx={2}
            />
          ))}
        </svg>
      </CursorBox>
      <p class="calendar-now">
        <span>
          {cursor.at === null
            ? 'Hover over a day to see its cost. Click it to show only that day.'
            : words(cursor.at)}
        </span>
        <Scale />
      </p>
    </div>
  )
}

function dayAt(x: number, y: number): number {
  const [week, day] = [Math.floor((x - LEFT) / STEP), Math.floor((y - TOP) / STEP)]
  return week < 0 || day < 0 || day > 6 ? -1 : week * 7 + day
}

/** Weekdays at the left, and months above the week that contains their first day. */
function Frame({ days }: { readonly days: readonly string[] }): JSX.Element {
  const months = days.flatMap((day, nth) => (day.endsWith('-01') ? [{ nth, day }] : []))
  return (
    <>
      {['Mon', 'Wed', 'Fri'].map((name, nth) => (
        <text key={name} class="chart-text is-start" x={0} y={TOP + nth * 2 * STEP + 9}>
          {name}
        </text>
      ))}
      {months.map(({ nth, day }) => (
        <text key={day} class="chart-text is-start" x={LEFT + Math.floor(nth / 7) * STEP} y={10}>
          {MONTHS[Number(day.slice(5, 7)) - 1]}
        </text>
      ))}
    </>
  )
}

function Scale(): JSX.Element {
  return (
    <span class="calendar-scale" aria-hidden="true">
      less
      {[0, 1, 2, 3, 4].map(level => (
        <i key={level} class={`heat-${level}`} />
      ))}
      more
    </span>
  )
}
