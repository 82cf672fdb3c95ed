/** M2: what a path is after a move. */
import type { Move } from '../write/journal.js'

/** Where a path is after a move; null where it is not moved. `/a/b` moves `/a/b` and `/a/b/c`, never `/a/bc`. */
export function movedPath(path: string, moves: readonly Move[]): string | null {
  for (const { from, to } of moves) {
    if (!path.startsWith(from)) continue
    const rest = path.slice(from.length)
    if (rest === '' || rest.startsWith('/') || rest.startsWith('\\')) return to + rest
  }
  return null
}

/** Ends the names under which new bytes are written first. */
export const PART_END = '.dagline-mv'

/** Whether a path is that of a folder or lies below it. */
export function isBelow(path: string, folder: string): boolean {
  return movedPath(path, [{ from: folder, to: '' }]) !== null
}
