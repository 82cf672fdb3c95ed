/** Tables: columns as wide as they must be, the last one or a chosen one cut to fit. */
import { fit, pad, widthOf } from './width.js'

export interface Column<T> {
  readonly title: string
  readonly text: (row: T) => string
  readonly side?: 'left' | 'right'
  /** Takes what room is left; at most one column does. */
  readonly flexible?: boolean
  /** Colours what stands in the column, after it was cut and padded. */
  readonly paint?: (text: string, row: T) => string
  /** Left out where no row has anything to say but this. */
  readonly unless?: string
  /** Given up where there is no room: the greatest first; what has none stays. */
  readonly spare?: number
}

const GAP = '  '
const LEAST_ROOM = 16

/** The lines of a table, titles first. */
export function* tableLines<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { width, title }: { readonly width: number; readonly title: (text: string) => string },
): Generator<string> {
  const cells = rows.map(row => columns.map(column => column.text(row)))
  const all = columns.flatMap((column, at) => {
    const texts = cells.map(line => line[at] ?? '')
    const isSilent = column.unless !== undefined && texts.every(text => text === column.unless)
    return isSilent ? [] : [{ column, at, wide: Math.max(widthOf(column.title), ...widest(texts)) }]
  })
  const shown = withinRoom(all, width)
  const room = Math.max(LEAST_ROOM, width - fixedWidth(shown))
  const widths = shown.map(({ column, wide }) => (column.flexible ? Math.min(wide, room) : wide))
  const line = (text: (place: number) => string): string =>
    shown
      .map(({ column }, place) => pad(fit(text(place), widths[place] ?? 0), widths[place] ?? 0, column.side))
      .join(GAP)
      .trimEnd()
  yield title(line(place => shown[place]?.column.title ?? ''))
  for (const [index, row] of rows.entries()) {
    const painted = shown.map(({ column, at }, place) => {
      const text = pad(fit(cells[index]?.[at] ?? '', widths[place] ?? 0), widths[place] ?? 0, column.side)
      const last = place === shown.length - 1 ? text.trimEnd() : text
      return column.paint?.(last, row) ?? last
    })
    yield painted.join(GAP).trimEnd()
  }
}

interface Shown {
  readonly column: Pick<Column<never>, 'flexible' | 'spare'>
  readonly wide: number
}

/** The columns that fit, those that can be spared given up one by one. */
function withinRoom<S extends Shown>(columns: readonly S[], width: number): readonly S[] {
  let shown = columns
  while (fixedWidth(shown) + flexibleWidth(shown) > width) {
    const most = shown.reduce((least, { column }) => Math.max(least, column.spare ?? 0), 0)
    if (most === 0) break
    shown = shown.filter(({ column }) => column.spare !== most)
  }
  return shown
}

function fixedWidth(columns: readonly Shown[]): number {
  const gaps = GAP.length * (columns.length - 1)
  return columns.reduce((sum, { column, wide }) => sum + (column.flexible ? 0 : wide), gaps)
}

/** A flexible column may be cut, but not to nothing. */
function flexibleWidth(columns: readonly Shown[]): number {
  const wide = columns.find(({ column }) => column.flexible)?.wide ?? 0
  return Math.min(wide, LEAST_ROOM)
}

/** The greatest width, without spreading a long list over arguments. */
function widest(texts: readonly string[]): readonly number[] {
  return [texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)]
}
