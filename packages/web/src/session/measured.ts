/** Heights that rows had when they were last drawn: they are kept while other rows come and go around them. */
import type { FoldedRow } from '@dagline/core'
import { createHeights, type Heights } from '../parts/heights.js'
import { estimateHeight } from './row-kind.js'
import type { View } from './view.js'

export interface Measured {
  /** Heights for all rows of a view: those that are known, and estimates. */
  readonly heightsOf: (view: View) => Heights
  readonly note: (row: FoldedRow, height: number) => void
  /** All are forgotten: the page has another width. */
  readonly forget: () => void
}

/** Nothing is known yet. */
export function createMeasured(): Measured {
  // A row of the sheet is shown by itself, or stands for a whole line that is folded into it.
  let rows = new Float64Array(0)
  let folded = new Float64Array(0)
  let nodes: readonly string[] = []

  function fit(view: View): void {
    const now = view.sheet.rows.node
    if (now === nodes) return
    const keep = sameHead(nodes, now)
    rows = resized(rows, keep, now.length)
    folded = resized(folded, keep, now.length)
    nodes = now
  }

  return {
    heightsOf: view => {
      fit(view)
      const sizes = new Float64Array(view.rows.length)
      view.rows.forEach((row, place) => {
        const known = (row.kind === 'row' ? rows : folded)[row.row] ?? 0
        sizes[place] = known > 0 ? known : estimateHeight(view.sheet, row)
      })
      return createHeights(sizes)
    },
    note: ({ kind, row }, height) => {
      if (kind === 'row') rows[row] = height
      else folded[row] = height
    },
    forget: () => {
      rows.fill(0)
      folded.fill(0)
    },
  }
}

/** How many rows are the same from the beginning on. */
function sameHead(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before[at] === after[at]) at++
  return at
}

function resized(numbers: Float64Array, keep: number, size: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(size)
  next.set(numbers.subarray(0, keep))
  return next
}
