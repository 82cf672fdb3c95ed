/** A part of a sheet as a sheet of its own: rows and lines are numbered from 0, and so is everything that names them. */
import {
  ROW_MARKS,
  type Sheet,
  type SheetFork,
  type SheetJunction,
  type SheetLine,
  type SheetRows,
} from '@dagline/core/protocol'

/** New numbers by the old ones; -1 for what is left out. */
interface Numbers {
  readonly rows: Int32Array
  readonly lines: Int32Array
}

/** The sheet with only the selected rows; the same sheet where all are. */
export function partOf(sheet: Sheet, keeps: readonly boolean[], tools: boolean): Sheet {
  if (tools && keeps.every(keep => keep)) return sheet
  const numbers = renumber(sheet, keeps)
  const row = (old: number): number => (old < 0 ? old : (numbers.rows[old] ?? -1))
  const has = ({ row: old }: { readonly row: number }): boolean => old < 0 || row(old) >= 0
  const moved = <T extends { readonly row: number }>(items: readonly T[]): readonly T[] =>
    items.filter(has).map(item => ({ ...item, row: row(item.row) }))
  type Pairs<T> = readonly (readonly [number, T])[]
  const ofOne = <T>(pairs: Pairs<T>): Pairs<T> =>
    pairs.flatMap(([at, value]) => (row(at) < 0 ? [] : [[row(at), value] as const]))
  const ofTwo = (pairs: Pairs<number>): Pairs<number> =>
    ofOne(pairs).flatMap(([at, other]) => (row(other) < 0 ? [] : [[at, row(other)] as const]))
  return {
    ...sheet,
    lines: linesOf(sheet, numbers),
    rows: rowsOf(sheet, keeps, numbers, tools),
    live: sheet.live.map(row).filter(number => number >= 0),
    returns: ofTwo(sheet.returns),
    late: ofTwo(sheet.late),
    words: ofOne(sheet.words),
    turns: ofOne(sheet.turns),
    also: ofOne(sheet.also),
    forks: moved(sheet.forks).flatMap(fork => forkOf(fork, numbers)),
    epochs: moved(sheet.epochs).map(epoch => ({
      ...epoch,
      kept: epoch.kept.map(row).filter(number => number >= 0),
      summary: row(epoch.summary),
    })),
    junctions: junctionsOf(sheet, numbers),
    queue: moved(sheet.queue),
    diagnostics: moved(sheet.diagnostics),
  }
}

/** S2: sessions that go on from a row that is left out are named at the next row above it. */
function junctionsOf(sheet: Sheet, { rows }: Numbers): readonly SheetJunction[] {
  const found = sheet.junctions.flatMap(junction => {
    const at = nearest(sheet, rows, junction.row)
    return at < 0 ? [] : [{ ...junction, row: rows[at] ?? -1 }]
  })
  return found.sort((a, b) => a.row - b.row)
}

function renumber(sheet: Sheet, keeps: readonly boolean[]): Numbers {
  const rows = new Int32Array(keeps.length).fill(-1)
  const used = new Uint8Array(sheet.lines.length)
  let next = 0
  for (const [row, keep] of keeps.entries()) {
    if (!keep) continue
    rows[row] = next++
    used[sheet.rows.line[row] ?? 0] = 1
  }
  let line = 0
  return { rows, lines: Int32Array.from(used, use => (use === 1 ? line++ : -1)) }
}

function linesOf(sheet: Sheet, { rows, lines }: Numbers): readonly SheetLine[] {
  return sheet.lines.flatMap((line, old) => {
    if ((lines[old] ?? -1) < 0) return []
    const at = nearest(sheet, rows, line.at)
    const parent = at < 0 ? -1 : (lines[sheet.rows.line[at] ?? -1] ?? -1)
    const next = line.next < 0 ? -1 : (lines[line.next] ?? -1)
    return [{ ...line, head: firstOf(sheet, rows, old), at: at < 0 ? -1 : (rows[at] ?? -1), parent, next }]
  })
}

/** The row itself, or the first above it that is left in; an old number. */
function nearest({ rows: { up } }: Sheet, rows: Int32Array, from: number): number {
  let row = from
  while (row >= 0 && (rows[row] ?? -1) < 0) {
    const distance = up[row] ?? 0
    row = distance === 0 ? -1 : row - distance
  }
  return row
}

function firstOf(sheet: Sheet, rows: Int32Array, line: number): number {
  for (let row = Math.max(0, sheet.lines[line]?.head ?? 0); row < rows.length; row++)
    if (sheet.rows.line[row] === line && (rows[row] ?? -1) >= 0) return rows[row] ?? -1
  return -1
}

function rowsOf(
  sheet: Sheet,
  keeps: readonly boolean[],
  { rows, lines }: Numbers,
  tools: boolean,
): SheetRows {
  const { rows: old } = sheet
  const pick = <T>(column: readonly T[]): readonly T[] => column.filter((_, row) => keeps[row])
  const distance = (from: number, to: number): number => (to < 0 ? 0 : (rows[from] ?? 0) - (rows[to] ?? 0))
  const above = (row: number): number => {
    const up = old.up[row] ?? 0
    return up === 0 ? 0 : distance(row, nearest(sheet, rows, row - up))
  }
  const joined = (row: number): number => {
    const join = old.joins[row] ?? 0
    return join === 0 || (rows[row - join] ?? -1) < 0 ? 0 : distance(row, row - join)
  }
  const ups = old.up.map((_, row) => (keeps[row] ? above(row) : 0))
  return {
    node: pick(old.node),
    line: pick(old.line).map(line => lines[line] ?? -1),
    kind: pick(old.kind),
    marks: pick(old.marks).map(marks => (tools ? marks : marks & ~ROW_MARKS.calls)),
    time: pick(old.time),
    actor: pick(old.actor),
    name: pick(old.name),
    up: pick(ups),
    edge: pick(old.edge.map((edge, row) => ((ups[row] ?? 0) === 0 ? 0 : edge))),
    joins: pick(old.joins.map((_, row) => (keeps[row] ? joined(row) : 0))),
    size: pick(old.size),
  }
}

/** A fork with at least two of its branches left is still one. -1 is the line of the fork itself. */
function forkOf(fork: SheetFork, { lines }: Numbers): readonly SheetFork[] {
  const branches = fork.branches
    .filter(line => line < 0 || (lines[line] ?? -1) >= 0)
    .map(line => (line < 0 ? line : (lines[line] ?? -1)))
  return branches.length > 1 ? [{ ...fork, branches }] : []
}
