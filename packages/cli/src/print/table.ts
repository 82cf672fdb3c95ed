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
}

const GAP = '  '

/** The lines of a table, titles first. */
export function* tableLines<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { width, title }: { readonly width: number; readonly title: (text: string) => string },
): Generator<string> {
  const cells = rows.map(row => columns.map(column => column.text(row)))
  const shown = columns.flatMap((column, at) => {
    const texts = cells.map(line => line[at] ?? '')
    const isSilent = column.unless !== undefined && texts.every(text => text === column.unless)
    return isSilent ? [] : [{ column, at, wide: Math.max(widthOf(column.title), ...widest(texts)) }]
  })
  const fixed = shown.filter(({ column }) => !column.flexible).reduce((sum, { wide }) => sum + wide, 0)
  const room = Math.max(16, width - fixed - GAP.length * (shown.length - 1))
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

/** The greatest width, without spreading a long list over arguments. */
function widest(texts: readonly string[]): readonly number[] {
  return [texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)]
}
