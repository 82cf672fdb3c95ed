/** How high a row will be, about: so that the scroll bar is near the truth before anything was drawn. */
import { type FoldedRow, kindAt, type RowKind, type Sheet } from '@dagline/core'

const LINE = 22
/** Bytes of a record beside its text, and of a line of text. */
const FRAME = 900
const WIDE = 100

const FLAT: Partial<Readonly<Record<RowKind, number>>> = {
  call: 58,
  result: 58,
  thinking: 40,
  compaction: 90,
  command: 48,
  output: 60,
  system: 40,
  attachment: 40,
  progress: 40,
  meta: 40,
  caveat: 40,
  other: 40,
}

/** In pixels. */
export function estimateHeight(sheet: Sheet, { kind, row }: Pick<FoldedRow, 'kind' | 'row'>): number {
  if (kind !== 'row') return 64
  const flat = FLAT[kindAt(sheet, row)]
  if (flat !== undefined) return flat
  const lines = Math.ceil(Math.max(1, (sheet.rows.size[row] ?? 0) - FRAME) / WIDE)
  return 56 + LINE * Math.min(lines, 40)
}
