/** Runs: which bytes of which blocks are those of a version. */
import type { Place } from './pieces.js'

/** Bytes of a version that lie together in a block. */
export interface Run extends Place {
  /** Offset in the version. */
  readonly position: number
}

/** The runs of pieces from a position on: pieces that lie one behind the other are one run. */
export function runsOfPlaces(places: readonly Place[], from: number): readonly Run[] {
  const runs: { position: number; block: number; start: number; length: number }[] = []
  let position = from
  for (const { block, start, length } of places) {
    const last = runs.at(-1)
    if (last !== undefined && last.block === block && last.start + last.length === start)
      last.length += length
    else runs.push({ position, block, start, length })
    position += length
  }
  return runs
}

/** Whether the bytes of some runs are the beginning of those of others, as far as their places tell. */
export function isBeginning(runs: readonly Run[], others: readonly Run[]): boolean {
  let at = 0
  let used = 0
  for (const { block, start, length } of runs)
    for (let done = 0; done < length; ) {
      const other = others[at]
      if (other === undefined || other.block !== block || other.start + used !== start + done) return false
      const step = Math.min(length - done, other.length - used)
      done += step
      used += step
      if (used === other.length) {
        at++
        used = 0
      }
    }
  return true
}
