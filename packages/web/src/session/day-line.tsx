/** A line between messages of different days. */
import type { VNode } from 'preact'
import { longDay, sameDay } from '../parts/format.js'
import { useView } from './context.js'
import { LanesAbove } from './lanes.js'
import type { View } from './view.js'

/** Rows without a time that are passed over on the way up. */
const REACH = 40

/** The day that begins at a place; nothing where it is that of the row above, and at the very beginning. */
export function DayLine({ place }: { place: number }): VNode | null {
  const view = useView()
  const time = dayAt(view, place)
  if (time === null) return null
  return (
    <div class="day-line">
      <LanesAbove place={place} />
      <time dateTime={new Date(time).toISOString().slice(0, 10)}>{longDay(time)}</time>
    </div>
  )
}

/** The time of a row that is the first of its day in the view; null for all others. */
export function dayAt({ rows, sheet }: View, place: number): number | null {
  const time = rows[place]?.kind === 'row' ? (sheet.rows.time[rows[place].row] ?? null) : null
  if (time === null) return null
  for (let above = place - 1; above >= Math.max(0, place - REACH); above--) {
    const row = rows[above]
    const before = row?.kind === 'row' ? (sheet.rows.time[row.row] ?? null) : null
    if (before !== null) return sameDay(before, time) ? null : time
  }
  return null
}
