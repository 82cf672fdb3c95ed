/** An overview of the whole session: the contents of each pixel row, in three columns. */

import { ROW_MARKS, type RowKind, type Sheet } from '@dagline/core/protocol'
import { kindAt } from '@dagline/core/view'
import type { SheetFacts } from './facts.js'

/** What a cell shows; later kinds cover earlier ones. */
export const CELLS = ['none', 'other', 'text', 'call', 'agent', 'prompt', 'failed', 'compaction'] as const
export type Cell = (typeof CELLS)[number]

/** Live conversation, abandoned branches, subagents. */
export const COLUMNS = 3

/** Cells from top to bottom, three to a row; indexes into `CELLS`. Linear in the rows of the sheet. */
export function minimapCells(sheet: Sheet, facts: SheetFacts, height: number): Uint8Array {
  const cells = new Uint8Array(height * COLUMNS)
  const size = sheet.rows.node.length
  for (let row = 0; row < size; row++) {
    const line = sheet.rows.line[row] ?? -1
    const depth = sheet.lines[line]?.depth ?? 0
    const column = depth > 0 ? 2 : facts.abandoned[line] === true ? 1 : 0
    const value = CELLS.indexOf(cellOf(sheet, row, depth))
    // A row of a short session takes several pixels.
    const from = Math.floor((row * height) / size)
    const to = Math.max(from + 1, Math.floor(((row + 1) * height) / size))
    for (let y = from; y < to; y++) {
      const at = y * COLUMNS + column
      if (value > (cells[at] ?? 0)) cells[at] = value
    }
  }
  return cells
}

function cellOf(sheet: Sheet, row: number, depth: number): Cell {
  const marks = sheet.rows.marks[row] ?? 0
  if ((marks & ROW_MARKS.landmark) !== 0) return 'compaction'
  const kind = kindAt(sheet, row)
  if (kind === 'error') return 'failed'
  if (depth > 0) return 'agent'
  return KINDS[kind] ?? 'other'
}

const KINDS: Partial<Readonly<Record<RowKind, Cell>>> = {
  prompt: 'prompt',
  queued: 'prompt',
  text: 'text',
  summary: 'text',
  call: 'call',
  result: 'call',
}
