/** Where rows go: collected per file, or handed on one by one. Damage happens here, where it cannot touch the truth. */
import type { Rng } from '../base/rng.js'
import { type DamageWeights, damageRow, tornTail } from './damage.js'
import type { RowTruth } from './truth.js'

/** Takes the next piece of a file's text, line ending included. An empty text makes an empty file. */
export type RowWriter = (path: string, text: string) => void

/** The way to disk. */
export interface Sink {
  /** Appends one record. Damage is put before chained rows only, so that it is never the last word. */
  row(path: string, text: string, chained: boolean): void
  /** Makes a file without rows. */
  touch(path: string): void
  /** Ends all files, and says what rows they have. */
  finish(): Record<string, RowTruth>
}

/** Rows of a file so far. `open`: the last row has no line ending yet. */
export interface RowCount {
  rows: number
  records: number
  blank: number
  torn: number
  open: boolean
}

/** A sink that writes through `write`, damaging rows as `damage` says. */
export function createSink(write: RowWriter, rng: Rng, damage: DamageWeights): Sink {
  const counts = new Map<string, RowCount>()
  const countOf = (path: string): RowCount => {
    const known = counts.get(path)
    if (known) return known
    const count = { rows: 0, records: 0, blank: 0, torn: 0, open: false }
    counts.set(path, count)
    return count
  }
  return {
    row: (path, text, chained) =>
      write(path, damageRow({ text, chained, count: countOf(path), rng, damage })),
    touch: path => {
      countOf(path)
      write(path, '')
    },
    finish: () => {
      for (const [path, count] of counts) write(path, tornTail(count, rng, damage))
      return Object.fromEntries([...counts].map(([path, count]) => [path, rowTruth(count)]))
    },
  }
}

function rowTruth({ rows, records, blank, torn }: RowCount): RowTruth {
  return { rows, records, blank, torn }
}
