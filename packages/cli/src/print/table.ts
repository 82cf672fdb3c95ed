/** Tables, and small charts for their cells. */
import { cleanText } from '@dagline/core/content'
import { count } from '@dagline/core/format'
import type { Console } from '../console.js'
import { oneLine } from '../output.js'
import { fit, fitEnd, pad, widthOf, wrap } from './width.js'

export interface Column<T> {
  readonly title: string
  readonly text: (row: T) => string
  readonly align?: 'left' | 'right'
  /** Takes the room that is left, and is cut to it; at most one column does. */
  readonly flexible?: boolean
  /** The end of the text is kept where it is cut: the name of a file says more than its folders. */
  readonly keepsEnd?: boolean
  /** The text is continued below instead of being cut: it explains something. Only for the last column. */
  readonly wraps?: boolean
  /** Follows the text in the same cell: the first of these that leaves it enough room, else none of them. */
  readonly tail?: (row: T) => readonly string[]
  /** Colors a cell, after it was cut and padded. */
  readonly paint?: (text: string, row: T) => string
  /** The column is hidden where all cells have this text. */
  readonly hiddenIf?: string
  /** Where the flexible column has little room, this one is cut to so many characters before any column is dropped. */
  readonly shrinksTo?: number
  /** Where there is no room, columns are dropped, the highest rank first; a column without a rank stays. */
  readonly dropRank?: number
}

/** A column of numbers; zero is blank. */
export function figureColumn<T>(title: string, number: (row: T) => number, dropRank = 0): Column<T> {
  const text = (row: T): string => (number(row) === 0 ? '' : count(number(row)))
  return { title, text, align: 'right', hiddenIf: '', dropRank }
}

const GAP = '  '
const LEAST_ROOM = 16

interface TableOptions extends Pick<Console, 'width' | 'style'> {
  /** The last row is a sum, separated by a rule. */
  readonly hasSum?: boolean
}

/** The lines of a table, titles first; none without rows. */
export function* tableLines<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { width, style, hasSum = false }: TableOptions,
): Generator<string> {
  if (rows.length === 0) return
  const shown = withinRoom(
    columns.flatMap(column => measured(column, rows)),
    width,
  )
  const room = Math.max(LEAST_ROOM, width - fixedWidth(shown))
  const widths = shown.map(({ column, wide }) => (column.flexible ? Math.min(wide, room) : wide))
  const cell = (text: string, place: number, tails: readonly string[] = []): string => {
    const wide = widths[place] ?? 0
    const isLast = place === shown.length - 1
    const fitOne = shown[place]?.column.keepsEnd === true ? fitEnd : fit
    const tail = tailWithin(tails, wide, widthOf(text))
    const fitted = fitOne(text, wide - widthOf(tail)) + tail
    const padded = pad(fitted, wide, shown[place]?.column.align)
    return isLast ? padded.trimEnd() : padded
  }
  yield style.faint(
    shown
      .map(({ column }, place) => cell(column.title, place))
      .join(GAP)
      .trimEnd(),
  )
  const indent = ' '.repeat(widths.slice(0, -1).reduce((sum, wide) => sum + wide + GAP.length, 0))
  for (const [at, row] of rows.entries()) {
    const isSum = hasSum && at === rows.length - 1
    let below: readonly string[] = []
    const cells = shown.map(({ column, texts, tails }, place) => {
      const [first = '', ...others] = column.wraps
        ? wrap(texts[at] ?? '', widths[place] ?? 0)
        : [texts[at] ?? '']
      below = others.map(text => indent + (column.paint?.(text, row) ?? text))
      const text = cell(first, place, tails[at])
      return column.paint?.(text, row) ?? text
    })
    const line = cells.join(GAP).trimEnd()
    if (isSum)
      yield style.faint('─'.repeat(widths.reduce((sum, wide) => sum + wide + GAP.length, -GAP.length)))
    yield isSum ? style.strong(line) : line
    yield* below
  }
}

/** The first tail that fits behind a text, or leaves it two thirds of the cell; empty where none does. */
function tailWithin(tails: readonly string[], wide: number, text: number): string {
  const most = Math.max(Math.floor(wide / 3), wide - text)
  const found = tails.find(tail => widthOf(tail) + GAP.length <= most)
  return found === undefined ? '' : GAP + found
}

interface Measured<T> {
  readonly column: Column<T>
  readonly texts: readonly string[]
  /** Empty where the column has none. */
  readonly tails: readonly (readonly string[])[]
  readonly wide: number
}

/** A column with its cells and its width; none where it is hidden. */
function measured<T>(column: Column<T>, rows: readonly T[]): readonly Measured<T>[] {
  // O1: here, where each cell is alone, since a sequence that one begins must not reach into the next.
  const clean = (text: string): string => oneLine(cleanText(text))
  const texts = rows.map(row => clean(column.text(row)))
  if (texts.every(text => text === column.hiddenIf)) return []
  const { tail } = column
  const tails = tail === undefined ? [] : rows.map(row => tail(row).map(clean))
  const longest = (at: number): number => widthOf(tailWithin(tails[at] ?? [], Number.POSITIVE_INFINITY, 0))
  const widths = texts.map((text, at) => widthOf(text) + longest(at))
  return [
    {
      column,
      texts,
      tails,
      wide: widths.reduce((most, wide) => Math.max(most, wide), widthOf(column.title)),
    },
  ]
}

/** The columns that fit, as wide as they may be. */
function withinRoom<T>(columns: readonly Measured<T>[], width: number): readonly Measured<T>[] {
  let kept = columns
  for (;;) {
    const shown = shrunk(kept, width)
    const highest = shown.reduce((most, { column }) => Math.max(most, column.dropRank ?? 0), 0)
    if (highest === 0 || fixedWidth(shown) + flexibleWidth(shown) <= width) return shown
    kept = kept.filter(({ column }) => column.dropRank !== highest)
  }
}

/** The columns, those that may shrink cut until the flexible one has half of the line, the widest of them first. */
function shrunk<T>(columns: readonly Measured<T>[], width: number): readonly Measured<T>[] {
  const wanted = flexibleWidth(columns, Math.max(LEAST_ROOM, Math.floor(width / 2)))
  let missing = fixedWidth(columns) + wanted - width
  const wide = new Map(columns.map(each => [each, each.wide]))
  const shrinking = columns.filter(({ column }) => column.shrinksTo !== undefined)
  for (const each of shrinking.toSorted((a, b) => b.wide - a.wide)) {
    const least = Math.max(each.column.shrinksTo ?? 0, widthOf(each.column.title))
    const cut = Math.max(0, Math.min(missing, each.wide - least))
    wide.set(each, each.wide - cut)
    missing -= cut
  }
  return columns.map(each => ({ ...each, wide: wide.get(each) ?? each.wide }))
}

function fixedWidth<T>(columns: readonly Measured<T>[]): number {
  const gaps = GAP.length * (columns.length - 1)
  return columns.reduce((sum, { column, wide }) => sum + (column.flexible ? 0 : wide), gaps)
}

/** A flexible column may be cut, but not to nothing. */
function flexibleWidth<T>(columns: readonly Measured<T>[], most = LEAST_ROOM): number {
  const wide = columns.find(({ column }) => column.flexible)?.wide ?? 0
  return Math.min(wide, most)
}

const BLOCKS = '▁▂▃▄▅▆▇█'
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** One block for each number, as high as its share of the largest; a blank for zero. */
export function sparkline(numbers: readonly number[]): string {
  const most = numbers.reduce((largest, number) => Math.max(largest, number), 0)
  const block = (number: number): string =>
    BLOCKS[Math.min(BLOCKS.length - 1, Math.floor((number / most) * BLOCKS.length))] ?? ' '
  return numbers.map(number => (number <= 0 ? ' ' : block(number))).join('')
}

/** A bar of at most so many columns, to an eighth of one; at least an eighth for a share above zero. */
export function barOf(share: number, width: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(share * width * 8))
  return `${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8] ?? ''}`
}
