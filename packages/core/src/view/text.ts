/** The text painter: lanes as characters, one line per row. */
import type { LaneRow } from './lanes.js'
import type { ViewRow } from './rows.js'

/** The marks of rows and the pieces of lanes. */
export interface Glyphs {
  readonly node: string
  readonly folded: string
  readonly landmark: string
  /** A compaction that was not finished. */
  readonly unfinished: string
  readonly down: string
  readonly across: string
  /** Where a lane opens, further right and between; where it closes; where a branch leaves, going on or not. */
  readonly opens: readonly [last: string, middle: string]
  readonly closes: readonly [last: string, middle: string]
  readonly leaves: readonly [on: string, end: string]
}

const UNICODE_GLYPHS: Glyphs = {
  node: '●',
  folded: '○',
  landmark: '◆',
  unfinished: '◇',
  down: '│',
  across: '─',
  opens: ['╮', '┬'],
  closes: ['╯', '┴'],
  leaves: ['├', '╰'],
}

/** What may be drawn beside a row. */
export interface PaintedRow {
  /** The lanes at the row itself. */
  readonly graph: string
  /** The lanes that go on below it, as wide: for further lines of the same row. */
  readonly below: string
}

/** How lanes are drawn. */
export interface PaintOptions {
  readonly glyphs?: Glyphs
  /** Colors a piece by the lane it belongs to. */
  readonly color?: (piece: string, lane: number) => string
  /** Lanes beyond these are not drawn; their rows are, at the edge. */
  readonly most?: number
}

/** What the painter asks of a row. */
export type PaintableRow = Pick<ViewRow, 'kind' | 'landmark'> & Partial<Pick<ViewRow, 'unfinished'>>

/** The lanes of each row as text; rows that follow one another have the same width. Linear in rows. */
export function* paintLanes(
  rows: readonly PaintableRow[],
  lanes: readonly LaneRow[],
  { glyphs = UNICODE_GLYPHS, color = piece => piece, most = 24 }: PaintOptions = {},
): Generator<PaintedRow> {
  const widths = widthsOf(lanes, most)
  const active = new Set<number>()
  for (const [at, lane] of lanes.entries()) {
    const row = rows[at]
    const isAcross = row?.landmark === true && row.unfinished !== true
    const mark = row === undefined ? glyphs.folded : markOf(row, glyphs)
    const cells = passingCells(widths[at] ?? 1, active, glyphs)
    drawRow(cells, lane, { mark, glyphs, landmark: isAcross })
    const graph = join(cells, color)
    advance(active, lane)
    yield { graph, below: join(passingCells(widths[at] ?? 1, active, glyphs), color) }
  }
}

function markOf({ kind, landmark, unfinished }: PaintableRow, glyphs: Glyphs): string {
  if (landmark) return unfinished === true ? glyphs.unfinished : glyphs.landmark
  return kind === 'node' ? glyphs.node : glyphs.folded
}

/** A view as text, one line for each row: its lanes, then its label. */
export function renderText(
  rows: readonly ViewRow[],
  lanes: readonly LaneRow[],
  label: (row: ViewRow) => string,
): string {
  const painted = paintLanes(rows, lanes)
  return rows.map(row => `${painted.next().value?.graph ?? ''} ${label(row)}`.trimEnd()).join('\n')
}

/** The lanes that go on below a row. */
function advance(active: Set<number>, { lane, opens, ends }: LaneRow): void {
  active.add(lane)
  for (const opened of opens) active.add(opened)
  for (const ended of ends) active.delete(ended)
}

/** Widths in lanes: rows with side lanes that follow one another are as wide as the widest of them. */
function widthsOf(lanes: readonly LaneRow[], most: number): Int32Array {
  const widths = new Int32Array(lanes.length).fill(1)
  const active = new Set<number>()
  let start = 0
  let widest = 1
  for (const [at, row] of lanes.entries()) {
    const wide = Math.max(row.lane, row.from ?? 0, furthestOf(active), furthestOf(row.opens)) + 1
    if (wide === 1 || widest === 1) {
      widths.fill(Math.min(widest, most), start, at)
      start = at
      widest = wide
    } else widest = Math.max(widest, wide)
    advance(active, row)
  }
  return widths.fill(Math.min(widest, most), start)
}

function furthestOf(lanes: Iterable<number>): number {
  let furthest = 0
  for (const lane of lanes) furthest = Math.max(furthest, lane)
  return furthest
}

/** One line of characters, two for each lane, each with the lane it belongs to. */
interface Cells {
  readonly pieces: string[]
  readonly owners: number[]
}

function emptyCells(width: number): Cells {
  const size = width * 2 - 1
  return { pieces: new Array<string>(size).fill(' '), owners: new Array<number>(size).fill(-1) }
}

function passingCells(width: number, active: ReadonlySet<number>, glyphs: Glyphs): Cells {
  const cells = emptyCells(width)
  for (const lane of active) put(cells, lane, glyphs.down)
  return cells
}

/** Lanes beyond the width are drawn at its edge. */
function columnOf(cells: Cells, lane: number): number {
  return Math.min(lane * 2, cells.pieces.length - 1)
}

function put(cells: Cells, lane: number, piece: string): void {
  const at = columnOf(cells, lane)
  cells.pieces[at] = piece
  cells.owners[at] = lane
}

/** A line across, under what stands there already. */
function rule(cells: Cells, [from, to]: readonly [number, number], piece: string, owner: number): void {
  const end = columnOf(cells, to)
  for (let at = columnOf(cells, from); at <= end; at++) {
    if (cells.pieces[at] !== ' ') continue
    cells.pieces[at] = piece
    cells.owners[at] = owner
  }
}

function join(cells: Cells, color: (piece: string, lane: number) => string): string {
  return cells.pieces
    .map((piece, at) => (piece === ' ' ? piece : color(piece, cells.owners[at] ?? 0)))
    .join('')
}

interface Drawing {
  readonly mark: string
  readonly glyphs: Glyphs
  readonly landmark: boolean
}

function drawRow(cells: Cells, row: LaneRow, { mark, glyphs, landmark }: Drawing): void {
  const { lane, from } = row
  const { across } = glyphs
  const furthest = Math.max(lane, furthestOf(row.opens), furthestOf(row.closes))
  const pick = (at: number, [last, middle]: readonly [string, string]): string =>
    at === furthest ? last : middle
  for (const closed of row.closes) put(cells, closed, pick(closed, glyphs.closes))
  for (const opened of row.opens) put(cells, opened, pick(opened, glyphs.opens))
  if (from !== null) put(cells, from, glyphs.leaves[row.ends.includes(from) ? 1 : 0])
  put(cells, lane, mark)
  if (furthest > lane) rule(cells, [lane, furthest], across, furthest)
  if (from !== null) rule(cells, [from, lane], across, lane)
  if (landmark) rule(cells, [lane, Number.MAX_SAFE_INTEGER], across, lane)
}
